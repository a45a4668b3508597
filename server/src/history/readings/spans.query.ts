import { sql, type RawBuilder } from 'kysely';

export const hourMs = 3_600_000;
export const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs;

/** Full hours of one device, epoch milliseconds; `to` is not included. */
export interface Unit {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}

export const instant = (at: number): string => new Date(at).toISOString();

/** The units as a table `u (device_id, from_at, to_at)`. */
export const unitTable = (units: readonly Unit[]): RawBuilder<unknown> =>
  sql`unnest(${units.map((u) => u.deviceId)}::bigint[], ${units.map((u) => instant(u.from))}::timestamptz[], ${units.map((u) => instant(u.to))}::timestamptz[]) AS u(device_id, from_at, to_at)`;

/**
 * A number in single precision; what is too small for it is 0: the database refuses the cast, and one device's nonsense
 * would stop the rolling of all.
 */
export const single = (x: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN abs(${x}) < 1e-37 THEN 0 ELSE ${x} END::real`;

/** From the earliest to the latest: with these in a statement the database leaves the other days' tables alone. */
export function boundsOf(units: readonly { readonly from: number; readonly to: number }[]): {
  from: number;
  to: number;
} {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const unit of units) {
    if (unit.from < from) from = unit.from;
    if (unit.to > to) to = unit.to;
  }
  return { from, to };
}

/** Neighbouring hours of one device as one stretch, as long as it stays below three days. */
export function merged(marks: readonly { readonly deviceId: number; readonly hour: number }[]): Unit[] {
  const units: { deviceId: number; from: number; to: number }[] = [];
  for (const { deviceId, hour } of marks.toSorted((a, b) => a.deviceId - b.deviceId || a.hour - b.hour)) {
    const last = units.at(-1);
    if (last && last.deviceId === deviceId && hour <= last.to && hour - last.from < 72 * hourMs)
      last.to = Math.max(last.to, hour + hourMs);
    else units.push({ deviceId, from: hour, to: hour + hourMs });
  }
  return units;
}
