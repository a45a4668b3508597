import { constants, publicEncrypt, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { permissions } from '../../../contract/permissions.ts';
import { sentTypes, type RouteShape } from '../../../contract/route.ts';
import { build } from '../build.ts';
import { readConfig } from '../config.ts';
import { hashPassword } from '../people/accounts/index.ts';
import { refusedStatuses } from '../shell/api-docs/index.ts';
import { createSessions } from '../people/sessions/index.ts';
import { startBus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { createRunning } from '../platform/running.ts';
import { testDatabase } from '../testing/database.ts';
import type { Sender } from './ask.ts';
import { insertCaller, insertCodes } from './callers.ts';
import { asks } from './requests.ts';
import { createThings, type Whose } from './things.ts';

const columns = [
  'anonymous',
  'without code',
  'with code',
  'foreign area',
  'foreign thing',
  'unknown thing',
  'administrator',
  'preview',
] as const;
type Column = (typeof columns)[number];
interface Row {
  readonly call: string;
  readonly codes: readonly string[];
  readonly expected: Readonly<Record<Column, string>>;
}

/** The reviewed table beside this file: written by hand, never by a program. */
function readMatrix(): Row[] {
  const lines = readFileSync(join(import.meta.dirname, 'access-matrix.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| (GET|POST|PUT|PATCH|DELETE) /.test(line));
  return lines.map((line) => {
    const [call = '', codes = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.length !== columns.length)
      throw new Error(`a row has ${cells.length} of ${columns.length} cells: ${call}`);
    return {
      call,
      codes: codes.split(/\s+/).filter((code) => code !== '-'),
      expected: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<
        Column,
        string
      >,
    };
  });
}

const matrix = readMatrix();
const database = await testDatabase();
const { db } = database;
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-matrix-'));
const log = createLog('error');
const running = createRunning(log);
const config = readConfig(
  { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', CAPTCHA: 'off', LOG_LEVEL: 'error' },
  { demonstration: false },
);
const product = await build({ config, log, running, signal: new AbortController().signal });
const bus = await startBus(database.connection, log);
const sessions = createSessions({
  db,
  clock: systemClock((thrown) => log.error({ err: thrown }, 'a timer failed')),
  bus,
});
afterAll(async () => {
  await bus.stop();
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const keyOf = ({ method, path }: RouteShape) => `${method} ${path}`;
const codesOf = ({ access }: RouteShape) =>
  (typeof access === 'string' ? [access] : access).filter((code) => (permissions as readonly string[]).includes(code));
const foreignAreaId = (
  await db
    .insertInto('work_area')
    .values({ work_code: 'F', work_name: 'foreign' })
    .returning('id')
    .executeTakeFirstOrThrow()
).id;
const password = 'Lantern#Road7';
const passwordHash = await hashPassword(password);
const encrypted = await fetch(`${product.address}/api/system/publicKey`)
  .then((reply) => reply.json())
  .then((body) => {
    const key = createPublicKey({
      key: Buffer.from((body as { publicKey: string }).publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return publicEncrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(password),
    ).toString('base64');
  });

await insertCodes(db);

interface Caller extends Sender {
  readonly roleId: number;
  readonly token: string;
  readonly sessionId: number;
}

/** An account of its own for one call: at this level, with exactly these codes, in the first work area. */
async function makeCaller(level: number, codes: readonly string[]): Promise<Caller> {
  const { accountId, roleId, username } = await insertCaller(db, level, codes, passwordHash);
  const token = await sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: undefined });
  const { id: sessionId } = await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { accountId, username, roleId, token, sessionId, password: encrypted };
}

/**
 * The callers of one route: each is made when it is first needed, and made again after a call of its own that changed
 * something.
 */
function callersOfRoute() {
  const kept = new Map<string, Promise<Caller>>();
  const one = (level: number, codes: readonly string[]) => {
    const key = `${level} ${codes.join(' ')}`;
    const caller = kept.get(key) ?? makeCaller(level, codes);
    kept.set(key, caller);
    return caller;
  };
  return {
    /** Who calls in a column. The preview is an administrator's, through the eyes of an account with the code. */
    async of(column: Column, codes: readonly string[]): Promise<Caller> {
      if (column === 'administrator') return one(0, permissions);
      const caller = await one(3, column === 'without code' || column === 'anonymous' ? [] : codes);
      if (column !== 'preview') return caller;
      const looker = await one(0, permissions);
      const preview = { by: looker.accountId, sessionId: looker.sessionId };
      return {
        ...caller,
        token: await sessions.begin({
          accountId: caller.accountId,
          remember: false,
          address: '127.0.0.1',
          userAgent: undefined,
          preview,
        }),
      };
    },
    forget: () => kept.clear(),
  };
}
type Callers = ReturnType<typeof callersOfRoute>;

const whoseIn = (column: Column): Whose =>
  column === 'foreign thing' ? 'foreign' : column === 'unknown thing' ? 'unknown' : 'own';

/** Passwords and tokens that answers told. */
const told = new Set<string>();
const isLogged = (route: RouteShape, column: Column) =>
  route.method !== 'GET' &&
  column !== 'anonymous' &&
  (route.logged !== false || (column === 'preview' && route.inPreview !== true));

const lastLogged = async (): Promise<number> =>
  (await db.selectFrom('operation_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0;
/** What the operation log says of this account's calls after a row: message and status of each. */
const loggedAfter = (id: number, username: string) =>
  db
    .selectFrom('operation_log')
    .select(['status', 'message'])
    .where('id', '>', id)
    .where((row) =>
      row.or([
        row('username', '=', username),
        row('username', 'like', `${username} ← %`),
        row('username', 'like', `% ← ${username}`),
      ]),
    )
    .execute();

/**
 * What a row says: the action of the route, and why it was refused. A task that is repeated is written under its own
 * name.
 */
function messageOf({ action }: RouteShape, status: number): RegExp {
  const tried =
    typeof action === 'string' && !(action === 'task.repeat' && status < 300)
      ? action.replaceAll('.', String.raw`\.`)
      : String.raw`[\w-]+(\.\w+)+`;
  return new RegExp(action === undefined ? '' : `^${tried}${status < 300 ? '' : String.raw` \w+`}$`);
}

/**
 * Sends one call of the matrix and returns its status; null, when there is nothing in it that could be foreign or
 * unknown.
 */
async function request(
  route: RouteShape,
  path: string,
  column: Column,
  codes: readonly string[],
  callers: Callers,
): Promise<number | null> {
  const caller = await callers.of(column, codes);
  const things = createThings(db, whoseIn(column), caller, foreignAreaId);
  const ask = (await asks[keyOf(route)]?.(things, caller)) ?? {};
  if ((column === 'foreign thing' && !things.used.reach) || (column === 'unknown thing' && !things.used.asked))
    return null;
  const isWritten = isLogged(route, column);
  const before = isWritten ? await lastLogged() : 0;
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(String(ask.path?.[name] ?? `no ${name}`)),
  );
  const query = ask.query
    ? `?${new URLSearchParams(Object.entries(ask.query).map(([name, value]) => [name, String(value)]))}`
    : '';
  const reply = await fetch(`${product.address}${filled}${query}`, {
    method: route.method,
    headers: {
      ...(column === 'anonymous' ? {} : { authorization: caller.token }),
      ...(column === 'foreign area' ? { workid: String(foreignAreaId) } : {}),
      ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ask.form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(ask.file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
    ...(ask.form ? { body: new URLSearchParams(ask.form) } : {}),
    ...(ask.file === undefined ? {} : { body: ask.file }),
  });
  // What the description says is what is sent.
  if (reply.ok && reply.status !== 204)
    expect(sentTypes(route)).toContain(reply.headers.get('content-type')?.split(';')[0]);
  for (const [, secret] of (await reply.text()).matchAll(/"(?:password|token)":"([^"]{8,})"/g))
    if (secret) told.add(secret.replace('Bearer ', ''));
  if (isWritten)
    expect([keyOf(route), column, await loggedAfter(before, caller.username)]).toEqual([
      keyOf(route),
      column,
      [{ status: reply.status, message: expect.stringMatching(messageOf(route, reply.status)) as string }],
    ]);
  // What was refused or only read has changed nothing: who asked is as good as new.
  if (reply.ok && route.method !== 'GET') callers.forget();
  return reply.status;
}

const modules = import.meta.glob<Record<string, unknown>>('../../../contract/*/*.ts', { eager: true });
const isRoute = (value: unknown): value is RouteShape =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

test('every route that is served has exactly one row, and no row is of a route that is none', () => {
  const calls = matrix.map(({ call }) => call);
  expect(product.routes.map(keyOf).filter((key) => calls.filter((call) => call === key).length !== 1)).toEqual([]);
  const declared = new Set(
    [...product.routes, ...Object.values(modules).flatMap((exports) => Object.values(exports).filter(isRoute))].map(
      keyOf,
    ),
  );
  expect(calls.filter((call) => !declared.has(call))).toEqual([]);
});

test.each(matrix.filter(({ call }) => product.routes.some((route) => keyOf(route) === call)))(
  '$call',
  async ({ call, codes, expected }) => {
    const route = product.routes.find((one) => keyOf(one) === call);
    if (!route) throw new Error('no such route');
    // A call that needs only a session names a code where what it does depends on one.
    if (codesOf(route).length > 0) expect(codes).toEqual(codesOf(route));
    const callers = callersOfRoute();
    const seen: Record<string, string> = { ...expected };
    for (const column of columns) {
      // Any one of several codes is enough.
      for (const one of codes.length > 0 && column !== 'anonymous' && column !== 'without code'
        ? codes.map((code) => [code])
        : [[]]) {
        const told = String((await request(route, route.path, column, one, callers)) ?? '-');
        if (told !== expected[column]) seen[column] = told;
      }
    }
    // Its other spellings are the same call: nobody, somebody without the code, and somebody with it.
    for (const alias of route.aliases ?? []) {
      for (const column of ['anonymous', 'without code', 'with code'] as const) {
        const told = String(
          await request(route, alias, column, column === 'with code' ? codes.slice(0, 1) : [], callers),
        );
        if (told !== expected[column]) seen[`${column} ${alias}`] = told;
      }
    }
    expect(seen).toEqual(expected);
  },
);

test('nothing secret that was sent or told stands in a log', async () => {
  expect(told.size).toBeGreaterThan(10);
  const rows = await db.selectFrom('operation_log').select(['uri', 'params']).execute();
  const text = JSON.stringify(rows);
  expect([...told, password, encrypted].filter((secret) => text.includes(secret))).toEqual([]);
  expect(rows.filter(({ params }) => Buffer.byteLength(params ?? '') > 4096)).toEqual([]);
});

test('the description of the calls names the status of every refusal in the table', () => {
  const untold = product.bindings.flatMap(({ route, options }) => {
    const named = refusedStatuses(route, options.limit !== undefined);
    const cells = Object.values(matrix.find(({ call }) => call === keyOf(route))?.expected ?? {});
    return [...new Set(cells.filter((cell) => cell.startsWith('4') && !named.includes(Number(cell))))].map(
      (cell) => `${keyOf(route)} ${cell}`,
    );
  });
  expect(untold).toEqual([]);
});

test('what the area limits is refused in a foreign one, and nothing else is', () => {
  for (const route of product.routes) {
    const row = matrix.find(({ call }) => call === keyOf(route));
    if (row)
      expect([row.call, row.expected['foreign area']]).toEqual([
        row.call,
        route.areaScoped ? '403' : row.expected['with code'],
      ]);
  }
});
