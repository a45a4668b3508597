import { expect, test } from 'vitest';
import { savedViewLimits } from '../../../../contract/people/saved-views.ts';
import { usersOffice } from '../users/testing/users.ts';
import { createSavedViews, savedViewsRoutes } from './index.ts';

const { app } = await usersOffice((parts) => savedViewsRoutes(createSavedViews(parts)));
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
const otherArea = (
  await app.db
    .insertInto('work_area')
    .values({ work_name: '另一区', work_code: 'OTHER' })
    .returning('id')
    .executeTakeFirstOrThrow()
).id;
const account = async (
  permissions: readonly string[] = ['lamp.monitor'],
  { workAreas = [1], level = 5 }: { workAreas?: readonly number[]; level?: number } = {},
) => {
  const username = `v${(count += 1)}`;
  const { accountId, token } = await app.signIn({ username, permissions, workAreas, level });
  return {
    accountId,
    username,
    rename: (values: { nickname?: string; family_name?: string; given_name?: string }) =>
      app.db.updateTable('account').set(values).where('id', '=', accountId).execute(),
    withhold: (code: string) => app.db.deleteFrom('menu_entry').where('name', '=', `${username}-${code}`).execute(),
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
      maker: null,
      start: false,
      deletable: true,
    },
  ]);
  expect(await reader.see()).toEqual([]);
  expect((await reader.send('PATCH', made.id, { name: 'x' })).status).toBe(404);
  expect((await reader.send('DELETE', made.id)).status).toBe(404);

  expect((await maker.send('PATCH', made.id, { shared: true })).body.shared).toBe(true);
  expect(await reader.see()).toMatchObject([{ id: made.id, own: false, deletable: false }]);
  expect((await reader.send('PATCH', made.id, { name: 'x' })).status).toBe(403);
  expect((await reader.send('DELETE', made.id)).status).toBe(403);

  const keeper = await account(['lamp.monitor', 'cscp.user.edit'], { level: 4 });
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

