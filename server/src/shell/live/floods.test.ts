import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { constants, deflateRawSync } from 'node:zlib';
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
const caller: Caller = {
  accountId: 1,
  username: 'admin',
  level: 0,
  sessionId: 1,
  permissions: new Set(),
  workAreas: 'all',
  workAreaId: null,
};
let asked = 0;
let slowed = 0;
let opened = 0;
/** What a check, and what the opening of a topic waits for. */
let checking = Promise.resolve();
let opening = Promise.resolve();
let live: Live;
let url = '';
const server = createServer();
const open: WebSocket[] = [];

beforeAll(async () => {
  live = createLive({
    topics: [
      {
        name: /^home$/,
        open: async () => {
          opened += 1;
          await opening;
          return () => undefined;
        },
      },
    ],
    callers: () => Promise.resolve(new Map([[1, caller]])),
    authenticate: async (token) => {
      asked += 1;
      await checking;
      return token === 'good' ? caller : undefined;
    },
    allowedOrigins: [],
    trustedProxies: ['127.0.0.1'],
    asking: { burst: 50, perSecond: 500 },
    slowed: () => {
      slowed += 1;
    },
    clock: testClock(),
    bus,
    log,
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

async function connect(address: string, perMessageDeflate = false) {
  const socket = new WebSocket(url, { perMessageDeflate, headers: { 'x-forwarded-for': `6.6.6.6, ${address}` } });
  open.push(socket);
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  return { socket, heard, closed, say: (message: object) => socket.send(JSON.stringify(message)) };
}
/** A frame of text in permessage-deflate, shorter than 126 bytes. */
function packed(text: string): Buffer {
  const deflated = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  return Buffer.concat([Buffer.from([0xc1, 0x80 | deflated.length, 0, 0, 0, 0]), deflated]);
}
async function operator(address: string, perMessageDeflate = false) {
  const reader = await connect(address, perMessageDeflate);
  reader.say({ type: 'hello', token: 'Bearer good' });
  await expect.poll(() => reader.heard.length).toBe(1);
  expect(reader.heard[0]).toContain('welcome');
  return reader;
}

describe('connections that say nothing', () => {
  it('are two hundred of an address at most, the oldest goes; who says hello is in, from there too', async () => {
    const silent = [];
    for (let count = 0; count < 240; count += 1) silent.push(await connect('10.0.0.1'));
    expect(await Promise.all(silent.slice(0, 40).map(({ closed }) => closed))).toEqual(Array(40).fill(1013));
    expect(live.stats()).toMatchObject({ waiting: 200, readers: 0 });
    await operator('10.0.0.1');
    await operator('10.0.0.2');
    expect(live.stats()).toMatchObject({ readers: 2 });
  });
});

describe('hellos', () => {
  it('of a hundred browsers that come back at once behind one address are checked twenty at a time, and all come in', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    checking = promise;
    const before = asked;
    const browsers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const browser = await connect('10.0.0.10');
        browser.say({ type: 'hello', token: 'Bearer good' });
        return browser;
      }),
    );
    await expect.poll(() => asked - before).toBe(20);
    const beside = await connect('10.0.0.11');
    beside.say({ type: 'hello', token: 'Bearer good' });
    await expect.poll(() => [asked - before, live.stats().waiting]).toEqual([21, 101]);
    resolve();
    checking = Promise.resolve();
    await expect.poll(() => live.stats(), { timeout: 10_000 }).toMatchObject({ readers: 101, waiting: 0 });
    await expect
      .poll(() => browsers.filter(({ heard }) => heard[0]?.includes('welcome')).length, { timeout: 10_000 })
      .toBe(100);
  });

  it('keep their place until they are checked: of garbage from one address twenty are looked up at once, two hundred wait, and others come in beside it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    checking = promise;
    const before = asked;
    const liars = [];
    for (let count = 0; count < 230; count += 1) {
      const liar = await connect('10.0.0.5');
      liar.say({ type: 'hello', token: `Bearer ${count}` });
      liars.push(liar);
      // Its hello has arrived when another connection is open.
      if (count === 199) await connect('10.0.0.13');
    }
    // Nobody whose word is being checked makes room for them.
    expect(await Promise.all(liars.slice(200).map(({ closed }) => closed))).toEqual(Array(30).fill(1013));
    expect([asked - before, live.stats().waiting]).toEqual([20, 201]);
    resolve();
    checking = Promise.resolve();
    await operator('10.0.0.6');
    expect(await Promise.all(liars.slice(0, 200).map(({ closed }) => closed))).toEqual(Array(200).fill(4401));
    await operator('10.0.0.5');
  });

  it('of who was sent away meanwhile ask nothing, and the line of them is bounded too', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    checking = promise;
    const before = asked;
    const tooMuch = Array<Buffer>(9).fill(packed(`{"type":"ping"}${' '.repeat(60 * 1024)}`));
    for (let count = 0; count < 220; count += 1) {
      const liar = await connect('10.0.0.12', true);
      (Reflect.get(liar.socket, '_socket') as Socket).write(
        Buffer.concat([packed(JSON.stringify({ type: 'hello', token: `Bearer ${count}` })), ...tooMuch]),
      );
      expect(await liar.closed).toBe(1009);
    }
    const late = await connect('10.0.0.12');
    late.say({ type: 'hello', token: 'Bearer good' });
    expect([await late.closed, asked - before]).toEqual([1013, 20]);
    resolve();
    checking = Promise.resolve();
    await operator('10.0.0.12');
    expect(asked - before).toBe(21);
  });
});

