import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RouteShape } from '../../../contract/route.ts';
import { build } from '../build.ts';
import { readConfig } from '../config.ts';
import { refusedStatuses } from '../shell/api-docs/index.ts';
import { createSessions } from '../people/sessions/index.ts';
import { startBus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createRunning } from '../platform/running.ts';
import { inputCheck, type RawInput } from '../platform/http/check-input.ts';
import { testDatabase } from '../testing/database.ts';
import { writtenLog } from '../testing/written-log.ts';
import type { Ask } from './ask.ts';
import { asks } from './requests.ts';
import { insertAccount } from './small-things.ts';
import { createThings } from './things.ts';
import { wrongForms } from './wrong-forms.ts';

const database = await testDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-extremes-'));
const { log, lines } = writtenLog('error');
const running = createRunning(log);
const config = readConfig(
  { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', CAPTCHA: 'off', LOG_LEVEL: 'error' },
  { demonstration: false },
);
const product = await build({ config, log, running, signal: new AbortController().signal });
const bus = await startBus(database.connection, log);
const sessions = createSessions({ db: database.db, clock: systemClock(() => undefined), bus });
afterAll(async () => {
  agent.destroy();
  await bus.stop();
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const foreignArea = await database.db
  .insertInto('work_area')
  .values({ work_code: 'F', work_name: 'foreign' })
  .returning('id')
  .executeTakeFirstOrThrow();
const admin = { accountId: 1, roleId: 1, username: 'admin', password: 'x' };

/** What nobody means, as text. The first ones are for numbers, the later ones for days and instants. */
const texts = [
  '0',
  '-1',
  '1.5',
  '1e308',
  '1e19',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '12345678901234567',
  'NaN',
  '',
  'null',
  '\u0000',
  '\ud83d',
  "';--",
  'x'.repeat(3000),
  '9'.repeat(200),
  '%',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-11-01T00:00:00+23:59',
  '0000-00-00',
  '9999-12-31',
  '2026-02-30',
];
const values: readonly unknown[] = [
  0,
  -1,
  1.5,
  1e308,
  1e19,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  12345678901234567,
  -1e308,
  'NaN',
  '',
  'x'.repeat(3000),
  null,
  true,
  [],
  {},
];

interface Schema {
  type?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}
type Path = readonly (string | number)[];

/** Where a body has fields, its lists by their first entry. */
function places(schema: Schema | undefined, at: Path = []): Path[] {
  if (!schema) return [];
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => places(field, [...at, key])),
    ...(schema.items ? places(schema.items, [...at, 0]) : []),
    ...(schema.anyOf ?? []).flatMap((branch) => places(branch, at)),
  ];
  return at.length > 0 ? [at, ...below] : below;
}

function withValue(of: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') return [withValue(Array.isArray(of) ? of[0] : undefined, rest, value)];
  const object =
    typeof of === 'object' && of !== null && !Array.isArray(of) ? (of as Readonly<Record<string, unknown>>) : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}

const namesIn = (schema: unknown): string[] => Object.keys((schema as Schema | undefined)?.properties ?? {});

interface WrongCall {
  readonly name: string;
  readonly ask: Ask;
  /** A part of the path that the router does not know. */
  readonly isLong?: boolean;
}

/** The router knows no longer part of a path: such a call reaches no route. */
const longestPart = 300;

/** A right call with one thing wrong at a time. */
function wrongCalls(route: RouteShape, right: Ask): WrongCall[] {
  const inPath = namesIn(route.params).flatMap((key) =>
    texts
      .filter((text) => text !== '')
      .map((value) => ({
        name: `${key}=${value.slice(0, 40)}`,
        ask: { ...right, path: { ...right.path, [key]: value } },
        isLong: value.length > longestPart,
      })),
  );
  const inQuery = namesIn(route.query).flatMap((key) =>
    texts.map((value) => ({
      name: `?${key}=${value.slice(0, 40)}`,
      ask: { ...right, query: { ...right.query, [key]: value } },
    })),
  );
  const bodies = [...new Map(places(route.body as Schema | undefined).map((at) => [at.join('.'), at])).entries()];
  const inBody =
    route.encoding === 'form'
      ? bodies.flatMap(([name, [key]]) =>
          texts.map((value) => ({
            name: `${name}: ${value.slice(0, 40)}`,
            ask: { ...right, form: { ...right.form, [String(key)]: value } },
          })),
        )
      : bodies.flatMap(([name, at]) =>
          [...values, ...texts.slice(18)].map((value) => ({
            name: `${name}: ${JSON.stringify(value)?.slice(0, 40)}`,
            ask: { ...right, body: withValue(right.body, at, value) },
          })),
        );
  return [...inPath, ...inQuery, ...inBody];
}

const pathOf = (route: RouteShape, { path = {} }: Ask): [string, string][] =>
  [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, String(path[name] ?? 1).toWellFormed()]);
