import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, describe, expect, test } from 'vitest';
import { route } from '../../../../contract/route.ts';
import { testApp } from '../../testing/app.ts';
import { bind } from './index.ts';

const shape = { tag: 'test', summary: 'For this test.', reply: Type.Unknown(), logged: false } as const;
const open = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/open',
  access: 'public',
  body: Type.Object({ text: Type.String({ maxLength: 100 }) }),
});
const file = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/files',
  access: 'public',
  encoding: 'bytes',
  limits: { bytes: 1000 },
});
const times = { headers: 300, body: 400, silence: 400 };
const { app } = await testApp({
  logLevel: 'silent',
  config: { times, trustedProxies: ['127.0.0.1'] },
  routes: () => [
    bind(open, () => 'open', { rules: 'none' }),
    bind(file, async (_input, { upload }) => {
      let bytes = 0;
      for await (const chunk of upload ?? []) bytes += chunk.length;
      return bytes;
    }),
  ],
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const sockets: Socket[] = [];
afterAll(() => sockets.forEach((socket) => socket.destroy()));

/** Sends something and nothing more; what came back until the other side closed. */
async function said(...pieces: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  for (const piece of pieces) {
    if (!socket.destroyed) socket.write(piece);
    await new Promise((resolve) => {
      setTimeout(resolve, 150);
    });
  }
  if (!socket.closed) await once(socket, 'close');
  return text;
}
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

describe('a connection is closed', () => {
  test('whose headers are not complete in time, however steadily they drip', async () => {
    const answer = await said('GET /healthz HTTP/1.1\r\nHost: x\r\n', 'A: 1\r\n', 'B: 1\r\n', 'C: 1\r\n', 'D: 1\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('content-security-policy: ');
    expect(bodyOf(answer)).toMatchObject({ status: 408, code: 1404 });
  });

  test('that never says anything after it was opened', async () => {
    expect(await said()).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test('whose body does not come', async () => {
    expect(
      await said(
        `POST ${open.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
        ' ',
        ' ',
      ),
    ).toBe('');
    expect(
      await said(
        `POST ${file.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\n{`,
      ),
    ).toBe('');
  });

  test('that speaks no HTTP, or says too much before its request: with a problem body', async () => {
    expect(bodyOf(await said('nonsense\r\n\r\n'))).toMatchObject({ status: 400, code: 1002 });
    expect(bodyOf(await said(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`))).toMatchObject({
      status: 431,
      code: 1405,
    });
  });
});

test('a file that comes piece by piece is taken, however long it takes in all', async () => {
  const request = `POST ${file.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: 6\r\n\r\n`;
  expect(await said(request, '1', '2', '3', '4', '5', '6')).toMatch(/\r\n\r\n6$/);
});

test('a request that names its host twice is refused', async () => {
  const answer = await said('GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":1005');
  expect(await said('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('strict transport is asked for where a trusted proxy says that the browser came by TLS', async () => {
  const asked = async (headers: string) =>
    (await said(`GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`)).includes(
      'strict-transport-security: max-age=31536000',
    );
  expect(await asked('X-Forwarded-Proto: https\r\n')).toBe(true);
  expect([await asked(''), await asked('X-Forwarded-Proto: http\r\n')]).toEqual([false, false]);
});
