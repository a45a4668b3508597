import { afterAll } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { RouteShape } from '../../../contract/route.ts';
import { accountsRoutes, createAccounts, hashPassword, type Accounts } from '../people/accounts/index.ts';
import { wingMenus } from '../menu.ts';
import { builtInMenu, menusRoutes } from '../people/menus/index.ts';
import { createLoginLog, createOperationLog, type LoginLog, type OperationLog } from '../desk/operation-log/index.ts';
import { createSessions, type Sessions } from '../people/sessions/index.ts';
import { prepareInstallation } from '../people/installation/index.ts';
import { startBus, type RunningBus } from '../platform/bus/index.ts';
import type { Db } from '../platform/db/index.ts';
import {
  createHttp,
  createRateWindows,
  type Binding,
  type HttpConfig,
  type RateWindows,
} from '../platform/http/index.ts';
import { createLog, type Log, type LogLevel } from '../platform/log.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testClock, type TestClock } from './clock.ts';
import { tryCalls } from '../try-calls.ts';
import { testDatabase, type Template, type TestDatabase } from './database.ts';

/** The parts a test app is made of: real ones, but for the clock. */
export interface TestParts {
  readonly database: TestDatabase;
  readonly db: Db;
  readonly clock: TestClock;
  readonly bus: RunningBus;
  readonly log: Log;
  readonly rates: RateWindows;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly operations: OperationLog;
  readonly loginLog: LoginLog;
}

export interface TestAppOptions {
  /** The routes under test, beside those of the own account and the menus. */
  readonly routes?: (parts: TestParts) => readonly Binding[] | Promise<readonly Binding[]>;
  readonly config?: Partial<HttpConfig>;
  readonly notReady?: () => Promise<string | undefined>;
  readonly consoleFolder?: string;
  readonly clock?: TestClock;
  /** `warn` unless told; `silent` for tests that provoke errors on purpose. */
  readonly logLevel?: LogLevel;
  /** Instead of one on standard output. */
  readonly log?: Log;
}

export interface CallOptions {
  readonly method?: RouteShape['method'];
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A session's token; by default the administrator's, null for none. */
  readonly token?: string | null;
  readonly workAreaId?: number;
  /** The address the call comes from. */
  readonly from?: string;
}

export interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  /** The parsed JSON, or the text where it is none; its type is what the test expects, not what was checked. */
  readonly body: T;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly bytes: Buffer;
}

export interface TestApp extends TestParts {
  readonly app: FastifyInstance;
  /** The administrator's token (account 1, level 0, every menu). */
  readonly adminToken: string;
  /** A request through the front door: `call('/api/v1/lamps', { body })`; POST when there is a body, else GET. */
  call<T = Record<string, unknown>>(path: string, options?: CallOptions): Promise<Reply<T>>;
  /** Makes an account with these permission codes and work areas and signs it in; returns its id and token. */
  signIn(account: {
    username: string;
    level?: number;
    permissions?: readonly string[];
    workAreas?: readonly number[];
  }): Promise<{ accountId: number; token: string }>;
}

/** An app on an installed database of its own, the administrator signed in. Call it at the top of a test file. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const parts = await testParts(options.clock ?? testClock(), options.log ?? createLog(options.logLevel ?? 'warn'));
  const bindings = [
    ...accountsRoutes(parts.accounts),
    ...menusRoutes(parts),
    ...((await options.routes?.(parts)) ?? []),
  ];
  const untold: string[] = [];
  const app = await createHttp(
    {
      config: { trustedProxies: [], allowedOrigins: [], tls: null, ...options.config },
      log: parts.log,
      clock: parts.clock,
      db: parts.db,
      dryRun: tryCalls(parts.database),
      authenticate: parts.sessions.authenticate,
      operations: parts.operations,
      notReady: options.notReady ?? (() => Promise.resolve(undefined)),
      untold: (what) => untold.push(what),
      ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
    },
    bindings,
  );
  await app.ready();
  afterAll(async () => {
    await app.close();
    if (untold.length > 0) throw new Error([...new Set(untold)].join('\n'));
  });
  const adminToken = await parts.sessions.begin({
    accountId: 1,
    remember: true,
    address: '127.0.0.1',
    userAgent: 'test',
  });
  return {
    ...parts,
    app,
    adminToken,
    call: (path, call) => request(app, adminToken, path, call ?? {}),
    signIn: (account) => makeAccount(parts, account),
  };
}

/** The first rows, made once a run: by themselves they are most of what an app costs. */
const installed: Template = {
  name: 'installed',
  async fill(db) {
    const dataDir = await mkdtemp(join(tmpdir(), 'lampyris-app-'));
    try {
      await prepareInstallation({
        db,
        dataDir,
        adminPassword: null,
        menu: builtInMenu(wingMenus, { demo: true }),
        hash: hashPassword,
        refusal: () => undefined,
      });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function testParts(clock: TestClock, log: Log): Promise<TestParts> {
  const database = await testDatabase(installed);
  const { db } = database;
  const bus = await startBus(database.connection, log);
  afterAll(() => bus.stop());
  const rates = createRateWindows({ db, clock });
  return {
    database,
    db,
    clock,
    bus,
    log,
    rates,
    sessions: createSessions({ db, clock, bus }),
    accounts: createAccounts({ db, clock }),
    operations: createOperationLog({ db, clock }),
    loginLog: createLoginLog({ db, clock, rates }),
  };
}

async function request<T>(
  app: FastifyInstance,
  adminToken: string,
  path: string,
  call: CallOptions,
): Promise<Reply<T>> {
  const token = call.token === undefined ? adminToken : call.token;
  const reply = await app.inject({
    method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
    url: path,
    headers: {
      ...(token === null ? {} : { authorization: token }),
      ...(call.workAreaId === undefined ? {} : { workid: String(call.workAreaId) }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { payload: call.body as string | object }),
    ...(call.from === undefined ? {} : { remoteAddress: call.from }),
  });
  return {
    status: reply.statusCode,
    body: parsed(reply.body, String(reply.headers['content-type'] ?? '')) as T,
    headers: reply.headers,
    bytes: reply.rawPayload,
  };
}

const parsed = (text: string, type: string): unknown =>
  type.includes('json') && text !== '' ? JSON.parse(text) : text;

async function makeAccount(
  { db, sessions }: TestParts,
  { username, level = 5, permissions = [], workAreas = [] }: Parameters<TestApp['signIn']>[0],
) {
  const { id: accountId } = await db
    .insertInto('account')
    .values({ username, name_key: username.toLowerCase(), level, password_hash: '-', password_changed_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: roleId } = await db
    .insertInto('role')
    .values({ name: username, name_key: username.toLowerCase(), extent: '-', creator_name: 'test' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('account_role').values({ account_id: accountId, role_id: roleId }).execute();
  for (const code of permissions) {
    const { id } = await db
      .insertInto('menu_entry')
      .values({ type: 'button', title: code, name: `${username}-${code}`, permission_code: code })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('role_menu').values({ role_id: roleId, menu_id: id }).execute();
  }
  for (const workAreaId of workAreas) {
    const { id } = await db
      .insertInto('work_group')
      .values({ work_area_id: workAreaId, name: username })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('work_group_member').values({ work_group_id: id, account_id: accountId }).execute();
  }
  return {
    accountId,
    token: await sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: 'test' }),
  };
}