const searchOf = ({ query = {} }: Ask) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** A call as the server reads it. */
const asRead = (route: RouteShape, asked: Ask): RawInput => ({
  params: Object.fromEntries(pathOf(route, asked)),
  query: Object.fromEntries(searchOf(asked)),
  body: asked.form
    ? Object.fromEntries(new URLSearchParams(asked.form))
    : asked.body === undefined
      ? undefined
      : (JSON.parse(JSON.stringify(asked.body)) as unknown),
  form: asked.form !== undefined,
});

interface SentCall extends WrongCall {
  /** Fields and rules that the shape refuses it by. */
  readonly refused: readonly string[];
}

const formsOf = (route: RouteShape): string[] => [
  ...(route.params ? ['path'] : []),
  ...(route.query ? ['query'] : []),
  ...(route.body ? [`body ${route.encoding ?? 'json'}`] : []),
];
/** The first call of each form: what comes before its shape is read is the same for all others. */
const examples = new Set(
  [...new Set(product.routes.flatMap(formsOf))].map((form) =>
    product.routes.find((route) => formsOf(route).includes(form)),
  ),
);

/**
 * The shape reads every call here. What it takes is sent. Of those that it refuses alike one is sent: the answer goes by
 * what is wrong and by the sound rest (sound-fields.ts), not by the value. An example of its form is sent everything,
 * and so is a call whose action has its name from what was sent.
 */
function toSend(route: RouteShape, calls: readonly WrongCall[]): SentCall[] {
  const check = inputCheck(route);
  const isWhole = examples.has(route) || typeof route.action === 'function';
  const alike = Map.groupBy(
    calls.map((call) => {
      const { problems, sound } = check(asRead(route, call.ask));
      const refused = call.isLong ? [] : problems.map(({ field, rule }) => `${field} ${rule}`);
      return { ...call, refused, group: refused.length === 0 || isWhole ? call : JSON.stringify([problems, sound()]) };
    }),
    ({ group }) => group,
  );
  return [...alike.values()].flatMap(([one]) => (one ? [one] : []));
}

// Of tens of thousands of calls `fetch` takes more than the server does.
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const contentOf = (type: string, content: string) => ({ type, content });

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function ask(route: RouteShape, asked: Ask, token: string | undefined): Promise<Answer> {
  const { body, form, file } = asked;
  const path = new Map(pathOf(route, asked));
  const filled = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(path.get(name) ?? ''));
  const carried =
    body !== undefined
      ? contentOf('application/json', JSON.stringify(body))
      : form
        ? contentOf('application/x-www-form-urlencoded', new URLSearchParams(form).toString())
        : file === undefined
          ? undefined
          : contentOf('application/octet-stream', file);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(
      `${product.address}${filled}?${searchOf(asked)}`,
      {
        agent,
        method: route.method,
        headers: {
          ...(token === undefined ? {} : { authorization: token }),
          // Its length too, without which Node sends the body of a DELETE so that nobody can read it.
          ...(carried ? { 'content-type': carried.type, 'content-length': Buffer.byteLength(carried.content) } : {}),
        },
      },
      resolve,
    );
    call.once('error', reject);
    call.end(carried?.content);
  });
  return { status: reply.statusCode ?? 0, type: reply.headers['content-type'] ?? '', text: await textOf(reply) };
}

interface Refused {
  readonly status: number;
  readonly code: number;
  readonly params: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
}
const namesOf = (params: Refused['params']) => params.map(({ field, rule }) => `${field} ${rule}`).toSorted();

