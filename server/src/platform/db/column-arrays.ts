/**
 * Lists as array parameters in the database's binary form: nothing is escaped here and nothing parsed there. The
 * statement casts each to its type, `${bigints(ids)}::bigint[]`; the driver sends a Buffer as it is.
 */

const oids = { bigint: 20, smallint: 21, jsonb: 3802, timestamptz: 1184 } as const;
const headerBytes = 20;
/** PostgreSQL counts microseconds from 2000-01-01. */
const epochMs = 946_684_800_000;
const upper = 2 ** 32;

/** Whole numbers below 2^53 as `bigint[]`. */
export const bigints = (values: ArrayLike<number>): Buffer => eights(oids.bigint, values, (value) => value);

/** Epoch milliseconds as `timestamptz[]`. */
export const instants = (values: readonly number[]): Buffer =>
  eights(oids.timestamptz, values, (value) => Math.round((value - epochMs) * 1000));

/** As `smallint[]`. */
export function smallints(values: readonly number[]): Buffer {
  const bytes = begin(oids.smallint, values.length, values.length * 6);
  values.forEach((value, index) => {
    const at = headerBytes + index * 6;
    bytes.writeInt32BE(2, at);
    bytes.writeInt16BE(value, at + 4);
  });
  return bytes;
}

/** Texts that are JSON already as `jsonb[]`. */
export function jsons(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value) + 1));
  const bytes = begin(
    oids.jsonb,
    values.length,
    lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0),
  );
  let at = headerBytes;
  values.forEach((value, index) => {
    at = bytes.writeInt32BE(lengths[index] ?? -1, at);
    if (value === null) return;
    // Each begins with the version of jsonb's binary form.
    bytes[at] = 1;
    at += 1 + bytes.write(value, at + 1);
  });
  return bytes;
}

function eights(oid: number, values: ArrayLike<number>, of: (value: number) => number): Buffer {
  const bytes = begin(oid, values.length, values.length * 12);
  for (let index = 0; index < values.length; index += 1) {
    const at = headerBytes + index * 12;
    const whole = of(values[index] ?? 0);
    const high = Math.floor(whole / upper);
    bytes.writeInt32BE(8, at);
    bytes.writeInt32BE(high, at + 4);
    bytes.writeUInt32BE(whole - high * upper, at + 8);
  }
  return bytes;
}

/** One dimension, counted from 1; an empty list has none. */
function begin(oid: number, count: number, contents: number): Buffer {
  const bytes = Buffer.allocUnsafe(count === 0 ? 12 : headerBytes + contents);
  bytes.writeInt32BE(count === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(oid === oids.jsonb ? 1 : 0, 4);
  bytes.writeInt32BE(oid, 8);
  if (count === 0) return bytes;
  bytes.writeInt32BE(count, 12);
  bytes.writeInt32BE(1, 16);
  return bytes;
}
