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
  await new Promise((done) => { server.close(done); });
  vi.unstubAllGlobals();
});

interface Visitor {
  peer: Peer;
  address: string;
  next(): Promise<ClientMessage>;
  say(message: ServerMessage): void;
}

async function visitor(): Promise<Visitor> {
  const [peer, request] = (await once(server, 'connection')) as [Peer, { url: string }];
  const queue: ClientMessage[] = [];
  let wake: () => void = () => undefined;
  peer.on('message', (data: Buffer) => {
    queue.push(JSON.parse(data.toString()) as ClientMessage);
    wake();
  });
  return {
    peer, address: request.url,
    async next() {
      while (queue.length === 0) await new Promise<void>((resolve) => { wake = resolve; });
      return queue.shift() as ClientMessage;
    },
    say: (message) => peer.send(JSON.stringify(message)),
  };
}
const welcome: ServerMessage = { type: 'welcome', at: '2026-11-20T00:00:00Z' };

test('says hello with the token in the first message, never in the address, then subscribes', async () => {
  storeWorkId(7);
  const coming = visitor();
  live = connectLive({ url, signedOut });
  live.subscribe('lamps', () => undefined);
  const one = await coming;
  expect(one.address).not.toContain('secret');
  expect(await one.next()).toEqual({ type: 'hello', token: 'Bearer secret', workAreaId: 7, language: 'zh-CN' });
  expect(live.state().state).toBe('connecting');
  one.say(welcome);
  expect(await one.next()).toEqual({ type: 'subscribe', topics: ['lamps'] });
  expect(live.state().state).toBe('live');
});

test('hands a message to the topic it belongs to, and unsubscribes when nobody listens', async () => {
  const coming = visitor();
  live = connectLive({ url, signedOut });
  const one = await coming;
  await one.next();
  one.say(welcome);
  const heard = new Promise<ServerMessage>((resolve) => { live?.subscribe('command:17', resolve); });
  const other = vi.fn();
  const stop = live.subscribe('device:5', other);
  one.say({ type: 'command', id: 17, states: { sent: 1 }, finished: false, changed: [] });
  expect(await heard).toMatchObject({ id: 17 });
  expect(other).not.toHaveBeenCalled();
  const said = [await one.next()];
  while (!said.some((message) => message.type === 'subscribe' && message.topics.includes('device:5'))) said.push(await one.next());
  stop();
  expect(await one.next()).toEqual({ type: 'unsubscribe', topics: ['device:5'] });
});

test('connects again after a loss and tells every topic to catch up', async () => {
  const first = visitor();
  live = connectLive({ url, signedOut });
  const one = await first;
  await one.next();
  one.say(welcome);
  const stale = new Promise<ServerMessage>((resolve) => { live?.subscribe('home', resolve); });
  const second = visitor();
  one.peer.terminate();
  const two = await second;
  await two.next();
  two.say(welcome);
  expect(await stale).toEqual({ type: 'stale', topic: 'home' });
});

test('after a loss it says since when it was away: topics that tell what changed are told what it missed, the others to catch up', async () => {
  const first = visitor();
  live = connectLive({ url, signedOut });
  const one = await first;
  await one.next();
  one.say({ type: 'welcome', at: new Date(Date.now() + 3_600_000).toISOString() });
  const lists = vi.fn();
  live.subscribe('devices:wifi', lists);
  const homeStale = new Promise<ServerMessage>((resolve) => { live?.subscribe('home', resolve); });
  const heard = new Promise<void>((resolve) => { live?.subscribe('menus', () => resolve()); });
  one.say({ type: 'menus' });
  await heard;
  const second = visitor();
  one.peer.terminate();
  const two = await second;
  await two.next();
  two.say({ type: 'welcome', at: new Date(Date.now() + 3_600_000).toISOString() });
  const again = await two.next() as Extract<ClientMessage, { type: 'subscribe' }>;
  expect(again.topics).toEqual(['devices:wifi']);
  // On the server's clock, which goes an hour ahead.
  expect(Math.abs(Date.parse(again.since ?? '') - Date.now() - 3_600_000)).toBeLessThan(60_000);
  expect(await two.next()).toEqual({ type: 'subscribe', topics: ['home', 'menus'] });
  expect(await homeStale).toEqual({ type: 'stale', topic: 'home' });
  expect(lists).not.toHaveBeenCalled();
  const told = new Promise<void>((resolve) => { lists.mockImplementation(() => resolve()); });
  two.say({ type: 'devices', topic: 'devices:wifi', at: '2026-11-20T00:00:00Z', devices: [] });
  await told;
});

test('the end of the session is told once, and nothing connects again', async () => {
  const coming = visitor();
  const told = new Promise<void>((resolve) => { signedOut.mockImplementation(resolve); });
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
  one.say(welcome);
  const second = visitor();
  storeWorkId(9);
  live.restart();
  const two = await second;
  expect(await two.next()).toMatchObject({ type: 'hello', workAreaId: 9 });
});

test.each<[ServerMessage, string | undefined]>([
  [{ type: 'lamps', at: '', lamps: [] }, 'lamps'], [{ type: 'device', id: 3 }, 'device:3'], [{ type: 'stale', topic: 'lamps' }, 'lamps'], [{ type: 'pong' }, undefined], [{ type: 'devices', topic: 'devices:wifi@3', at: '', devices: [] }, 'devices:wifi@3'], [{ type: 'register', topic: 'devices' }, 'devices'],
])('%o belongs to %s', (message, topic) => {
  expect(topicOf(message)).toBe(topic);
});
