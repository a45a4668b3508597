import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../../e2e/fixtures/free-port.ts';
import { permissions } from '../../../contract/permissions.ts';
import type { RouteShape } from '../../../contract/route.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { build } from '../build.ts';
import { readConfig } from '../config.ts';
import { createSessions } from '../people/sessions/index.ts';
import { startBus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createRunning } from '../platform/running.ts';
import { connectDevice, listen } from '../testing/devices.ts';
import { testDatabase } from '../testing/database.ts';
import { writtenLog } from '../testing/written-log.ts';
import type { Ask } from './ask.ts';
import { insertCaller, insertCodes } from './callers.ts';
import { asks } from './requests.ts';
import { createThings, type Whose } from './things.ts';

const database = await testDatabase();
const { db } = database;
const mqttPort = await freePort();
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-dry-'));
const { log, lines } = writtenLog('warn');
const running = createRunning(log);
const config = readConfig(
  {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    MQTT_PORT: String(mqttPort),
    CAPTCHA: 'off',
    LOG_LEVEL: 'warn',
  },
  { demonstration: false },
);
const product = await build({ config, log, running, signal: new AbortController().signal });
const bus = await startBus(database.connection, log);
const sessions = createSessions({ db, clock: systemClock(() => undefined), bus });
afterAll(async () => {
  await bus.stop();
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
await insertCodes(db);
const foreignArea = await db
  .insertInto('work_area')
  .values({ work_code: 'F', work_name: 'foreign' })
  .returning('id')
  .executeTakeFirstOrThrow();

async function caller(level: number, codes: readonly string[]) {
  const { accountId, roleId, username } = await insertCaller(db, level, codes);
  const token = await sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: undefined });
  return { accountId, roleId, username, password: 'x', token };
}
type Caller = Awaited<ReturnType<typeof caller>>;