test('an account has at most 30 views of a list, also by requests at the same moment', async () => {
  const who = await account();
  const statuses = await Promise.all(
    Array.from({ length: savedViewLimits.own + 5 }, async (_, n) => (await who.save({ name: `v${n}` })).status),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(savedViewLimits.own);
  expect(statuses.filter((status) => status === 400)).toHaveLength(5);
  expect((await who.see()).filter(({ own }) => own)).toHaveLength(savedViewLimits.own);
});

test('what others share hinders nobody; the newest 60 are answered, and the start always', async () => {
  const [who, others] = [
    await account(['device.query']),
    await Promise.all([1, 2, 3].map(() => account(['device.query']))),
  ];
  const list = 'gateway';
  const ids: number[] = [];
  for (const other of others)
    for (let n = 0; n < savedViewLimits.own; n += 1)
      ids.push((await other.save({ list, name: `v${n}`, shared: true })).body.id);
  expect((await who.save({ list, name: '自己的', shared: true })).status).toBe(201);
  await who.send('PUT', `${ids[0]}/start`, { start: true });
  const seen = (await who.see(list)).map(({ id, own }) => (own ? 'own' : id));
  expect(seen).toEqual(['own', ids[0], ...ids.slice(1 - savedViewLimits.shared).toReversed()]);
});

test('a shared view is for colleagues of an area; those of administrators and of deleted accounts are for everybody', async () => {
  const list = 'lamp-pole';
  const of = (workAreas: number[], level = 5) => account(['device.query'], { workAreas, level });
  const [near, far, both, chief] = [await of([1]), await of([otherArea]), await of([1, otherArea]), await of([], 0)];
  const names = async (who: typeof near) => (await who.see(list)).map(({ name }) => name).toSorted();
  const { body: view } = await near.save({ list, name: 'near', shared: true });
  await far.save({ list, name: 'far', shared: true });
  expect(await names(near)).toEqual(['near']);
  expect(await names(both)).toEqual(['far', 'near']);
  expect(await names(chief)).toEqual(['far', 'near']);
  for (const [method, at, body] of [
    ['PUT', `${view.id}/start`, { start: true }],
    ['PATCH', view.id, { name: 'x' }],
    ['DELETE', view.id, undefined],
  ] as const)
    expect((await far.send(method, at, body)).status).toBe(404);
  await chief.save({ list, name: 'chief', shared: true });
  await app.db.insertInto('saved_view').values({ list, name: 'left', conditions: '{}', shared: true }).execute();
  expect(await names(far)).toEqual(['chief', 'far', 'left']);
});

test('the maker is named by the display name; the login name is for those who may query accounts', async () => {
  const [maker, reader, clerk] = [await account(), await account(), await account(['lamp.monitor', 'cscp.user.query'])];
  const { id } = (await maker.save({ name: '谁的', shared: true })).body;
  const makerFor = async (who: typeof reader) => (await who.see()).find((view) => view.id === id)?.maker;
  expect([await makerFor(reader), await makerFor(clerk)]).toEqual([null, maker.username]);
  await maker.rename({ family_name: '张', given_name: '敏' });
  expect([await makerFor(reader), await makerFor(clerk)]).toEqual(['张敏', '张敏']);
  await maker.rename({ nickname: '小张' });
  expect(await makerFor(reader)).toBe('小张');
});

test('who may no longer open the list changes no view that others see; to end sharing and to delete stay', async () => {
  const maker = await account(['lamp.monitor']);
  const { id } = (await maker.save({ name: '共享的', shared: true })).body;
  const own = (await maker.save({ name: '自用的' })).body;
  await maker.withhold('lamp.monitor');
  for (const body of [{ name: '新名' }, { conditions: { q: 'x' } }, { shared: true }])
    expect((await maker.send('PATCH', id, body)).status).toBe(403);
  expect((await maker.send('PATCH', own.id, { shared: true })).status).toBe(403);
  expect((await maker.send('PATCH', id, { shared: false })).status).toBe(200);
  expect((await maker.send('PATCH', id, { name: '新名' })).status).toBe(200);
  expect((await maker.send('DELETE', id)).status).toBe(204);
});

test('others’ views are deleted by those who may edit accounts, open the list and stand above the maker', async () => {
  const maker = await account(['lamp.monitor'], { level: 3 });
  const { id } = (await maker.save({ name: '清理', shared: true })).body;
  const refused = {
    equal: await account(['lamp.monitor', 'cscp.user.edit'], { level: 3 }),
    withoutRight: await account(['lamp.monitor'], { level: 2 }),
    ofAnotherList: await account(['device.query', 'cscp.user.edit'], { level: 2 }),
  };
  for (const who of [refused.equal, refused.withoutRight])
    expect((await who.see()).find((view) => view.id === id)?.deletable).toBe(false);
  for (const who of Object.values(refused)) expect((await who.send('DELETE', id)).status).toBe(403);
  const foreign = await account(['lamp.monitor', 'cscp.user.edit'], { level: 2, workAreas: [otherArea] });
  expect((await foreign.send('DELETE', id)).status).toBe(404);
  const above = await account(['lamp.monitor', 'cscp.user.edit'], { level: 2 });
  expect((await above.see()).find((view) => view.id === id)?.deletable).toBe(true);
  expect((await above.send('DELETE', id)).status).toBe(204);
});

test('an account that is deleted leaves what it shared, without a maker, and nothing else', async () => {
  const [gone, reader] = [await account(['device.query']), await account(['device.query'])];
  const { id } = (await gone.save({ list: 'road', name: '共享', shared: true })).body;
  await gone.save({ list: 'road', name: '自用', start: true });
  await reader.send('PUT', `${id}/start`, { start: true });
  expect((await app.call(`/api/tbUsers/${gone.accountId}`, { method: 'DELETE' })).status).toBe(200);
  expect(await reader.see('road')).toMatchObject([{ name: '共享', maker: null, own: false, start: true }]);
  const left = await app.db.selectFrom('saved_view').select('name').where('list', '=', 'road').execute();
  expect(left.map(({ name }) => name)).not.toContain('自用');
  const clerk = await account(['device.query', 'cscp.user.edit']);
  expect((await clerk.send('DELETE', id)).status).toBe(204);
});
