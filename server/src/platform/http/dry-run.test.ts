import { sql } from 'kysely';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { route, specified } from '../../../../contract/route.ts';
import { testApp, type CallOptions } from '../../testing/app.ts';
import { unlessDry } from '../dry-run.ts';
import { bind, refuse } from './index.ts';

const shape = { tag: 'test', summary: 'For this test.', reply: Type.Unknown(), access: 'session' } as const;
const named = { params: Type.Object({ name: Type.String() }) } as const;
const put = route({
  ...shape,
  ...named,
  method: 'PUT',
  path: '/api/v1/put/:name',
  action: 'thing.put',
  status: 201,
  dryRun: true,
});
const odd = route({
  ...shape,
  ...named,
  method: 'POST',
  path: '/api/v1/odd/:name',
  action: 'thing.odd',
  dryRun: true,
});
const slow = route({ ...shape, method: 'POST', path: '/api/v1/slow', action: 'thing.slow', dryRun: true });
const late = route({ ...shape, method: 'POST', path: '/api/v1/late', action: 'thing.late', dryRun: true });
const empty = route({
  ...shape,
  ...named,
  method: 'DELETE',
  path: '/api/v1/put/:name',
  action: 'thing.delete',
  replyKind: 'empty',
  dryRun: true,
});
const guarded = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/guarded',
  access: 'lamp.control',
  action: 'thing.put',
  dryRun: true,
});
const untriable = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/untriable',
  action: 'thing.put',
  query: Type.Object({ count: Type.Optional(Type.Integer()) }),
});
const fixed = specified({ ...shape, method: 'POST', path: '/api/fixed', action: 'thing.put' });

const effects: string[] = [];
const done: string[] = [];
let after: Promise<unknown> = Promise.resolve();
let held: Promise<void> = Promise.resolve();
let begun = 0;
const effect = unlessDry((what: string) => void effects.push(what), undefined);

const app = await testApp({
  logLevel: 'silent',
  routes: ({ db, bus }) => {
    const insert = (on: typeof db, name: string) => on.insertInto('setting').values({ name, value: '1' }).execute();
    return [
      bind(put, async ({ params: { name } }, ctx) => {
        await ctx.change({ action: 'thing.put' }, (tx) => insert(tx, name));
        bus.publish('settings.changed', { workAreaId: null });
        effect(name);
        ctx.setHeader('x-made', name);
        return { rows: (await db.selectFrom('setting').select('name').where('name', '=', name).execute()).length };
      }),
      /** Goes on after a statement and a transaction that the database refused, and takes one back itself. */
      bind(odd, async ({ params: { name } }) => {
        await insert(db, name);
        const refused: string[] = [];
        const note = (thrown: unknown) => void refused.push((thrown as { code?: string }).code ?? String(thrown));
        await insert(db, name).catch(note);
        await db
          .transaction()
          .execute(async (tx) => {
            await insert(tx, `${name} 2`);
            await insert(tx, name);
          })
          .catch(note);
        await db
          .transaction()
          .execute(async (tx) => {
            await insert(tx, `${name} 3`);
            throw new Error('enough');
          })
          .catch(note);
        // A statement that is refused, and nothing said of it: the transaction is taken back at its end.
        await db
          .transaction()
          .execute(async (tx) => {
            await insert(tx, `${name} 4`);
            await insert(tx, name).catch(() => undefined);
          })
          .catch(() => refused.push('taken back'));
        await Promise.all([
          db.transaction().execute((tx) => insert(tx, `${name} 5`)),
          db.updateTable('setting').set({ value: '2' }).where('name', '=', name).execute(),
          db.selectFrom('setting').select('name').execute(),
        ]);
        const rows = await db
          .selectFrom('setting')
          .select(['name', 'value'])
          .where('name', 'like', `${name}%`)
          .execute();
        return { refused, rows: rows.map((row) => `${row.name}=${String(row.value)}`).toSorted() };
      }),
      bind(slow, async () => {
        begun += 1;
        await held;
        return null;
      }),
      bind(late, () => {
        after = new Promise((resolve) => {
          setTimeout(resolve, 200);
        })
          .then(() => insert(db, 'late'))
          .then(
            () => done.push('written'),
            () => done.push('refused'),
          );
        return null;
      }),
      bind(empty, async ({ params: { name } }, ctx) => {
        await ctx.change({ action: 'thing.delete' }, async (tx) => {
          const { numDeletedRows } = await tx.deleteFrom('setting').where('name', '=', name).executeTakeFirstOrThrow();
          if (numDeletedRows === 0n) throw refuse('notFound');
        });
      }),
      bind(guarded, (_input, { change }) => change({ action: 'thing.put' }, (tx) => insert(tx, 'guarded'))),
      bind(untriable, (_input, { change }) => change({ action: 'thing.put' }, (tx) => insert(tx, 'untriable')), {
        rules: 'none',
      }),
      bind(fixed, (_input, { change }) => change({ action: 'thing.put' }, (tx) => insert(tx, 'fixed'))),
    ];
  },
});
const settings = async () =>
  (await app.db.selectFrom('setting').select('name').orderBy('name').execute()).map(({ name }) => name);
const logged = async () =>
  (await app.db.selectFrom('operation_log').select(['message', 'status']).orderBy('id').execute()).map(
    ({ message, status }) => `${message} ${status}`,
  );
