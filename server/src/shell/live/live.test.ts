import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { livePath, type ClientMessage, type ServerMessage } from '../../../../contract/live.ts';
import { createLive, type Send } from '../../platform/live/index.ts';
import { liveSite } from './testing/live-site.ts';

const site = await liveSite();
const { clock, app, db, bus, sessions, log, lampIds, connect, signedIn, watching } = site;

it('everybody hears of his own tasks only', async () => {
  const own = await app.signIn({ username: 'tasker' });
  const reader = await watching(own.token, ['tasks']);
  bus.publish('tasks.changed', { accountId: 1, taskId: 6 });
  bus.publish('tasks.changed', { accountId: own.accountId, taskId: 7 });
  expect(await reader.take()).toEqual({ type: 'task', id: 7 });
});

describe('a preview', () => {
  it('watches what its account may, and closes with the session it was begun out of', async () => {
    const own = await sessions.begin({ accountId: 1, remember: true, address: '127.0.0.1', userAgent: undefined });
    const sessionId = (await sessions.authenticate(own, { background: true }))?.sessionId ?? 0;
    const { accountId } = await app.signIn({ username: 'watched', permissions: ['lamp.monitor'], workAreas: [1] });
    const token = await sessions.begin({
      accountId,
      remember: false,
      address: '127.0.0.1',
      userAgent: undefined,
      preview: { by: 1, sessionId },
    });
    const reader = await watching(token, ['lamps', `device:${lampIds[1]}`]);
    expect(reader.answers).toEqual([{ type: 'refused', topic: `device:${lampIds[1]}`, reason: 'foreignWorkArea' }]);
    (await db.transaction().execute((tx) => sessions.end(tx, sessionId)))();
    expect(await reader.take()).toEqual({ type: 'session', event: 'ended' });
    expect(await reader.closed).toBe(4401);
  });
});