const namedStatuses = new Map(
  product.bindings.map(({ route, options }) => [route, refusedStatuses(route, options.limit !== undefined)]),
);

async function problemOf(
  route: RouteShape,
  { ask: asked, refused }: SentCall,
  token: string | undefined,
): Promise<string | undefined> {
  const { status, type, text } = await ask(route, asked, token);
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 400)
    return refused.length === 0 ? undefined : `${status} though its shape is wrong: ${refused.join(', ')}`;
  if (status < 500 && !namedStatuses.get(route)?.includes(status))
    return `${status} is no status that the description of the call names`;
  const body = type.startsWith('application/problem+json') ? (JSON.parse(text) as Partial<Refused>) : undefined;
  if (body?.status !== status) return `${status} is no problem body: ${text.slice(0, 200)}`;
  const told = status === 400 && body.params ? namesOf(body.params) : refused;
  const untold = refused.filter((one) => !told.includes(one));
  return untold.length === 0 ? undefined : `${status} says nothing of ${untold.join(', ')}: ${text.slice(0, 200)}`;
}

test.each(product.routes.map((route) => ({ call: `${route.method} ${route.path}`, route })))(
  '$call: whatever a number, a text or a time is, the answer is none of the server’s faults',
  async ({ call, route }) => {
    const token = await sessions.begin({ accountId: 1, remember: true, address: '127.0.0.1', userAgent: undefined });
    const right = (await asks[call]?.(createThings(database.db, 'own', admin, foreignArea.id), admin)) ?? {};
    const calls = toSend(route, wrongCalls(route, right));
    const wrong: string[] = [];
    const callers = route.access === 'public' ? [token, undefined] : [token];
    const waiting = calls.flatMap((one) => callers.map((caller) => ({ ...one, caller })));
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const problem = await problemOf(route, next, next.caller);
        if (problem) wrong.push(`${next.name} → ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(wrong).toEqual([]);
  },
);

const tokenOf = (accountId: number) =>
  sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: undefined });

/**
 * Whoever fills in a form hears of everything that is wrong with it in one answer: what its shape refuses and what the
 * rules refuse.
 */
test.each(
  product.bindings
    .filter(({ rules }) => rules !== 'none')
    .map(({ route }) => ({ call: `${route.method} ${route.path}`, route })),
)('$call names what the shape and what the rules refuse at once, each field once', async ({ call, route }) => {
  const { names, ...wrong } = (await wrongForms[call]?.(createThings(database.db, 'own', admin, foreignArea.id))) ?? {
    names: ['a row of wrong-forms.ts'],
  };
  const reply = await ask(route, wrong, await tokenOf(1));
  const body = JSON.parse(reply.text) as Refused;
  expect([reply.status, namesOf(body.params)]).toEqual([400, names]);
  expect(body.params.every(({ message }) => message !== '')).toBe(true);
  // The row is about both: some of it is found by the shape, and some is not.
  const shape = inputCheck(route)({
    params: wrong.path,
    query: wrong.query,
    body: wrong.form ?? wrong.body,
    form: wrong.form !== undefined,
  }).problems.map(({ field }) => field);
  expect([shape.length, body.params.filter(({ field }) => !shape.includes(field)).length]).not.toContain(0);
});

test('who may not change an account hears of its shape alone, and of no other account', async () => {
  const stranger = await insertAccount(database.db, 5);
  const route = product.routes.find(({ path, method }) => path === '/api/system/cscpUserDetails' && method === 'PUT');
  const reply =
    route &&
    (await ask(
      route,
      { body: { cscpUserDetailDTO: { id: 1, mobile: 'x', treeLevel: 9 } } },
      await tokenOf(stranger.id),
    ));
  expect(namesOf((JSON.parse(reply?.text ?? '') as Refused).params)).toEqual(['cscpUserDetailDTO.treeLevel maximum']);
});

test('no call of all those above refused a field by rules that it does not declare', () => {
  expect(
    lines()
      .filter(({ defect }) => defect !== undefined)
      .map(({ defect }) => defect),
  ).toEqual([]);
});
