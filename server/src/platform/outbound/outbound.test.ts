import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askOutside } from './index.ts';

const server = createServer((_request, response) => void response.end('here'));
afterAll(() => void server.close());
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => { server.listen(0, 'localhost', resolve); });
  address = `http://localhost:${(server.address() as AddressInfo).port}/`;
});

test('a connection into the own network that a setting allowed is none for those whose setting does not', async () => {
  const ask = (allowPrivate: boolean) => askOutside(address, { timeoutMs: 10_000, maxBytes: 100, allowPrivate });
  for (let turn = 0; turn < 2; turn += 1) {
    expect(String((await ask(true)).body)).toBe('here');
    await expect(ask(false)).rejects.toMatchObject({ fault: 'private' });
  }
});
