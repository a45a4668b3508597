import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { rightsRoutes } from './index.ts';

const app = await testApp({ routes: ({ db }) => rightsRoutes({ db }) });
const other = (
  await app.db
    .insertInto('work_area')
    .values({ work_name: '另一区', work_code: 'OTHER' })
    .returning('id')
    .executeTakeFirstOrThrow()
).id;
// The first account is an administrator without a work group.
await app.db.updateTable('account').set({ nickname: '管理员' }).where('id', '=', 1).execute();
const ask = (token: string, permission = 'lamp.control', workAreaId?: number) =>
  app.call<{ names: string[]; more: boolean }>(`/api/v1/rights/holders?permission=${permission}`, {
    token,
    ...(workAreaId === undefined ? {} : { workAreaId }),
  });
const holder = async (username: string, workAreas: number[], nickname: string | null = null): Promise<number> => {
  const { accountId } = await app.signIn({ username, permissions: ['lamp.control'], workAreas });
  await app.db.updateTable('account').set({ nickname }).where('id', '=', accountId).execute();
  return accountId;
};
const { token } = await app.signIn({ username: 'asker', permissions: ['lamp.monitor'], workAreas: [1] });
const wang = await holder('wang', [1], '王强');
await holder('li', [1], '李红');
await holder('far', [other], '远方');

test('colleagues of the area who have the right, by name and nothing else', async () => {
  const { status, body } = await ask(token);
  expect(status).toBe(200);
  expect(body).toEqual({ names: expect.arrayContaining(['王强', '李红']), more: false });
  expect(body.names).toHaveLength(3);
});

test('administrators see every area: they stand after its own people, however recently they were active', async () => {
  const now = new Date();
  await app.db
    .insertInto('account_activity')
    .values({ account_id: 1, last_active_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ last_active_at: now }))
    .execute();
  expect((await ask(token)).body.names.at(-1)).toBe('管理员');
  expect((await ask(token, 'system.health')).body).toEqual({ names: ['管理员'], more: false });
});

test('a right that nobody has, and one that does not exist', async () => {
  const held = app.db.updateTable('account').where('id', '=', 1);
  await held.set({ disabled: true }).execute();
  expect((await ask(token, 'system.health')).body).toEqual({ names: [], more: false });
  await held.set({ disabled: false }).execute();
  expect((await ask(token, 'no.such')).status).toBe(400);
});

test('a login name is for those who may query accounts; others learn that there is somebody without a name', async () => {
  const set = (nickname: string | null) =>
    app.db.updateTable('account').set({ nickname, family_name: null, given_name: null }).where('id', '=', 1).execute();
  await set(null);
  expect((await ask(token, 'system.health')).body).toEqual({ names: [], more: true });
  const registrar = await app.signIn({ username: 'clerk', permissions: ['cscp.user.query'], workAreas: [1] });
  expect((await ask(registrar.token, 'system.health')).body).toEqual({ names: ['admin'], more: false });
  await app.db.updateTable('account').set({ family_name: '周', given_name: '敏' }).where('id', '=', 1).execute();
  expect((await ask(token, 'system.health')).body).toEqual({ names: ['周敏'], more: false });
  await set('管理员');
});

test('disabled accounts and the asker are left out', async () => {
  await app.db.updateTable('account').set({ disabled: true }).where('id', '=', wang).execute();
  expect((await ask(token)).body.names).toEqual(['李红', '管理员']);
  await app.db.updateTable('account').set({ disabled: false }).where('id', '=', wang).execute();
  const own = await app.signIn({ username: 'own', permissions: ['lamp.control'], workAreas: [other] });
  expect((await ask(own.token)).body.names).toEqual(['远方', '管理员']);
});

test('the area in force decides; a foreign one is refused', async () => {
  const both = await app.signIn({ username: 'both', permissions: ['lamp.monitor'], workAreas: [1, other] });
  expect((await ask(both.token, 'lamp.control', other)).body.names).toEqual(expect.arrayContaining(['远方']));
  expect((await ask(both.token, 'lamp.control', other)).body.names).not.toContain('李红');
  expect((await ask(token, 'lamp.control', other)).status).toBe(403);
});

test('people of an organisation above the work group count; five names at most', async () => {
  const organisation = async (name: string, parent_id: number | null): Promise<number> =>
    (await app.db.insertInto('organisation').values({ name, parent_id }).returning('id').executeTakeFirstOrThrow()).id;
  const city = await organisation('市局', null);
  const team = await organisation('一班', city);
  const group = await app.db
    .selectFrom('work_group')
    .select('id')
    .where('work_area_id', '=', 1)
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('organisation_work_group')
    .values({ organisation_id: team, work_group_id: group.id })
    .execute();
  const chief = await holder('chief', [], '局长');
  await app.db.insertInto('organisation_account').values({ organisation_id: city, account_id: chief }).execute();
  expect((await ask(token)).body.names).toContain('局长');
  for (const name of ['h1', 'h2', 'h3']) await holder(name, [1], name);
  const { names, more } = (await ask(token)).body;
  expect([names.length, more]).toEqual([5, true]);
});
