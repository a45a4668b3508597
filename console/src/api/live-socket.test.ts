import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket as Peer, WebSocketServer } from 'ws';
import type { ClientMessage, ServerMessage } from '../../../contract/live.ts';
import { storeToken, storeWorkId } from '../session/index.ts';
import { connectLive, topicOf, type LiveConnection } from './live-socket.ts';

let server: WebSocketServer;
let url: string;
let live: LiveConnection | undefined;
const signedOut = vi.fn();

beforeEach(async () => {
  vi.clearAllMocks();
  // Node's own WebSocket does not accept jsdom's events.
  vi.stubGlobal('WebSocket', Peer);
  storeToken('Bearer secret');
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/live`;
});
afterEach(async () => {
  live?.stop();
  live = undefined;
  for (const peer of server.clients) peer.terminate();
  await new Promise((done) => {
    server.close(done);
  });
  vi.unstubAllGlobals();
});

interface Visitor {
  peer: Peer;
  address: string;
  next(): Promise<ClientMessage>;
  say(message: ServerMessage): void;
}

/** The server's clock goes an hour ahead of the browser's. */
const serverNow = (): number => Date.now() + 3_600_000;
let pong = (peer: Peer): void => peer.send(JSON.stringify({ type: 'pong', at: new Date(serverNow()).toISOString() }));

/** What a browser says; pings are answered. */
async function visitor(): Promise<Visitor> {
  const [peer, request] = (await once(server, 'connection')) as [Peer, { url: string }];
  const queue: ClientMessage[] = [];
  let wake: () => void = () => undefined;
  peer.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ClientMessage;
    if (message.type === 'ping') return pong(peer);
    queue.push(message);
    wake();
  });
  return {
    peer,
    address: request.url,
    async next() {
      while (queue.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return queue.shift() as ClientMessage;
    },
    say: (message) => peer.send(JSON.stringify(message)),
  };
}
const welcome = (): ServerMessage => ({ type: 'welcome', at: new Date(serverNow()).toISOString() });
const since = (message: ClientMessage): number =>
  message.type === 'subscribe' && message.since !== undefined ? Date.parse(message.since) : Number.NaN;

test('says hello with the token in the first message, never in the address, then subscribes', async () => {
  storeWorkId(7);
  const coming = visitor();
  live = connectLive({ url, signedOut });
  live.subscribe('lamps', () => undefined);
  const one = await coming;
  expect(one.address).not.toContain('secret');
  expect(await one.next()).toEqual({ type: 'hello', token: 'Bearer secret', workAreaId: 7, language: 'zh-CN' });
  expect(live.state().state).toBe('connecting');
  one.say(welcome());
  const asked = await one.next();
  expect(asked).toMatchObject({ type: 'subscribe', topics: ['lamps'] });
  // What is shown may have been kept for a while before somebody listened.
  expect(serverNow() - since(asked)).toBeGreaterThan(20_000);
  expect(serverNow() - since(asked)).toBeLessThan(120_000);
  expect(live.state().state).toBe('live');
});

test('hands a message to the topic it belongs to, and unsubscribes when nobody listens', async () => {
  const coming = visitor();
  live = connectLive({ url, signedOut });
  const one = await coming;
  await one.next();
  one.say(welcome());
  const heard = new Promise<ServerMessage>((resolve) => {
    live?.subscribe('command:17', resolve);
  });
  const other = vi.fn();
  const stop = live.subscribe('device:5', other);
  one.say({ type: 'command', id: 17, states: { sent: 1 }, finished: false, changed: [] });
  expect(await heard).toMatchObject({ id: 17 });
  expect(other).not.toHaveBeenCalled();
  const said = [await one.next()];
  while (!said.some((message) => message.type === 'subscribe' && message.topics.includes('device:5')))
    said.push(await one.next());
  stop();
  expect(await one.next()).toEqual({ type: 'unsubscribe', topics: ['device:5'] });
});

test('after a loss every topic asks for what it missed, since the server’s own word for the last it was told', async () => {
  const first = visitor();
  live = connectLive({ url, signedOut });
  const one = await first;
  await one.next();
  one.say(welcome());
  const home = vi.fn();
  live.subscribe('home', home);
  const heard = new Promise<void>((resolve) => {
    live?.subscribe('devices:wifi', () => resolve(), true);
  });
  const at = new Date(serverNow() + 60_000).toISOString();
  live.catchUp('devices:wifi', new Date(serverNow()).toISOString());
  while (((await one.next()) as { topics?: string[] }).topics?.includes('devices:wifi') !== true);
  one.say({ type: 'pong', at: new Date(serverNow()).toISOString() });
  one.say({ type: 'devices', topic: 'devices:wifi', at, devices: [] });
  await heard;
  const second = visitor();
  one.peer.terminate();
  const two = await second;
  await two.next();
  two.say(welcome());
  const again = [await two.next()];
  while (again.flatMap((message) => (message.type === 'subscribe' ? message.topics : [])).length < 2)
    again.push(await two.next());
  expect(again).toEqual([{ type: 'subscribe', topics: ['home', 'devices:wifi'], since: at }]);
  expect(home).not.toHaveBeenCalled();
  const told = new Promise<ServerMessage>((resolve) => {
    home.mockImplementation(resolve);
  });
  two.say({ type: 'stale', topic: 'home' });
  expect(await told).toEqual({ type: 'stale', topic: 'home' });
});

test('what a page shows says of when it is, also when it is newer; nothing is asked before it is there', async () => {
  const coming = visitor();
  live = connectLive({ url, signedOut });
  live.subscribe('lamps', () => undefined, true);
  const one = await coming;
  await one.next();
  one.say(welcome());
  expect(await one.next()).toEqual({ type: 'subscribe', topics: ['lamps'] });
  for (const at of ['2026-11-20T00:00:00.000Z', '2026-11-20T00:05:00.000Z']) {
    live.catchUp('lamps', at);
    const answered = new Promise<void>((resolve) => {
      const { peer } = one;
      const before = pong;
      pong = (asked) => {
        if (asked === peer) {
          pong = before;
          before(peer);
          resolve();
        }
      };
    });
    expect(await one.next()).toEqual({ type: 'subscribe', topics: ['lamps'], since: at });
    await answered;
    // The answer to the ping behind it is on its way before this.
    const known = new Promise<void>((resolve) => {
      const stop = live?.subscribe('menus', () => {
        stop?.();
        resolve();
      });
    });
    await one.next();
    one.say({ type: 'menus' });
    await known;
    await one.next();
  }
});

test('one that is told to fetch again and again does so now and then', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const coming = visitor();
  live = connectLive({ url, signedOut });
  const lamps = vi.fn();
  live.subscribe('lamps', lamps, true);
  const one = await coming;
  await one.next();
  one.say(welcome());
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = live?.subscribe('menus', () => {
        stop?.();
        resolve();
      });
      one.say({ type: 'menus' });
    });
  for (let times = 0; times < 5; times += 1) one.say({ type: 'stale', topic: 'lamps' });
  await end();
  expect(lamps).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

test('the end of the session is told once, and nothing connects again', async () => {
  const coming = visitor();
  const told = new Promise<void>((resolve) => {
    signedOut.mockImplementation(resolve);
  });
  live = connectLive({ url, signedOut });
  const one = await coming;
  await one.next();
  one.peer.close(4401);
  await told;
  expect(signedOut).toHaveBeenCalledTimes(1);
  expect(server.clients.size).toBeLessThanOrEqual(1);
});

test('another work area connects anew with it', async () => {
  const first = visitor();
  live = connectLive({ url, signedOut });
  const one = await first;
  await one.next();
  one.say(welcome());
  const second = visitor();
  storeWorkId(9);
  live.restart();
  const two = await second;
  expect(await two.next()).toMatchObject({ type: 'hello', workAreaId: 9 });
});

test.each<[ServerMessage, string | undefined]>([
  [{ type: 'lamps', at: '', lamps: [] }, 'lamps'],
  [{ type: 'device', id: 3 }, 'device:3'],
  [{ type: 'stale', topic: 'lamps' }, 'lamps'],
  [{ type: 'pong' }, undefined],
  [{ type: 'devices', topic: 'devices:wifi@3', at: '', devices: [] }, 'devices:wifi@3'],
  [{ type: 'register', topic: 'devices' }, 'devices'],
])('%o belongs to %s', (message, topic) => {
  expect(topicOf(message)).toBe(topic);
});
