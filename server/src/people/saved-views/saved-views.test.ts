import { expect, test } from 'vitest';
import { savedViewLimits } from '../../../../contract/people/saved-views.ts';
import { testApp } from '../../testing/app.ts';
import { createSavedViews, deletePrivateViews, savedViewsRoutes } from './index.ts';

const app = await testApp({ routes: (parts) => savedViewsRoutes(createSavedViews(parts)) });
const path = '/api/v1/saved-views';
let count = 0;

interface View {
  id: number;
  name: string;
  own: boolean;
  shared: boolean;
  start: boolean;
  deletable: boolean;
  maker: string | null;
}
interface Views {
  data: View[];
  recordsTotal: number;
}
const account = async (permissions: Parameters<typeof app.signIn>[0]['permissions'] = ['lamp.monitor']) => {
  const username = `v${(count += 1)}`;
  const { accountId, token } = await app.signIn({ username, permissions });
  return {
    accountId,
    username,
    see: async (list = 'lamps') => (await app.call<Views>(`${path}?list=${list}`, { token })).body.data,
    save: (body: object) =>
      app.call<View & { params: { field: string; rule: string }[] }>(path, {
        token,
        body: { list: 'lamps', conditions: { states: 'offline' }, ...body },
      }),
    send: (method: 'PATCH' | 'DELETE' | 'PUT', at: string | number, body?: object) =>
      app.call<View & { title: string }>(`${path}/${at}`, { token, method, ...(body ? { body } : {}) }),
    list: (list: string) => app.call(`${path}?list=${encodeURIComponent(list)}`, { token }),
  };
};

test('an own view is the account’s alone until it is shared; what it shares others see, and may not change', async () => {
  const [maker, reader] = [await account(), await account()];
  const { status, body: made } = await maker.save({ name: ' 离线 ', sort: 'code,asc' });
  expect([status, made]).toEqual([
    201,
    {
      id: expect.any(Number),
      list: 'lamps',
      name: '离线',
      conditions: { states: 'offline' },
      sort: 'code,asc',
      shared: false,
      own: true,
      maker: maker.username,
      start: false,
      deletable: true,
    },
  ]);
  expect(await reader.see()).toEqual([]);
  expect((await reader.send('PATCH', made.id, { name: 'x' })).status).toBe(404);
  expect((await reader.send('DELETE', made.id)).status).toBe(404);

  expect((await maker.send('PATCH', made.id, { shared: true })).body.shared).toBe(true);
  expect(await reader.see()).toMatchObject([{ id: made.id, own: false, deletable: false, maker: maker.username }]);
  expect((await reader.send('PATCH', made.id, { name: 'x' })).status).toBe(403);
  expect((await reader.send('DELETE', made.id)).status).toBe(403);

  const keeper = await account(['lamp.monitor', 'cscp.user.edit']);
  expect(await keeper.see()).toMatchObject([{ deletable: true }]);
  expect((await keeper.send('DELETE', made.id)).status).toBe(204);
  expect(await maker.see()).toEqual([]);
  const logged = await app.db
    .selectFrom('operation_log')
    .select(['message', 'status'])
    .where('message', 'like', '%savedView.%')
    .orderBy('id')
    .execute();
  expect(logged.filter(({ status: code }) => code < 300).map(({ message }) => message)).toEqual([
    'savedView.create',
    'savedView.update',
    'savedView.delete',
  ]);
});

test('the views of a list are for those who may open it; a list that does not exist is refused', async () => {
  const [lamps, devices] = [await account(), await account(['device.query'])];
  expect((await lamps.save({ name: '甲', shared: true })).status).toBe(201);
  expect((await devices.list('lamps')).status).toBe(403);
  expect((await devices.save({ name: '乙' })).status).toBe(403);
  const [shared] = await lamps.see();
  expect((await devices.send('PUT', `${shared?.id}/start`, { start: true })).status).toBe(403);
  expect((await devices.list('single-lamp-controller')).status).toBe(200);
  expect((await devices.list('logs/login')).status).toBe(403);
  for (const list of ['nothing', '../lamps', 'Lamps', '']) expect((await lamps.list(list)).status).toBe(400);
});

test('the start is each account’s own; it ends when the view is no longer shared', async () => {
  const [maker, reader] = [await account(), await account()];
  const { body: view } = await maker.save({ name: '起始', shared: true, start: true });
  expect(view.start).toBe(true);
  const startOf = async (who: typeof maker) => (await who.see()).filter(({ start }) => start).map(({ name }) => name);
  expect([await startOf(maker), await startOf(reader)]).toEqual([['起始'], []]);
  expect((await reader.send('PUT', `${view.id}/start`, { start: true })).status).toBe(204);
  const { body: own } = await reader.save({ name: '自己的', start: true });
  expect(await startOf(reader)).toEqual(['自己的']);
  await reader.send('PUT', `${own.id}/start`, { start: false });
  expect(await startOf(reader)).toEqual([]);
  await reader.send('PUT', `${view.id}/start`, { start: true });
  await maker.send('PATCH', view.id, { shared: false });
  expect([await startOf(maker), await startOf(reader)]).toEqual([['起始'], []]);
  await maker.send('PATCH', view.id, { shared: true });
  expect(await startOf(reader)).toEqual([]);
});

