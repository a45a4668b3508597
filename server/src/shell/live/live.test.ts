import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { livePath, type ClientMessage, type ServerMessage } from '../../../../contract/live.ts';
import { createLive, type Live, type Send } from '../../platform/live/index.ts';
import { createLog } from '../../platform/log.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { hints } from '../../testing/hints.ts';
import { liveReaders } from '../../testing/live-readers.ts';
import { createLiveTopics } from './index.ts';

const clock = testClock();
const app = await testApp({ clock });
const { db, bus, sessions } = app;
const log = createLog('silent');
let live: Live;
let url = '';
let stopTopics: () => void;
const lampIds: number[] = [];

beforeAll(async () => {
  await givenArea(db);
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
    db,
  );
  lampIds.push(await givenDevice(db), await givenDevice(db, { workAreaId: 2, roadId: null }));
  for (const id of lampIds) {
    await sql`INSERT INTO device_state (device_id, state, online, lit, level, since, judged_at)
      VALUES (${id}, 'dimmed', true, true, 60, now(), now())`.execute(db);
  }
  const topics = createLiveTopics({ db, bus, clock, log, hints });
  stopTopics = topics.start();
  live = createLive({
    topics: topics.topics,
    authenticate: (token) => sessions.authenticate(token, { background: true }),
    callers: (ids) => sessions.callers(ids),
    allowedOrigins: ['https://other.example'],
    clock,
    bus,
    log,
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  live.attach(app.app.server);
  const address = app.app.server.address();
  url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${livePath}`;
});
afterAll(async () => {
  stopTopics();
  await live.stop();
});
const open: WebSocket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));

const { connect, signedIn, watching } = liveReaders(() => url, open);

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
    for (const origin of [url.replace('ws:', 'http:').replace(livePath, ''), 'https://other.example']) {
      const reader = await connect(origin);
      reader.say({ type: 'hello', token: app.adminToken, workAreaId: null });
      expect(await reader.take()).toMatchObject({ type: 'welcome' });
    }
  });

  it.each([
    ['to an address that is none', '//', '', undefined],
    ['with a broken frame after a refusal', livePath, 'Origin: https://evil.example\r\n', Buffer.alloc(12, 0xff)],
  ])('%s harms nobody else', async (_what, path, headers, frame) => {
    const socket = connectTcp(Number(new URL(url).port), '127.0.0.1');
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

describe('devices', () => {
  const [pole, camera] = [{ id: 0 }, { id: 0 }];
  const say = async (id: number, values: object, receivedAt = clock.now()) => {
    await sql`INSERT INTO device_latest (device_id, at, received_at, values)
      VALUES (${id}, ${receivedAt}, ${receivedAt}, ${JSON.stringify(values)}::jsonb)
      ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at,
        values = device_latest.values || excluded.values`.execute(db);
    bus.publish('devices.changed', { ids: [id] });
  };
  const turn = async (id: number, state: string, online: boolean) => {
    await sql`INSERT INTO device_state (device_id, state, online, since, judged_at)
      VALUES (${id}, ${state}, ${online}, now(), now()) ON CONFLICT (device_id) DO UPDATE
      SET state = excluded.state, online = excluded.online`.execute(db);
    bus.publish('lamps.judged', { ids: [id] });
  };
  const tick = () => clock.advance(300);
  const took = async (reader: { take(): Promise<ServerMessage> }) => {
    const message = await reader.take();
    return message.type === 'devices' ? message.devices : message;
  };
  beforeAll(async () => {
    camera.id = await givenDevice(db, { family: 'security-camera' });
    pole.id = await givenDevice(db, { family: 'security-camera', workAreaId: 2, roadId: null });
    await turn(camera.id, 'on', true);
    await turn(pole.id, 'on', true);
    await tick();
  });

  it('tells of a family everything once and then only what changed, of the map states alone, and of other families nothing', async () => {
    const { token } = await app.signIn({ username: 'lister', permissions: ['device.query'], workAreas: [1] });
    const [list, map, other, west] = [
      await watching(token, ['devices:security-camera']),
      await watching(token, ['devices']),
      await watching(token, ['devices:wifi']),
      await watching(app.adminToken, ['devices:security-camera@2']),
    ];
    const at = clock.now().toISOString();
    await say(camera.id, { temperature: 20, online: true });
    await say(pole.id, { temperature: 5 });
    await tick();
    expect(await took(list)).toEqual([
      {
        id: camera.id,
        family: 'security-camera',
        state: 'on',
        online: true,
        fault: null,
        at,
        receivedAt: at,
        values: { temperature: 20, online: true },
      },
    ]);
    expect(await took(west)).toMatchObject([{ id: pole.id, values: { temperature: 5 } }]);
    expect(await took(map)).toEqual([
      { id: camera.id, family: 'security-camera', state: 'on', online: true, fault: null },
    ]);
    await say(camera.id, { temperature: 21 });
    await tick();
    expect(await took(list)).toMatchObject([{ id: camera.id, values: { temperature: 21 } }]);
    await turn(camera.id, 'offline', false);
    await tick();
    expect(await took(list)).toEqual([{ id: camera.id, family: 'security-camera', state: 'offline', online: false }]);
    expect(await took(map), 'a new value is nothing to a map').toEqual([
      { id: camera.id, family: 'security-camera', state: 'offline', online: false },
    ]);
    bus.publish('lamps.judged', { ids: [camera.id] });
    await tick();
    list.say({ type: 'ping' });
    expect(await list.take(), 'judged, and nothing changed').toMatchObject({ type: 'pong' });
    expect(other.kept).toEqual([]);
    bus.publish('register.changed', {});
    await clock.advance(2000);
    expect(await list.take()).toEqual({ type: 'register', topic: 'devices:security-camera' });
  });

  it('need the permission, the area and a family that there is', async () => {
    const [nobody, east] = [
      await app.signIn({ username: 'nobody2', workAreas: [1] }),
      await app.signIn({ username: 'east4', permissions: ['device.query'], workAreas: [1] }),
    ];
    expect((await watching(nobody.token, ['devices'])).answers).toEqual([
      { type: 'refused', topic: 'devices', reason: 'missingPermission' },
    ]);
    expect(
      (await watching(east.token, ['devices@2', 'devices:spaceship', `device:${pole.id}`, `device:${camera.id}`]))
        .answers,
    ).toEqual([
      { type: 'refused', topic: 'devices@2', reason: 'foreignWorkArea' },
      { type: 'refused', topic: 'devices:spaceship', reason: 'notFound' },
      { type: 'refused', topic: `device:${pole.id}`, reason: 'foreignWorkArea' },
    ]);
    expect(
      (await watching(app.adminToken, ['devices@2', 'devices@1'], 1)).answers,
      'all areas, and one of them in force',
    ).toEqual([{ type: 'refused', topic: 'devices@2', reason: 'foreignWorkArea' }]);
  });

  it('one who was cut off hears what it missed, and all of it; after too long it fetches again', async () => {
    // A little more than what was missed is told: clocks of processes differ.
    await clock.advance(10_000);
    const reader = await watching(app.adminToken, ['devices:security-camera', 'lamps']);
    await say(camera.id, { temperature: 30 });
    await tick();
    const { at: heard } = (await reader.take()) as { at: string };
    await clock.advance(10_000);
    open.at(-1)?.terminate();
    expect(await reader.closed).toBe(1006);
    await say(camera.id, { temperature: 31 });
    await turn(lampIds[0] ?? 0, 'off', true);
    await tick();
    const back = await signedIn(app.adminToken);
    back.say({ type: 'subscribe', topics: ['devices:security-camera', 'lamps'], since: heard });
    expect(await took(back)).toMatchObject([{ id: camera.id, values: { temperature: 31 } }]);
    expect(await back.take()).toMatchObject({ type: 'lamps', lamps: [[lampIds[0], 2, 60, null, true, null, null]] });
    await clock.advance(120_000);
    await say(camera.id, { temperature: 32 });
    await tick();
    const late = await signedIn(app.adminToken);
    late.say({ type: 'subscribe', topics: ['devices:security-camera', 'lamps'], since: heard });
    expect([await late.take(), await late.take()]).toEqual([
      { type: 'stale', topic: 'devices:security-camera' },
      { type: 'stale', topic: 'lamps' },
    ]);
  });

  it('one who was cut off hears that something was registered meanwhile, and not what was before', async () => {
    const heard = clock.now().toISOString();
    await clock.advance(10_000);
    bus.publish('register.changed', {});
    await clock.advance(2000);
    const back = await signedIn(app.adminToken);
    back.say({ type: 'subscribe', topics: ['devices:security-camera'], since: heard });
    expect(await back.take()).toEqual({ type: 'register', topic: 'devices:security-camera' });
    await clock.advance(10_000);
    const later = await signedIn(app.adminToken);
    later.say({ type: 'subscribe', topics: ['devices:security-camera'], since: clock.now().toISOString() });
    later.say({ type: 'ping' });
    expect(await later.take()).toMatchObject({ type: 'pong' });
  });

  it('what could not be read when it was to be told is told with the next turn', async () => {
    await clock.advance(10_000);
    const { token } = await app.signIn({
      username: 'unlucky',
      permissions: ['device.query', 'lamp.monitor'],
      workAreas: [1],
    });
    const reader = await watching(token, ['devices:security-camera', 'lamps']);
    await say(camera.id, { temperature: 40 });
    await tick();
    expect(await took(reader)).toMatchObject([{ id: camera.id, values: { temperature: 40 } }]);
    await say(camera.id, { temperature: 41 });
    await turn(lampIds[0] ?? 0, 'on', true);
    // Whom it is told is asked after what is told was read.
    await sql`ALTER TABLE device_account RENAME TO device_account_away`.execute(db);
    await tick();
    await sql`ALTER TABLE device_account_away RENAME TO device_account`.execute(db);
    await tick();
    const messages = [await reader.take(), await reader.take()];
    expect(messages).toContainEqual(
      expect.objectContaining({
        type: 'devices',
        devices: [expect.objectContaining({ id: camera.id, values: expect.objectContaining({ temperature: 41 }) })],
      }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'lamps', lamps: [expect.arrayContaining([lampIds[0]])] }),
    );
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