const keyOf = ({ method, path }: RouteShape) => `${method} ${path}`;
const askOf = async (route: RouteShape, who: Caller, whose: Whose = 'own'): Promise<Ask> =>
  (await asks[keyOf(route)]?.(createThings(db, whose, who, foreignArea.id), who)) ?? {};

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
async function send(route: RouteShape, asked: Ask, { token }: Caller, query: Record<string, string>): Promise<Answer> {
  const filled = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(String(asked.path?.[name] ?? `no ${name}`)),
  );
  const search = new URLSearchParams(
    Object.entries({ ...asked.query, ...query }).map(([name, value]) => [name, String(value)]),
  );
  const reply = await fetch(`${product.address}${filled}?${search}`, {
    method: route.method,
    headers: {
      authorization: token,
      ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(asked.file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    ...(asked.file === undefined ? {} : { body: asked.file }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
}
interface Described {
  readonly parameters: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
const dry = { dryRun: '1' };

/** Written by the clock or by every request, whatever it asks. */
const restless = new Set(['session', 'session_token', 'lease', 'server_process', 'health_sample', 'connection_watch']);

/** Every table of the database that has rows, with their number and sum. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND pg_relation_size(c.oid) > 0
    ORDER BY 1`.execute(db);
  const sums = tables
    .filter(({ name }) => !restless.has(name))
    .map(
      ({ name }) =>
        sql`SELECT ${name} AS name, count(*) || ' ' || coalesce(sum(hashtextextended(x::text, 0)), 0) AS sum FROM ${sql.id(name)} x`,
    );
  const { rows } = await sql<{ name: string; sum: string }>`${sql.join(sums, sql` UNION ALL `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** The same, when the jobs of the product have done what they had to with things that were just made. */
async function settled(): Promise<Record<string, string>> {
  for (let before = await everything(); ;) {
    const now = await everything();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

/** Everything that this product says on the bus; `link.watched` of device 0 and below are marks of this test. */
const heard: string[] = [];
let mark = 0;
bus.subscribe('link.watched', ({ deviceId }) => heard.push(`mark ${deviceId}`));
for (const topic of [
  'devices.changed',
  'register.changed',
  'credentials.changed',
  'commands.changed',
  'plans.changed',
  'plans.assigned',
  'publications.changed',
  'tasks.changed',
  'newcomers.changed',
  'newcomer.claimed',
  'newcomer.blocked',
  'batch.closed',
  'line.set',
  'settings.changed',
] as const)
  bus.subscribe(topic, (payload) => heard.push(`${topic} ${JSON.stringify(payload)}`));

const watched = product.routes.find((route) => keyOf(route) === 'GET /api/v1/devices/:id/link');
/** Waits until the bus has brought what was said before; returns it. */
async function saidSince(place: number, who: Caller): Promise<string[]> {
  if (!watched) throw new Error('no call makes a mark');
  const { path } = await askOf(watched, who);
  mark = Number(path?.['id']);
  await send(watched, { path: path ?? {} }, who, {});
  await expect.poll(() => heard.includes(`mark ${mark}`)).toBe(true);
  return heard.slice(place).filter((one) => !one.startsWith('mark '));
}

const modules = import.meta.glob<Record<string, unknown>>('../../../contract/*/*.ts', { eager: true });
const isRoute = (value: unknown): value is RouteShape =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
const changing = Object.entries(modules).flatMap(([file, exports]) =>
  Object.values(exports)
    .filter(isRoute)
    .filter(({ method }) => method !== 'GET')
    .map((route) => ({ wing: file.split('/').at(-2) ?? '', route })),
);
const tried = product.routes.filter(({ dryRun }) => dryRun === true).map((route) => ({ call: keyOf(route), route }));

test('every call that changes lamps, plans, commands or devices can be tried, or says why not', () => {
  expect(
    changing.flatMap(({ wing, route }) =>
      ['light', 'register', 'wires'].includes(wing) && route.dryRun === undefined ? [keyOf(route)] : [],
    ),
  ).toEqual([]);
  expect(tried.length).toBeGreaterThan(50);
  expect(
    product.routes.filter(
      ({ method, dryRun, replyKind, access }) =>
        dryRun !== undefined && (method === 'GET' || replyKind === 'text' || (dryRun === true && access === 'public')),
    ),
  ).toEqual([]);
});

test('the description of the calls names the parameter and the answer where a call can be tried, and nowhere else', async () => {
  const { token } = await caller(0, permissions);
  const reply = await fetch(`${product.address}/api/openapi.json`, { headers: { authorization: token } });
  const { paths } = (await reply.json()) as { paths: Record<string, Record<string, Described>> };
  const described = product.routes.map((route) => {
    const { parameters, responses } =
      paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] ?? ({} as Partial<Described>);
    return {
      call: keyOf(route),
      isNamed: parameters?.some(({ name }) => name === 'dryRun'),
      isAnswered: JSON.stringify(responses?.['200'] ?? '').includes('"commandTargets"'),
    };
  });
  expect(described.filter(({ isNamed }) => isNamed).map(({ call }) => call)).toEqual(tried.map(({ call }) => call));
  expect(described.filter(({ isAnswered }) => isAnswered).map(({ call }) => call)).toEqual(
    tried.map(({ call }) => call),
  );
});

/** Jobs and clocks change something meanwhile; a call that leaves something leaves it at every try. */
const mostTries = 6;
/** Of a command that has ended nothing can be cancelled. */
const changesNothing = new Set(['POST /api/v1/commands/:id/cancel']);

test.each(tried)('$call leaves nothing when it is tried, and says what it does then', async ({ route }) => {
  const who = await caller(0, permissions);
  let asked: Ask = {};
  let found: unknown;
  let answer: Answer = { status: 0, body: {} };
  const clean = { rows: {}, said: [] };
  for (let tries = 0; tries < mostTries; tries += 1) {
    asked = await askOf(route, who);
    // On a busy machine the bus brings late what was said of the things that were just made.
    await settled();
    await saidSince(0, who);
    const [before, place] = [await settled(), heard.length];
    answer = await send(route, asked, who, dry);
    const after = await everything();
    found = {
      rows: Object.fromEntries(Object.entries(after).filter(([name, sum]) => before[name] !== sum)),
      said: await saidSince(place, who),
    };
    if (JSON.stringify(found) === JSON.stringify(clean)) break;
  }
  expect(found).toEqual(clean);
  const real = await send(route, asked, who, {});
  if (real.status >= 400) {
    expect([answer.status, answer.body['code']]).toEqual([real.status, real.body['code']]);
    return;
  }
  expect([answer.status, answer.body['dryRun'], answer.body['status']]).toEqual([200, true, real.status]);
  expect((answer.body['would'] as { changed: number }).changed > 0).toBe(!changesNothing.has(keyOf(route)));
  // The same answer, but for numbers of rows and secrets that were made for it alone.
  expect(Object.keys(answer.body['answer'] ?? {})).toEqual(Object.keys(real.body));
});

test.each(tried)('$call is refused as for real when it is tried', async ({ route }) => {
  const stranger = await caller(3, []);
  const member = await caller(3, permissions);
  for (const [who, whose] of [
    [stranger, 'own'],
    [member, 'foreign'],
    [member, 'unknown'],
  ] as const) {
    const asked = await askOf(route, who, whose);
    const tries = await send(route, asked, who, dry);
    const real = await send(route, asked, who, {});
    const isDone = real.status < 400;
    expect([whose, isDone ? tries.body['status'] : tries.status, tries.body['code']]).toEqual([
      whose,
      real.status,
      isDone ? undefined : real.body['code'],
    ]);
  }
  const admin = await caller(0, permissions);
  for (const wrong of ['', '0', 'true', '2']) {
    const { status, body } = await send(route, await askOf(route, admin), admin, { dryRun: wrong });
    expect([status, (body['params'] as { field: string; rule: string }[]).map(({ field }) => field)]).toEqual([
      400,
      ['dryRun'],
    ]);
  }
});

test.each(
  product.routes
    .filter(({ method, dryRun, takes }) => method !== 'GET' && dryRun !== true && !takes)
    .map((route) => ({ call: keyOf(route), route })),
)('$call, which cannot be tried, is refused when it is asked to', async ({ route }) => {
  const admin = await caller(0, permissions);
  const asked = await askOf(route, admin);
  const form = asked.form ? { body: undefined } : {};
  const { status, body } = await send(route, { ...asked, ...form }, admin, dry);
  if (asked.form) expect([400, 415]).toContain(status);
  else expect([status, JSON.stringify(body['params'] ?? '')]).toEqual([400, expect.stringContaining('"dryRun"')]);
});

test('a lamp hears nothing of a command that is tried, and hears the one that is given', async () => {
  const admin = await caller(0, permissions);
  const call = async (path: string, body?: unknown) =>
    (await (
      await fetch(`${product.address}${path}`, {
        method: 'POST',
        headers: { authorization: admin.token, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    ).json()) as Readonly<Record<string, unknown>>;
  const lamp = await call('/api/v1/devices', {
    family: 'single-lamp-controller',
    equipmentCode: 'DRY-1',
    equipmentName: 'x',
    workId: 1,
    power: 80,
  });
  const id = Number(lamp['id']);
  const { password } = await call(`/api/v1/devices/${id}/credentials`);
  const client = await connectDevice(`mqtt://127.0.0.1:${mqttPort}`, id, String(password));
  const messages = listen(client);
  await client.subscribeAsync(topicOf({ kind: 'commands', deviceId: id, viaId: null }), { qos: 1 });
  const command = { deviceIds: [id], command: 'on', requestId: randomUUID() };
  const tries = await call('/api/v1/commands?dryRun=1', command);
  expect(tries).toMatchObject({
    dryRun: true,
    status: 201,
    would: { things: { commands: { added: 1, changed: 0, removed: 0 }, commandTargets: { added: 1 } } },
  });
  const { id: given } = await call('/api/v1/commands', command);
  expect((await messages.take()).message['commandId']).toBe(String(given));
  expect(messages.kept).toEqual([]);
});

test('none of the calls above failed inside', () => {
  expect(lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
