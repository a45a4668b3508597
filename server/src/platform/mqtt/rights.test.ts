import { describe, expect, it } from 'vitest';
import { maySubscribe, mayPublish } from './rights.ts';
import { packetScanner } from './packet-limit.ts';

const rights = {
  publish: ['d/7/readings', 'd/7/children/+/readings'],
  subscribe: ['d/7/commands', 'd/7/children/+/commands'],
};

describe('topic rights', () => {
  it.each<[string, boolean]>([
    ['d/7/readings', true],
    ['d/7/children/12/readings', true],
    ['d/8/readings', false],
    ['d/7/commands', false],
    ['d/7/children/12/x/readings', false],
    ['d/7', false],
    ['d/7/readings/x', false],
    ['d/+/readings', false],
    ['#', false],
    ['', false],
    ['$SYS/x', false],
  ])('publishing to %s: %s', (topic, allowed) => expect(mayPublish(rights, topic)).toBe(allowed));

  it.each<[string, boolean]>([
    ['d/7/commands', true],
    ['d/7/children/+/commands', true],
    ['d/7/children/12/commands', true],
    ['d/8/commands', false],
    ['d/+/commands', false],
    ['#', false],
    ['d/7/#', false],
    ['d/7/+', false],
    ['d/7/children/#', false],
    ['+/7/commands', false],
    ['$SYS/#', false],
    ['$SYS/x', false],
    ['d/7/readings', false],
    ['$share/g/d/7/commands', false],
  ])('subscribing to %s: %s', (filter, allowed) => expect(maySubscribe(rights, filter)).toBe(allowed));
});

describe('the packet scanner', () => {
  const packet = (length: number) => {
    const header = [0x30];
    let rest = length;
    do {
      header.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
      rest = Math.floor(rest / 128);
    } while (rest > 0);
    return Buffer.concat([Buffer.from(header), Buffer.alloc(length, 0xff)]);
  };
  const limits = { first: 10, whole: 1000, cut: 3000 };
  /** What comes out of a stream that is cut into chunks of this size. */
  const through = (stream: Buffer, size: number) => {
    const scan = packetScanner(limits);
    const out: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += size) {
      const left = scan(stream.subarray(at, at + size));
      if (typeof left === 'number') return left;
      out.push(left);
    }
    return Buffer.concat(out);
  };
  const sizes = [1, 2, 3, 7, 128, 100_000];
  it('lets packets up to the limit pass, however the bytes are cut', () => {
    const stream = Buffer.concat([packet(10), packet(0), packet(200), packet(1000), packet(3)]);
    for (const size of sizes) expect(through(stream, size)).toEqual(stream);
  });
  it('cuts a PUBLISH that is longer and goes on behind it, however the bytes are cut', () => {
    const stream = Buffer.concat([packet(5), packet(3000), packet(7), packet(1001), packet(0), packet(2000)]);
    const expected = Buffer.concat([packet(5), packet(1000), packet(7), packet(1000), packet(0), packet(1000)]);
    for (const size of sizes) expect(through(stream, size)).toEqual(expected);
  });
  it('stops at the announcement of one that is not taken at all', () => {
    expect(through(packet(11), 100)).toBe(11);
    expect(through(Buffer.concat([packet(5), packet(3001).subarray(0, 3)]), 100)).toBe(3001);
    const connect = Buffer.concat([packet(5), Buffer.from([0x10]), packet(1001).subarray(1)]);
    expect(through(connect, 100)).toBe(1001);
    expect(through(Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff]), 1)).toBeTypeOf('number');
  });
});
