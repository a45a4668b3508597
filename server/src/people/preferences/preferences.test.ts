import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { createPreferences, preferencesRoutes } from './index.ts';

const app = await testApp({
  routes: (parts) => preferencesRoutes(createPreferences({ ...parts, warnings: ['captchaOff'] })),
});
const path = '/api/v1/me/preferences';
const put = (body: unknown) => app.call(path, { method: 'PUT', body });

test('preferences are the account’s own and come back as they were put', async () => {
  const preferences = {
    theme: 'dark',
    density: 'compact',
    'table:lamp/monitor': { columns: ['code', 'level'], widths: { code: 120 } },
  };
  expect((await app.call(path)).body).toEqual({});
  expect(await put(preferences)).toMatchObject({ status: 200, body: preferences });
  expect((await app.call(path)).body).toEqual(preferences);
  const { token } = await app.signIn({ username: 'other' });
  expect((await app.call(path, { token })).body).toEqual({});
});

test('a change of some leaves the others, null removes one, and two at once both stay', async () => {
  const { token } = await app.signIn({ username: 'two' });
  const patch = (body: unknown) => app.call(path, { method: 'PATCH', body, token });
  await patch({ theme: 'dark', 'columns:users': { columns: ['username'] } });
  await Promise.all([
    patch({ theme: null }),
    patch({ 'columns:logs': null, density: 'loose' }),
    patch({ 'columns:users': { columns: ['roles'] } }),
  ]);
  expect((await app.call(path, { token })).body).toEqual({ density: 'loose', 'columns:users': { columns: ['roles'] } });
  expect((await patch({ big: 'x'.repeat(33_000) })).status).toBe(413);
  expect((await app.call(path, { token })).body).toEqual({ density: 'loose', 'columns:users': { columns: ['roles'] } });
});

test.each([
  [{ '': 1 }, 400],
  [{ '1x': 1 }, 400],
  [[], 400],
  [{ big: 'x'.repeat(33_000) }, 413],
])('refused: %#', async (body, status) => {
  expect((await put(body)).status).toBe(status);
});

test('who I am; only administrators hear the site’s warnings', async () => {
  expect((await app.call('/api/v1/me')).body).toMatchObject({
    accountId: 1,
    username: 'admin',
    displayName: '管理员',
    level: 0,
    warnings: ['captchaOff'],
  });
  const { token } = await app.signIn({ username: 'me', permissions: ['lamp.monitor'] });
  expect((await app.call('/api/v1/me', { token })).body).toMatchObject({
    username: 'me',
    displayName: 'me',
    level: 5,
    permissions: ['lamp.monitor'],
    warnings: [],
  });
});

test('how many work areas the account sees: none of them is told apart from none with anything in it', async () => {
  const areasOf = async (token: string) => (await app.call('/api/v1/me', { token })).body['workAreas'];
  const { id } = await app.db
    .insertInto('work_area')
    .values({ work_code: 'E', work_name: '城东' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [{ token: nobody }, { token: member }] = [
    await app.signIn({ username: 'nobody' }),
    await app.signIn({ username: 'member', workAreas: [id] }),
  ];
  expect([await areasOf(app.adminToken), await areasOf(member), await areasOf(nobody)]).toEqual([2, 1, 0]);
});
