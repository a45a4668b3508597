import { describe, expect, it } from 'vitest';
import { maySubscribe, mayPublish } from './rights.ts';
import { packetScanner } from './packet-limit.ts';

const rights = {
  publish: ['d/7/readings', 'd/7/children/+/readings'],
  subscribe: ['d/7/commands', 'd/7/children/+/commands'],
};

describe('topic rights', () => {
  it.each<[string, boolean]>([
    ['d/7/readings', true], ['d/7/children/12/readings', true], ['d/8/readings', false], ['d/7/commands', false],
    ['d/7/children/12/x/readings', false], ['d/7', false], ['d/7/readings/x', false], ['d/+/readings', false], ['#', false], ['', false], ['$SYS/x', false],
  ])('publishing to %s: %s', (topic, allowed) => expect(mayPublish(rights, topic)).toBe(allowed));

  it.each<[string, boolean]>([
    ['d/7/commands', true], ['d/7/children/+/commands', true], ['d/7/children/12/commands', true], ['d/8/commands', false], ['d/+/commands', false],
    ['#', false], ['d/7/#', false], ['d/7/+', false], ['d/7/children/#', false], ['+/7/commands', false], ['$SYS/#', false], ['$SYS/x', false], ['d/7/readings', false], ['$share/g/d/7/commands', false],
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
  it('lets packets up to the limit pass, however the bytes are cut', () => {
    const stream = Buffer.concat([packet(10), packet(0), packet(200), packet(1000), packet(3)]);
    for (const size of [1, 2, 3, 7, 128, stream.length]) {
      const scan = packetScanner(10, 1000);
      for (let at = 0; at < stream.length; at += size) expect(scan(stream.subarray(at, at + size))).toBe(true);
    }
  });
  it('stops at the announcement of a longer one', () => {
    expect(packetScanner(10, 1000)(packet(11))).toBe(false);
    const scan = packetScanner(10, 1000);
    expect(scan(packet(5))).toBe(true);
    expect(scan(packet(1001).subarray(0, 3))).toBe(false);
    expect(packetScanner(10, 1000)(Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff]))).toBe(false);
  });
});
