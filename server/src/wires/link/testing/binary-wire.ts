import type { HeardOnLine, LineWire, Refusal, SaidOnLine, SaidReading } from '../../../../../protocols/wire.ts';

/**
 * A second protocol, as small as one can be and as unlike the first: binary frames over TCP, the device names itself in
 * the first one, has channels, and answers by numbers.
 *
 *     frame    7e | length of the whole frame, 2 | kind, 1 | body | sum of all bytes before, 1
 *     01 up    hello: length of the name, 1 | name | secret
 *     02 up    readings: sent at, 8 | channel, 1 | { at, 8 | count, 1 | { code, 1 | value, float 4 } }
 *     03 up    answer: number, 2 | 0 done, else an error code, 1 | at, 8
 *     04 up    event: channel, 1 | at, 8 | code, 1
 *     12 down  the readings are stored
 *     20 down  command: number, 2 | 0 off, 1 on, 2 dim, 1 | level, 1
 *     21 down  report every so many seconds while lit, 2
 */
export const binaryWire: LineWire = {
  name: 'binary',
  door: 'tcp',
  port: 0,
  mostFrameBytes: 1024,
  frameLength(bytes) {
    if (bytes[0] !== start) return refusal('garbage', 'no frame begins here');
    return bytes.length < 3 ? 0 : viewOf(bytes).getUint16(1);
  },
  identify(frame) {
    const length = frame[4] ?? 0;
    if (frame[3] !== 0x01 || frame.length < 6 + length || !isSound(frame)) return refusal('schema', 'no hello');
    const name = frame.subarray(5, 5 + length);
    return { ok: true, address: Buffer.from(name).toString(), secret: frame.subarray(5 + length, -1) };
  },
  hear(frame) {
    if (!isSound(frame)) return refusal('checksum', 'the sum is another');
    try {
      return understand(frame[3], viewOf(frame.subarray(4, -1)));
    } catch (thrown) {
      if (thrown instanceof RangeError) return refusal('schema', 'the frame ends too early');
      throw thrown;
    }
  },
  say({ command, args }, number) {
    const operation = { off: 0, on: 1, dim: 2 }[command];
    if (operation === undefined) return { unsupported: `no ${command} over this wire` };
    return frameOf(0x20, [number >> 8, number & 0xff, operation, Number(args['level'] ?? 0)]);
  },
  set: ({ reportSeconds: { lit } }) => frameOf(0x21, [lit >> 8, lit & 0xff]),
};

const start = 0x7e;
const words = new Map([
  [1, 'power'],
  [2, 'voltage'],
  [3, 'level'],
  [4, 'relay'],
]);

const refusal = (reason: string, detail: string): Refusal => ({ ok: false, reason, detail });
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const sumOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
const isSound = (frame: Uint8Array): boolean => sumOf(frame.subarray(0, -1)) === frame.at(-1);

function frameOf(kind: number, body: readonly number[]): Uint8Array {
  const length = body.length + 5;
  const frame = Uint8Array.from([start, length >> 8, length & 0xff, kind, ...body, 0]);
  frame[length - 1] = sumOf(frame.subarray(0, -1));
  return frame;
}

function understand(kind: number | undefined, body: DataView): HeardOnLine {
  const timeAt = (at: number): number => Number(body.getBigUint64(at));
  if (kind === 0x02) {
    const readings: SaidReading[] = [];
    for (let at = 9; at < body.byteLength; at += 9 + 5 * body.getUint8(at + 8)) readings.push(readingAt(body, at));
    const said: SaidOnLine = { kind: 'readings', channel: body.getUint8(8), sentAt: timeAt(0), readings };
    return { ok: true, said: [said], reply: frameOf(0x12, []) };
  }
  if (kind === 0x03) {
    const [number, error, at] = [body.getUint16(0), body.getUint8(2), timeAt(3)];
    const accepted = error === 0;
    const executedAt = accepted ? at : null;
    return { ok: true, said: [{ kind: 'answer', number, accepted, executedAt, error: accepted ? null : `E${error}` }] };
  }
  if (kind === 0x04)
    return {
      ok: true,
      said: [{ kind: 'event', channel: body.getUint8(0), at: timeAt(1), texts: { code: `A${body.getUint8(9)}` } }],
    };
  return refusal('schema', `kind ${kind}`);
}

function readingAt(body: DataView, at: number): SaidReading {
  const values: Record<string, number | boolean> = {};
  const unmapped: Record<string, number> = {};
  for (let item = 0; item < body.getUint8(at + 8); item += 1) {
    const code = body.getUint8(at + 9 + 5 * item);
    const value = Math.round(body.getFloat32(at + 10 + 5 * item) * 1000) / 1000;
    const word = words.get(code);
    if (word === undefined) unmapped[`code ${code}`] = value;
    else values[word] = word === 'relay' ? value === 1 : value;
  }
  const reading = { at: Number(body.getBigUint64(at)), values, quality: 'measured' } as const;
  return Object.keys(unmapped).length === 0 ? reading : { ...reading, unmapped };
}
