import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { livePath, type ServerMessage } from '../../../../contract/live.ts';
import { createLive, type Live } from '../../platform/live/index.ts';
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
const open: WebSocket[] = [];
let live: Live;
let url = '';
let stopTopics: () => void;
const { signedIn } = liveReaders(() => url, open);

beforeAll(async () => {
  await givenArea(db);
  const topics = createLiveTopics({ db, bus, clock, log, hints });
  stopTopics = topics.start();
  live = createLive({
    topics: topics.topics,
    authenticate: (token) => sessions.authenticate(token, { background: true }),
    callers: (ids) => sessions.callers(ids),
    allowedOrigins: [],
    clock,
    bus,
    log,
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  live.attach(app.app.server);
  const address = app.app.server.address();
  url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${livePath}`;
});
afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
afterAll(async () => {
  stopTopics();
  await live.stop();
});

type Reader = Awaited<ReturnType<typeof signedIn>>;
/** What a reader is told until its ping is answered. */
async function answers(reader: Reader): Promise<ServerMessage[]> {
  reader.say({ type: 'ping' });
  const told: ServerMessage[] = [];
  for (let message = await reader.take(); message.type !== 'pong'; message = await reader.take()) told.push(message);
  return told;
}
const subscribed = (reader: Reader, topics: string[], since: string) => {
  reader.say({ type: 'subscribe', topics, since });
  return answers(reader);
};
const now = () => clock.now().toISOString();
async function turn(id: number, level: number): Promise<void> {
  await sql`INSERT INTO device_state (device_id, state, online, level, since, judged_at)
    VALUES (${id}, 'on', true, ${level}, now(), now()) ON CONFLICT (device_id) DO UPDATE
    SET level = excluded.level`.execute(db);
  await sql`INSERT INTO device_latest (device_id, at, received_at, values)
    VALUES (${id}, ${clock.now()}, ${clock.now()}, ${JSON.stringify({ level })}::jsonb) ON CONFLICT (device_id)
    DO UPDATE SET at = excluded.at, received_at = excluded.received_at, values = excluded.values`.execute(db);
  bus.publish('lamps.judged', { ids: [id] });
  bus.publish('devices.changed', { ids: [id] });
}
const lamps = ['lamps', 'devices:single-lamp-controller'];
const levelsIn = (messages: readonly ServerMessage[]) =>
  messages.map((message) =>
    message.type === 'lamps'
      ? message.lamps.map(([id, , level]) => [id, level])
      : message.type === 'devices'
        ? message.devices.map(({ id, values }) => [id, values?.['level']])
        : message,
  );

it('what changed between an answer and the subscription is told: once, and to those who watch already too', async () => {
  const lamp = await givenDevice(db);
  await turn(lamp, 10);
  await clock.advance(10_000);
  const reader = await signedIn(app.adminToken);
  const fetched = now();
  await clock.advance(100);
  await turn(lamp, 20);
  await clock.advance(300);
  expect(levelsIn(await subscribed(reader, lamps, fetched))).toEqual([[[lamp, 20]], [[lamp, 20]]]);
  // A new answer was read, and something changed before it arrived.
  await clock.advance(10_000);
  const again = now();
  await turn(lamp, 30);
  await clock.advance(300);
  expect(levelsIn([await reader.take(), await reader.take()])).toEqual([[[lamp, 30]], [[lamp, 30]]]);
  expect(levelsIn(await subscribed(reader, lamps, again))).toEqual([[[lamp, 30]], [[lamp, 30]]]);
  await clock.advance(10_000);
  await turn(lamp, 40);
  await clock.advance(300);
  expect(levelsIn([await reader.take(), await reader.take()])).toEqual([[[lamp, 40]], [[lamp, 40]]]);
  expect(await answers(reader)).toEqual([]);
  expect(await subscribed(reader, lamps, new Date(clock.now().getTime() + 5000).toISOString())).toEqual([]);
});

it('what is only hinted at says fetch again, when something happened since it was fetched, and else nothing', async () => {
  const lamp = await givenDevice(db);
  const { id: command } = await db
    .insertInto('command')
    .values({ command: 'on', actor_name: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('command_item')
    .values({ command_id: command, device_id: lamp, state: 'sent', expires_at: new Date() })
    .execute();
  const hints: [topic: string, happens: () => void][] = [
    ['home', () => bus.publish('settings.changed', { workAreaId: 1 })],
    ['inbox', () => bus.publish('newcomers.changed', {})],
    ['plans', () => bus.publish('plans.changed', {})],
    ['menus', () => bus.publish('rights.changed', {})],
    [`device:${lamp}`, () => bus.publish('devices.changed', { ids: [lamp] })],
    ['tasks', () => bus.publish('tasks.changed', { accountId: 1, taskId: 7 })],
    [`command:${command}`, () => bus.publish('commands.changed', { commandId: command, deviceIds: [] })],
    ['commands', () => undefined],
  ];
  const names = hints.map(([topic]) => topic);
  await clock.advance(10_000);
  expect(await subscribed(await signedIn(app.adminToken), names, now())).toEqual([]);
  const fetched = now();
  for (const [, happens] of hints) happens();
  // Before it is told, and after.
  for (const later of [0, 10_000]) {
    await clock.advance(later);
    expect(await subscribed(await signedIn(app.adminToken), names, fetched)).toEqual(
      names.map((topic) => ({ type: 'stale', topic })),
    );
  }
  expect(await subscribed(await signedIn(app.adminToken), names, now())).toEqual([]);
  expect(
    await subscribed(
      await signedIn(app.adminToken),
      ['home'],
      new Date(clock.now().getTime() - 3_600_000).toISOString(),
    ),
    'nobody knows any more',
  ).toEqual([{ type: 'stale', topic: 'home' }]);
});

it('of a whole city at once whoever has just fetched is told in pieces, and never to fetch again and again', async () => {
  await clock.advance(120_000);
  const ids = (
    await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code) SELECT 'wifi', 1, 'W-' || n
      FROM generate_series(1, 4500) n RETURNING id`.execute(db)
  ).rows.map(({ id }) => id);
  const fetched = now();
  bus.publish('devices.changed', { ids });
  await clock.advance(300);
  const reader = await signedIn(app.adminToken);
  const told = await subscribed(reader, ['devices:wifi'], fetched);
  expect(told.map((message) => (message.type === 'devices' ? message.devices.length : message))).toEqual([
    2000, 2000, 500,
  ]);
  await clock.advance(30_000);
  expect(await subscribed(await signedIn(app.adminToken), ['devices:wifi'], fetched)).toEqual([
    { type: 'stale', topic: 'devices:wifi' },
  ]);
});