test('own views stand in the order that the account gave them', async () => {
  const who = await account();
  const ids: number[] = [];
  for (const name of ['一', '二', '三']) ids.push((await who.save({ name })).body.id);
  const names = async () => (await who.see()).filter(({ own }) => own).map(({ name }) => name);
  expect(await names()).toEqual(['一', '二', '三']);
  const stranger = (await (await account()).save({ name: '别人' })).body.id;
  expect((await who.send('PUT', 'order', { list: 'lamps', ids: [ids[2], stranger, ids[0]] })).status).toBe(204);
  expect(await names()).toEqual(['三', '一', '二']);
  expect((await who.send('PUT', 'order', { list: 'lamps', ids: [] })).status).toBe(400);
});

test.each([
  [{ name: '' }, 'name required'],
  [{ name: '  ' }, 'name required'],
  [{ name: 'x'.repeat(41) }, 'name maxLength'],
  [{ name: 'a', conditions: { x: 'y'.repeat(1001) } }, 'conditions.x maxLength'],
  [{ name: 'a', conditions: { a: 'y'.repeat(990), b: 'y'.repeat(990), c: 'y'.repeat(90) } }, 'conditions maxLength'],
  [{ name: 'a', conditions: { 'x y': 'z' } }, 'conditions.x y unknownField'],
  [{ name: 'a', conditions: { x: 7 } }, 'conditions.x type'],
  [{ name: 'a', sort: 'code; drop' }, 'sort pattern'],
])('bounded: %#', async (body, problem) => {
  const who = await account();
  const answer = await who.save(body);
  expect([answer.status, answer.body.params.map(({ field, rule }) => `${field} ${rule}`)]).toEqual([400, [problem]]);
});

test('a name is used once by an account in a list; another account may have the same', async () => {
  const [one, two] = [await account(['lamp.monitor', 'device.query']), await account()];
  const { body: first } = await one.save({ name: '过压' });
  expect((await one.save({ name: '过压' })).body.params).toMatchObject([{ field: 'name', rule: 'taken' }]);
  expect((await one.save({ name: '过压', list: 'road' })).status).toBe(201);
  expect((await two.save({ name: '过压' })).status).toBe(201);
  const { body: other } = await one.save({ name: '欠压' });
  expect((await one.send('PATCH', other.id, { name: '过压' })).status).toBe(400);
  expect((await one.send('PATCH', first.id, { name: '过压', conditions: { q: 'a' }, sort: null })).body).toMatchObject({
    conditions: { q: 'a' },
    sort: null,
  });
});

test('an account has at most 30 views of a list, and the list at most 60 shared ones', async () => {
  const who = await account();
  for (let n = 0; n < savedViewLimits.own; n += 1)
    expect((await who.save({ list: 'lamps', name: `v${n}` })).status).toBe(201);
  expect((await who.save({ name: 'more' })).status).toBe(400);
  const [last] = await who.see();
  const shared = () =>
    app.db
      .selectFrom('saved_view')
      .select((row) => row.fn.countAll<number>().as('n'))
      .where('list', '=', 'lamps')
      .where('shared', '=', true)
      .executeTakeFirstOrThrow();
  const { n: already } = await shared();
  await app.db
    .insertInto('saved_view')
    .values(
      Array.from({ length: savedViewLimits.shared - already }, (_, n) => ({
        list: 'lamps',
        name: `s${n}`,
        conditions: '{}',
        shared: true,
      })),
    )
    .execute();
  expect((await who.send('PATCH', last?.id ?? 0, { shared: true })).status).toBe(400);
  expect((await who.see()).length).toBe(savedViewLimits.own + savedViewLimits.shared);
});

test('an account that is deleted leaves what it shared, without a maker, and nothing else', async () => {
  const [gone, reader] = [await account(['device.query']), await account(['device.query'])];
  await gone.save({ list: 'road', name: '共享', shared: true });
  await gone.save({ list: 'road', name: '自用' });
  await app.db.transaction().execute(async (tx) => {
    await deletePrivateViews(tx, gone.accountId);
    await tx.deleteFrom('account').where('id', '=', gone.accountId).execute();
  });
  expect(await reader.see('road')).toMatchObject([{ name: '共享', maker: null, own: false }]);
  const left = await app.db.selectFrom('saved_view').select('name').where('list', '=', 'road').execute();
  expect(left.map(({ name }) => name)).not.toContain('自用');
});