const call = (path: string, options: CallOptions = {}) => app.call(path, { method: 'POST', ...options });
const told: unknown[] = [];
app.bus.subscribe('settings.changed', (payload) => told.push(payload));

test('a dry run answers what the call would answer and change, and leaves nothing', async () => {
  const [before, log] = [await settings(), await logged()];
  const reply = await call('/api/v1/put/a?dryRun=1', { method: 'PUT' });
  expect([reply.status, reply.headers['x-made'], reply.body]).toEqual([
    200,
    undefined,
    {
      dryRun: true,
      status: 201,
      would: { changed: 1, things: { settings: { added: 1, changed: 0, removed: 0 } } },
      answer: { rows: 1 },
    },
  ]);
  expect([await settings(), await logged(), told, effects]).toEqual([before, log, [], []]);
  const real = await call('/api/v1/put/a', { method: 'PUT' });
  expect([real.status, real.headers['x-made'], real.body]).toEqual([201, 'a', { rows: 1 }]);
  expect([told.length, effects]).toEqual([1, ['a']]);
  const gone = await call('/api/v1/put/a?dryRun=1', { method: 'DELETE' });
  expect([gone.status, gone.body]).toEqual([
    200,
    {
      dryRun: true,
      status: 204,
      would: { changed: 1, things: { settings: { added: 0, changed: 0, removed: 1 } } },
      answer: null,
    },
  ]);
  expect((await call('/api/v1/put/b?dryRun=1', { method: 'DELETE' })).status).toBe(404);
  expect(await logged()).toEqual([...log, 'thing.put 201']);
});

test('what the database refuses on the way is taken back as for real, and is not counted', async () => {
  const tried = await call('/api/v1/odd/o?dryRun=1');
  const real = await call('/api/v1/odd/o');
  expect(real.body).toEqual({
    refused: ['23505', '23505', 'Error: enough', 'taken back'],
    rows: ['o 5=1', 'o=2'],
  });
  expect(tried.body['answer']).toEqual(real.body);
  expect(tried.body['would']).toEqual({ changed: 3, things: { settings: { added: 2, changed: 1, removed: 0 } } });
});

test('work that a dry run leaves behind writes nothing', async () => {
  expect((await call('/api/v1/late?dryRun=1')).status).toBe(200);
  await after;
  expect([done, (await settings()).includes('late')]).toEqual([['refused'], false]);
});

test('any other wish is refused by its name, also by a call that ignores what it does not know', async () => {
  const before = await settings();
  for (const [path, rule] of [
    ['/api/v1/put/w?dryRun=', 'enum'],
    ['/api/v1/put/w?dryRun=true', 'enum'],
    ['/api/v1/put/w?dryRun=1&dryRun=1', 'enum'],
    ['/api/v1/untriable?dryRun=1', 'unknownField'],
    ['/api/fixed?dryRun=1', 'unknownField'],
  ] as const) {
    const { status, body } = await call(path, { method: path.includes('/put/') ? 'PUT' : 'POST' });
    expect([path, status, body['params']]).toEqual([
      path,
      400,
      [{ field: 'dryRun', rule, message: expect.any(String) as string }],
    ]);
  }
  const both = await call('/api/v1/untriable?dryRun=1&count=x');
  expect((both.body['params'] as { field: string }[]).map(({ field }) => field)).toEqual(['count', 'dryRun']);
  expect(await settings()).toEqual(before);
});

test('who lacks the right is refused and written down, as for real', async () => {
  const { token } = await app.signIn({ username: 'weak' });
  const log = await logged();
  expect((await call('/api/v1/guarded?dryRun=1', { token })).status).toBe(403);
  expect((await call('/api/v1/guarded?dryRun=1', { token: null })).status).toBe(401);
  expect(await logged()).toEqual([...log, 'thing.put missingPermission 403']);
});

test('more dry runs than connections come in turn, beside real calls, and each sees its own alone', async () => {
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0
        ? call(`/api/v1/put/many ${index}`, { method: 'PUT' })
        : call('/api/v1/put/many?dryRun=1', { method: 'PUT' }),
    ),
  );
  expect(many.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
  expect((await settings()).filter((name) => name.startsWith('many'))).toHaveLength(10);
});

test('dry runs of one account come one by one, twenty wait, and others have theirs meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const before = begun;
  const many = Array.from({ length: 30 }, () => call('/api/v1/slow?dryRun=1'));
  const refused: string[] = [];
  for (const one of many)
    void one.then(({ status, headers }) => {
      if (status !== 200) refused.push(`${status} ${String(headers['retry-after'])}`);
    });
  await expect.poll(() => refused, { timeout: 10_000 }).toEqual(Array(9).fill('429 1'));
  expect(begun - before).toBe(1);
  const { token } = await app.signIn({ username: 'other' });
  expect((await call('/api/v1/put/other?dryRun=1', { method: 'PUT', token })).status).toBe(200);
  resolve();
  held = Promise.resolve();
  expect((await Promise.all(many)).filter(({ status }) => status === 200)).toHaveLength(21);
  expect(begun - before).toBe(21);
});

test('a dry run holds a lock until its answer, and no longer', async () => {
  expect((await call('/api/v1/put/held?dryRun=1', { method: 'PUT' })).status).toBe(200);
  expect((await call('/api/v1/put/held', { method: 'PUT' })).status).toBe(201);
  const open = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND state LIKE 'idle in transaction%'`.execute(app.db);
  expect(open.rows).toEqual([]);
});