describe('connections that are sent away', () => {
  it('and do not answer are cut: they keep no socket', async () => {
    const sockets = () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      });
    const before = await sockets();
    for (let count = 0; count < 205; count += 1) {
      const { socket } = await connect('10.0.0.9');
      // Reads nothing any more, not even the good-bye.
      socket.pause();
    }
    await expect.poll(sockets, { timeout: 10_000 }).toBe(before + 200);
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

  it('while a topic opens wait with who sends them', async () => {
    const reader = await operator('10.0.0.7');
    const other = await operator('10.0.0.8');
    const { promise, resolve } = Promise.withResolvers<void>();
    opening = promise;
    const before = opened;
    reader.say({ type: 'subscribe', topics: ['home'] });
    await expect.poll(() => opened).toBe(before + 1);
    const megabyte = 1024 * 1024;
    const long = `{"type":"ping"}${' '.repeat(60 * 1024)}`;
    for (let count = 0; count < 400; count += 1) reader.socket.send(long);
    // All that the network between the two takes is there by now.
    for (let turn = 1; turn <= 10; turn += 1) {
      other.say({ type: 'ping' });
      await expect.poll(() => other.heard.length).toBe(turn + 1);
    }
    expect(reader.socket.bufferedAmount).toBeGreaterThan(megabyte);
    resolve();
    opening = Promise.resolve();
    await expect.poll(() => reader.heard.length, { timeout: 10_000 }).toBe(401);
  });

  it('that are little on the way and much when they are unpacked end it', async () => {
    const packer = await operator('10.0.0.7', true);
    const { promise, resolve } = Promise.withResolvers<void>();
    opening = promise;
    (Reflect.get(packer.socket, '_socket') as Socket).write(
      Buffer.concat([
        packed('{"type":"subscribe","topics":["home"]}'),
        ...Array<Buffer>(400).fill(packed(`{"type":"ping"}${' '.repeat(60 * 1024)}`)),
      ]),
    );
    expect(await packer.closed).toBe(1009);
    resolve();
    opening = Promise.resolve();
  });

  it('of subscriptions are read more slowly, and all answered in the end', async () => {
    const reader = await operator('10.0.0.4');
    const before = opened;
    for (let count = 0; count < 12; count += 1) {
      reader.say({ type: 'subscribe', topics: Array(20).fill('home') });
      reader.say({ type: 'unsubscribe', topics: ['home'] });
    }
    reader.say({ type: 'ping' });
    await expect.poll(() => reader.heard.at(-1)).toContain('pong');
    expect(opened - before).toBe(12);
    expect(slowed).toBeGreaterThan(0);
  });
});
