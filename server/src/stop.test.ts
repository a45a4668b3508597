import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../e2e/fixtures/free-port.ts';
import { copyPreparedDatabase } from '../../e2e/fixtures/prepared-database.ts';
import { isRunning, startScript, type Child } from './testing/child.ts';
import { familyOf } from './testing/faults/postgres.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-stop-'));
const sockets: Socket[] = [];
afterAll(() => {
  sockets.forEach((socket) => socket.destroy());
  rmSync(dataDir, { recursive: true, force: true });
});

const port = await freePort();
const mqttPort = await freePort();
const start = (): Child =>
  startScript('server/src/main.ts', [], {
    env: { DATA_DIR: dataDir, PORT: String(port), MQTT_PORT: String(mqttPort) },
  });
const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
const postmaster = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);

/** A connection that says something, and everything it hears. */
async function say(text: string, to = port): Promise<{ socket: Socket; heard(pattern: RegExp): Promise<string> }> {
  const socket = connect(to, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  let all = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    all += part;
  });
  await once(socket, 'connect');
  socket.write(text);
  return {
    socket,
    async heard(pattern) {
      while (!pattern.test(all) && !socket.closed) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      expect(all).toMatch(pattern);
      return all;
    },
  };
}

const post = (bytes: number) =>
  `POST /api/v1/sign-in-links/exchange HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

let first: Child;
beforeAll(async () => {
  copyPreparedDatabase(dataDir);
  first = start();
  await first.line(/"Lampyris is ready"/);
});

test('a stop ends with 0 and leaves no database, whatever is connected; a request in work is answered, and its connection closed', async () => {
  const server = first;
  const pid = postmaster();
  const keptAlive = await say('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await keptAlive.heard(/alive/);
  await say('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  await say(`${post(1000)}{"token":`);
  const socket = await say(
    'GET /api/v1/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await socket.heard(/101 Switching/);
  const neverReads = await say('');
  neverReads.socket.pause();
  neverReads.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3000));
  await say('\u0010', mqttPort);
  const body = '{"token":"x"}';
  const upload = await say(`${post(body.length)}{`);
  // It answers others: what was sent before has been read.
  await (await say('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).heard(/alive/);

  server.process.kill('SIGTERM');
  await server.line(/"stopping"/);
  upload.socket.write(body.slice(1));
  expect((await upload.heard(/\r\n\r\n/)).toLowerCase()).toContain('connection: close');
  expect(await server.ended).toBe(0);
  expect(server.said()).toContain('"msg":"stopped"');
  expect(isRunning(pid)).toBe(false);
});

test('a stop ends with 0 and leaves no database also while the database is frozen', async () => {
  const server = start();
  await server.line(/"Lampyris is ready"/);
  const processes = familyOf(postmaster());
  processes.forEach((id) => process.kill(id, 'SIGSTOP'));
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(processes.filter(isRunning)).toEqual([]);
});

test('a stop while it starts ends with 0 and leaves no database', async () => {
  // What the killed one left.
  const before = postmaster();
  const server = start();
  let pid = before;
  while (pid === before || pid === 0) {
    await sleep(2);
    pid = existsSync(pidFile) ? postmaster() : before;
  }
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(isRunning(pid)).toBe(false);
});
