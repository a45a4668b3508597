import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { livePath } from '../../../../contract/live.ts';
import { startBus } from '../../platform/bus/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { createLive, type Live } from '../../platform/live/index.ts';
import { createLog } from '../../platform/log.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';

const log = createLog('silent');
const database = await testDatabase();
const bus = await startBus(database.connection, log);
const caller: Caller = { accountId: 1, username: 'admin', level: 0, sessionId: 1, permissions: new Set(), workAreas: 'all', workAreaId: null };
let asked = 0;
let slowed = 0;
let opened = 0;
let live: Live;
let url = '';
const server = createServer();
const open: WebSocket[] = [];

beforeAll(async () => {
  live = createLive({
    topics: [{ name: /^home$/, open: () => { opened += 1; return Promise.resolve(() => undefined); } }], callers: () => Promise.resolve(new Map([[1, caller]])),
    authenticate: (token) => { asked += 1; return Promise.resolve(token === 'good' ? caller : undefined); },
    allowedOrigins: [], trustedProxies: ['127.0.0.1'], asking: { burst: 50, perSecond: 500 }, slowed: () => { slowed += 1; }, clock: testClock(), bus, log,
  });
  live.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}${livePath}`;
});
afterEach(async () => {
  open.splice(0).forEach((socket) => socket.terminate());
  await expect.poll(() => live.stats()).toMatchObject({ readers: 0, waiting: 0 });
});
afterAll(async () => {
  await live.stop();
  server.close();
  await bus.stop();
});

async function connect(address: string) {
  const socket = new WebSocket(url, { headers: { 'x-forwarded-for': `6.6.6.6, ${address}` } });
  open.push(socket);
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  return { socket, heard, closed, say: (message: object) => socket.send(JSON.stringify(message)) };
}
async function operator(address: string) {
  const reader = await connect(address);
  reader.say({ type: 'hello', token: 'Bearer good' });
  await expect.poll(() => reader.heard.length).toBe(1);
  expect(reader.heard[0]).toContain('welcome');
  return reader;
}

describe('connections that say nothing', () => {
  it('are twenty of an address at most, the oldest goes; who says hello is in, from there too', async () => {
    const silent = [];
    for (let count = 0; count < 60; count += 1) silent.push(await connect('10.0.0.1'));
    expect(await Promise.all(silent.slice(0, 40).map(({ closed }) => closed))).toEqual(Array(40).fill(1013));
    expect(live.stats()).toMatchObject({ waiting: 20, readers: 0 });
    await operator('10.0.0.1');
    await operator('10.0.0.2');
    expect(live.stats()).toMatchObject({ readers: 2 });
  });
});

describe('connections that are sent away', () => {
  it('and do not answer are cut: they keep no socket', async () => {
    const sockets = () => new Promise<number>((resolve, reject) => { server.getConnections((error, count) => (error ? reject(error) : resolve(count))); });
    const before = await sockets();
    for (let count = 0; count < 25; count += 1) {
      const { socket } = await connect('10.0.0.9');
      // Reads nothing any more, not even the good-bye.
      socket.pause();
    }
    await expect.poll(sockets, { timeout: 10_000 }).toBe(before + 20);
  });
});

describe('floods on one connection', () => {
  it('of wrong hellos end it at the first one, and ask the database once', async () => {
    const before = asked;
    const liar = await connect('10.0.0.3');
    for (let count = 0; count < 2000; count += 1) liar.say({ type: 'hello', token: `Bearer ${count}` });
    expect(await liar.closed).toBe(4401);
    await operator('10.0.0.3');
    expect(asked - before).toBe(2);
  });

  it('of subscriptions are read more slowly, and all answered in the end', async () => {
    const reader = await operator('10.0.0.4');
    for (let count = 0; count < 12; count += 1) {
      reader.say({ type: 'subscribe', topics: Array(20).fill('home') });
      reader.say({ type: 'unsubscribe', topics: ['home'] });
    }
    reader.say({ type: 'ping' });
    await expect.poll(() => reader.heard.at(-1)).toContain('pong');
    expect(opened).toBe(12);
    expect(slowed).toBeGreaterThan(0);
  });
});