describe('saying hello', () => {
  it('with a good token is welcomed; a wrong one, none in time, or something else first is closed', async () => {
    await signedIn(app.adminToken);
    const wrong = await connect();
    wrong.say({ type: 'hello', token: 'Bearer no', workAreaId: null });
    expect(await wrong.closed).toBe(4401);
    const impatient = await connect();
    impatient.say({ type: 'subscribe', topics: ['lamps'] });
    expect(await impatient.closed).toBe(4401);
    const garbage = await connect();
    garbage.raw('{"type":"hello","token":1}');
    expect(await garbage.closed).toBe(1008);
    const silent = await connect();
    await clock.advance(5000);
    expect(await silent.closed).toBe(4401);
  });

  it('from a foreign page is refused, from our own or a named one not', async () => {
    expect(await (await connect('https://evil.example')).closed).toBe(4403);
    for (const origin of [site.url.replace('ws:', 'http:').replace(livePath, ''), 'https://other.example']) {
      const reader = await connect(origin);
      reader.say({ type: 'hello', token: app.adminToken, workAreaId: null });
      expect(await reader.take()).toMatchObject({ type: 'welcome' });
    }
  });

  it.each([
    ['to an address that is none', '//', '', undefined],
    ['with a broken frame after a refusal', livePath, 'Origin: https://evil.example\r\n', Buffer.alloc(12, 0xff)],
  ])('%s harms nobody else', async (_what, path, headers, frame) => {
    const socket = connectTcp(Number(new URL(site.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (frame) socket.write(frame);
    });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`,
    );
    await once(socket, 'close');
    await signedIn(app.adminToken);
  });

  it('for a foreign work area is refused', async () => {
    const { token } = await app.signIn({ username: 'east', permissions: ['lamp.monitor'], workAreas: [1] });
    const reader = await connect();
    reader.say({ type: 'hello', token, workAreaId: 2 });
    expect(await reader.closed).toBe(4404);
  });
});

describe('watching', () => {
  it('tells only what changed, only to those who may see it', async () => {
    const { token } = await app.signIn({ username: 'watcher', permissions: ['lamp.monitor'], workAreas: [1] });
    const [all, mine, working] = [
      await watching(app.adminToken, ['lamps']),
      await watching(token, ['lamps']),
      await watching(app.adminToken, ['lamps'], 2),
    ];
    bus.publish('lamps.judged', { ids: lampIds });
    await clock.advance(300);
    const [first = 0, second = 0] = lampIds;
    const delta = (id: number) => [id, 1, 60, null, true, null, null];
    expect(await all.take()).toMatchObject({ type: 'lamps', lamps: [delta(first), delta(second)] });
    expect(await mine.take()).toMatchObject({ type: 'lamps', lamps: [delta(first)] });
    expect(await working.take()).toMatchObject({ type: 'lamps', lamps: [delta(second)] });
  });

  it('needs the permission and the work area', async () => {
    const [first = 0, second = 0] = lampIds;
    const nobody = await app.signIn({ username: 'nobody', workAreas: [1] });
    expect((await watching(nobody.token, ['lamps', `device:${first}`, 'home'])).answers).toEqual([
      { type: 'refused', topic: 'lamps', reason: 'missingPermission' },
      { type: 'refused', topic: `device:${first}`, reason: 'missingPermission' },
    ]);
    const east = await app.signIn({ username: 'east2', permissions: ['lamp.monitor'], workAreas: [1] });
    expect(
      (await watching(east.token, [`device:${second}`, `device:${first}`, 'device:999999', 'command:999999'])).answers,
    ).toEqual([
      { type: 'refused', topic: `device:${second}`, reason: 'foreignWorkArea' },
      { type: 'refused', topic: 'device:999999', reason: 'notFound' },
      { type: 'refused', topic: 'command:999999', reason: 'notFound' },
    ]);
  });

  it('a command tells its counts and what changed', async () => {
    const [lamp = 0] = lampIds;
    const { id } = await db
      .insertInto('command')
      .values({ command: 'on', actor_name: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('command_item')
      .values({ command_id: id, device_id: lamp, state: 'sent', expires_at: new Date() })
      .execute();
    const reader = await watching(app.adminToken, [`command:${id}`]);
    bus.publish('commands.changed', { commandId: id, deviceIds: [lamp] });
    await clock.advance(300);
    expect(await reader.take()).toEqual({
      type: 'command',
      id,
      states: { sent: 1 },
      finished: false,
      changed: [{ deviceId: lamp, state: 'sent' }],
    });
  });

  it('hints at home and menus', async () => {
    const reader = await watching(app.adminToken, ['home']);
    bus.publish('lamps.judged', { ids: lampIds });
    await clock.advance(2100);
    expect(await reader.take()).toEqual({ type: 'home' });
  });

  it('tells of newcomers at most once in two seconds, however many come', async () => {
    await clock.advance(2000);
    const reader = await watching(app.adminToken, ['inbox']);
    for (let quarter = 0; quarter < 8; quarter += 1) {
      bus.publish('newcomers.changed', {});
      await clock.advance(250);
    }
    expect(await reader.take()).toEqual({ type: 'inbox' });
    reader.say({ type: 'ping' });
    expect(await reader.take()).toMatchObject({ type: 'pong' });
  });

  it('tells lists of commands that something changed, and only who may see them', async () => {
    await clock.advance(2000);
    const stranger = await app.signIn({ username: 'stranger', permissions: ['device.query'] });
    expect((await watching(stranger.token, ['commands'])).answers).toEqual([
      { type: 'refused', topic: 'commands', reason: 'missingPermission' },
    ]);
    const approver = await app.signIn({ username: 'approver', permissions: ['lamp.approve'] });
    const reader = await watching(approver.token, ['commands']);
    bus.publish('commands.changed', { commandId: 1, deviceIds: [] });
    bus.publish('commands.changed', { commandId: 2, deviceIds: [...lampIds] });
    await clock.advance(2000);
    expect(await reader.take()).toEqual({ type: 'commands' });
    reader.say({ type: 'ping' });
    expect(await reader.take()).toMatchObject({ type: 'pong' });
  });

  it('is told to fetch again what may have been missed while the line between the processes was broken: once, however many of them say so', async () => {
    const reader = await watching(app.adminToken, ['tasks', 'session']);
    for (let processes = 0; processes < 3; processes += 1) bus.publish('bus.resumed', {});
    await clock.advance(1000);
    expect([await reader.take(), await reader.take()]).toEqual([
      { type: 'stale', topic: 'tasks' },
      { type: 'stale', topic: 'session' },
    ]);
    reader.say({ type: 'ping' });
    expect(await reader.take()).toMatchObject({ type: 'pong' });
  });

  it('stops when asked', async () => {
    const reader = await watching(app.adminToken, ['lamps', 'home']);
    reader.say({ type: 'unsubscribe', topics: ['lamps'] });
    reader.say({ type: 'ping' });
    expect(await reader.take()).toMatchObject({ type: 'pong' });
    bus.publish('lamps.judged', { ids: lampIds });
    await clock.advance(2100);
    expect(await reader.take()).toEqual({ type: 'home' });
  });
});

describe('the end of a session', () => {
  it('closes its sockets at once, and only those', async () => {
    const { accountId, token } = await app.signIn({
      username: 'leaver',
      permissions: ['lamp.monitor'],
      workAreas: [1],
    });
    const [leaver, stayer] = [await signedIn(token), await signedIn(app.adminToken)];
    const ended = await db.transaction().execute((tx) => sessions.endAll(tx, accountId));
    ended();
    expect(await leaver.take()).toEqual({ type: 'session', event: 'ended' });
    expect(await leaver.closed).toBe(4401);
    stayer.say({ type: 'ping' });
    expect(await stayer.take()).toMatchObject({ type: 'pong' });
  });

  it('is noticed within a second where nobody tells', async () => {
    const { accountId, token } = await app.signIn({ username: 'quiet', permissions: ['lamp.monitor'], workAreas: [1] });
    const reader = await signedIn(token);
    await db.deleteFrom('session').where('account_id', '=', accountId).execute();
    await clock.advance(1000);
    expect(await reader.closed).toBe(4401);
  });

  it('leaves the socket alone when only the token was renewed', async () => {
    const { accountId, token } = await app.signIn({
      username: 'renewer',
      permissions: ['lamp.monitor'],
      workAreas: [1],
    });
    const reader = await signedIn(token);
    const { id } = await db
      .selectFrom('session')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    await sessions.rotate({ sessionId: id, token, remember: true });
    await clock.advance(120_000);
    reader.say({ type: 'ping' });
    expect(await reader.take()).toMatchObject({ type: 'pong' });
  });

  it('or of a right ends what it no longer allows', async () => {
    const { accountId, token } = await app.signIn({
      username: 'demoted',
      permissions: ['lamp.monitor'],
      workAreas: [1],
    });
    const reader = await watching(token, ['lamps']);
    await db.deleteFrom('account_role').where('account_id', '=', accountId).execute();
    await clock.advance(1000);
    expect(await reader.take()).toEqual({ type: 'menus' });
    expect(await reader.take()).toEqual({ type: 'refused', topic: 'lamps', reason: 'missingPermission' });
  });
});

it('a reader that cannot take what it is told is told to fetch again once it can, although nothing more happens', async () => {
  let tell: Send = () => undefined;
  const own = createLive({
    topics: [
      {
        name: /^home$/,
        open: ({ send }) => {
          tell = send;
          return Promise.resolve(() => undefined);
        },
      },
    ],
    authenticate: (token) => sessions.authenticate(token, { background: true }),
    callers: (ids) => sessions.callers(ids),
    allowedOrigins: [],
    clock,
    bus,
    log,
  });
  const server = createServer();
  own.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}${livePath}`);
  const { promise: told, resolve } = Promise.withResolvers<ServerMessage>();
  await once(socket, 'open');
  const opened = new Promise<void>((done) =>
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.type === 'pong') done();
      else if (message.type === 'stale') resolve(message);
    }),
  );
  for (const message of [
    { type: 'hello', token: app.adminToken, workAreaId: null },
    { type: 'subscribe', topics: ['home'] },
    { type: 'ping' },
  ] satisfies ClientMessage[])
    socket.send(JSON.stringify(message));
  await opened;
  socket.pause();
  // What cannot be packed smaller, until nothing more goes in.
  for (let pieces = 0; own.stats().dropped === 0 && pieces < 2000; pieces += 1) {
    tell({ type: 'refused', topic: 'home', reason: randomBytes(48 * 1024).toString('base64') });
    await new Promise((done) => setImmediate(done));
  }
  expect(own.stats().dropped).toBe(1);
  socket.resume();
  expect(await told).toEqual({ type: 'stale', topic: 'home' });
  socket.terminate();
  await own.stop();
  server.close();
});
