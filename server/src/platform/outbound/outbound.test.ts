import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askOutside, mayAsk, type Reach } from './index.ts';

const server = createServer((_request, response) => void response.end('here'));
afterAll(() => void server.close());
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  address = `http://localhost:${(server.address() as AddressInfo).port}/`;
});

test('a connection into the own network that a setting allowed is none for those whose setting does not', async () => {
  const ask = (reach: Reach) => askOutside(address, { timeoutMs: 10_000, maxBytes: 100, reach });
  for (let turn = 0; turn < 2; turn += 1) {
    expect(String((await ask('machine')).body)).toBe('here');
    await expect(ask('own')).rejects.toMatchObject({ fault: 'private' });
    await expect(ask('public')).rejects.toMatchObject({ fault: 'private' });
  }
});

test.each([
  ['127.0.0.1', 'machine'],
  ['127.8.9.1', 'machine'],
  ['::1', 'machine'],
  ['::ffff:127.0.0.1', 'machine'],
  ['10.1.2.3', 'own'],
  ['100.64.0.1', 'own'],
  ['::ffff:10.0.0.1', 'own'],
  ['93.184.215.14', 'public'],
  ['2606:4700::1111', 'public'],
  ['192.168.1.1', 'own'],
  ['fd00::1', 'own'],
  ['203.0.113.9', 'public'],
  ['2a00::1', 'public'],
  ['::127.0.0.1', null],
  ['::7f00:1', null],
  ['::10.0.0.1', null],
  ['::ffff:0:127.0.0.1', null],
  ['::', null],
  ['64:ff9b::a00:1', null],
  ['2002:a00:1::', null],
  ['::ffff:a9fe:a9fe', null],
  ['0.0.0.0', null],
  ['169.254.169.254', null],
  ['64:ff9b::7f00:1', null],
  ['2002:7f00:1::', null],
  ['fe80::1', null],
  ['name', null],
] as const)('%s is asked from the reach %s on', (address, least) => {
  const reaches = ['public', 'own', 'machine'] as const;
  expect(reaches.filter((reach) => mayAsk(address, reach))).toEqual(
    least === null ? [] : reaches.slice(reaches.indexOf(least)),
  );
});
