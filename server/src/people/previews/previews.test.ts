import { describe, expect, test } from 'vitest';
import type { RouteShape } from '../../../../contract/route.ts';
import { signInTestApp } from '../../testing/sign-in.ts';
import { createPreferences, preferencesRoutes } from '../preferences/index.ts';
import { createPreviews, previewsRoutes } from './index.ts';

const app = await signInTestApp({
  routes: (parts) => [
    ...previewsRoutes(createPreviews(parts)),
    ...preferencesRoutes(createPreferences({ ...parts, warnings: [] })),
  ],
});
const minute = 60_000;
const begin = (accountId: number, token = app.adminToken) =>
  app.call(`/api/v1/accounts/${accountId}/preview`, { method: 'POST', token });
const me = (token: string, headers: Record<string, string> = {}) => app.call('/api/v1/me', { token, headers });
const adminSession = () =>
  app.sessions.begin({ accountId: 1, remember: true, address: '127.0.0.1', userAgent: undefined });
const previewed = async (username: string, token?: string) => {
  const { accountId } = await app.signIn({ username, level: 3, permissions: ['lamp.monitor'], workAreas: [1] });
  return { accountId, token: String((await begin(accountId, token)).body['token']) };
};
const logOf = (action: string) =>
  app.db
    .selectFrom('operation_log')
    .select(['account_id', 'username', 'uri', 'message', 'status'])
    .where('message', '~', `(^| )${action}$`)
    .orderBy('id')
    .execute();

describe('a preview', () => {
  test('sees what the account sees, and says who looks; it is no sign-in', async () => {
    const { accountId, token } = await previewed('zhang');
    expect((await me(token)).body).toMatchObject({
      accountId,
      username: 'zhang',
      level: 3,
      permissions: ['lamp.monitor'],
      previewBy: 'admin',
    });
    expect((await me(app.adminToken)).body).not.toHaveProperty('previewBy');
    expect((await app.call('/api/tWorkAreas/getSeletcList', { token })).body['data']).toHaveLength(1);
    expect(await app.db.selectFrom('login_log').select('id').execute()).toEqual([]);
    expect(
      await app.db.selectFrom('known_address').select('address').where('account_id', '=', accountId).execute(),
    ).toEqual([]);
    expect(
      (await app.db.selectFrom('account').select('last_login_at').where('id', '=', accountId).executeTakeFirstOrThrow())
        .last_login_at,
    ).toBeNull();
    expect(await logOf('account.preview')).toEqual([
      {
        account_id: 1,
        username: 'zhang ← admin',
        uri: `POST /api/v1/accounts/${accountId}/preview`,
        message: 'account.preview',
        status: 201,
      },
    ]);
  });

  test('changes nothing, whatever the route; each try is in the log under both names', async () => {
    const { accountId, token } = await previewed('reader');
    const { accountId: other } = await app.signIn({ username: 'else' });
    const tries = [
      ['PUT', '/api/v1/me/preferences', { theme: 'dark' }],
      ['POST', '/api/v1/sign-in-links', {}],
      ['POST', `/api/v1/accounts/${other}/preview`, {}],
      ['PUT', '/api/system/cscpUserPassword', { userName: 'reader', oldPassword: 'x', newPassword: 'y' }],
    ] as const;
    for (const [method, path, body] of tries)
      expect(await app.call(path, { method, body, token })).toMatchObject({ status: 403, body: { code: 1210 } });
    expect(
      (await logOf('previewIsReadOnly')).map(({ account_id: id, username, uri, status }) => [
        id,
        username,
        uri,
        status,
      ]),
    ).toEqual(tries.map(([method, path]) => [1, 'reader ← admin', `${method} ${path}`, 403]));
    expect(
      (await app.db.selectFrom('account').select('preferences').where('id', '=', accountId).executeTakeFirstOrThrow())
        .preferences,
    ).toEqual({});
  });

  test('ends two minutes after the last request, those of the console itself included, and after eight hours at the latest', async () => {
    const { token } = await previewed('watched');
    for (let round = 0; round < 3; round += 1) {
      await app.clock.advance(2 * minute - 1000);
      expect((await me(token, { 'x-background': '1' })).status).toBe(200);
    }
    await app.clock.advance(2 * minute);
    expect((await me(token)).status).toBe(401);
    const long = String((await begin((await app.signIn({ username: 'longer' })).accountId)).body['token']);
    for (let passed = 0; passed < 8 * 60; passed += 1) {
      await app.clock.advance(minute);
      if (passed < 8 * 60 - 1) expect((await me(long)).status).toBe(200);
    }
    expect((await me(long)).status).toBe(401);
  });

  test('rotates, and logs out without the session it came from', async () => {
    const own = await adminSession();
    const { token } = await previewed('turning', own);
    const next = String((await app.call('/api/system/refreshToken?rememberme=1', { token })).body['token']);
    expect((await me(next)).body).toMatchObject({ previewBy: 'admin' });
    expect((await app.call('/api/system/logout', { method: 'POST', token: next })).status).toBe(200);
    expect([(await me(next)).status, (await me(own)).status]).toEqual([401, 200]);
    expect((await logOf('session.end')).map(({ username }) => username)).toEqual(['turning ← admin']);
  });

  test('ends with the administrator’s session, and the bus says so', async () => {
    const own = await adminSession();
    const { token } = await previewed('ending', own);
    const ended: (readonly number[])[] = [];
    const stop = app.bus.subscribe('session.ended', ({ sessionIds }) => ended.push(sessionIds));
    await app.call('/api/system/logout', { method: 'POST', token: own });
    stop();
    expect((await me(token)).status).toBe(401);
    expect(ended.map((ids) => ids.length)).toEqual([2]);
  });

  test.each([
    ['is disabled', { disabled: true }],
    ['is demoted', { level: 1 }],
  ])('ends when the administrator %s', async (_how, change) => {
    const { accountId } = await app.signIn({
      username: `boss${Object.keys(change)[0]}`,
      level: 0,
      permissions: ['account.preview'],
    });
    const boss = await app.sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: undefined });
    const { token } = await previewed(`of${Object.keys(change)[0]}`, boss);
    expect((await me(token)).status).toBe(200);
    await app.db.updateTable('account').set(change).where('id', '=', accountId).execute();
    expect((await me(token)).status).toBe(401);
  });

  test('ends when the administrator loses the code, and with the sessions of the account it looks at', async () => {
    const { accountId, token: boss } = await app.signIn({
      username: 'losing',
      level: 0,
      permissions: ['account.preview'],
    });
    const first = await previewed('kept', boss);
    await app.db.deleteFrom('account_role').where('account_id', '=', accountId).execute();
    expect((await me(first.token)).status).toBe(401);
    const second = await previewed('resetting');
    (await app.db.transaction().execute((tx) => app.sessions.endAll(tx, second.accountId)))();
    expect((await me(second.token)).status).toBe(401);
  });
});

describe('nobody previews', () => {
  test.each([
    ['without the code', { level: 0, permissions: [] }, 'zhang', 1201],
    ['below administrator', { level: 1, permissions: ['account.preview'] }, 'zhang', 1211],
    ['an account that is none', { level: 0, permissions: ['account.preview'] }, null, 1301],
    ['himself', { level: 0, permissions: ['account.preview'] }, 'himself', 3105],
    ['a disabled account', { level: 0, permissions: ['account.preview'] }, 'off', 2005],
  ] as const)('%s', async (_what, { level, permissions }, whom, code) => {
    const username = `p${code}`;
    const { accountId, token } = await app.signIn({ username, level, permissions });
    if (whom === 'off') await app.makeAccount({ username: 'off', password: '-', disabled: true });
    const target =
      whom === 'himself'
        ? accountId
        : ((
            await app.db
              .selectFrom('account')
              .select('id')
              .where('username', '=', whom ?? '')
              .executeTakeFirst()
          )?.id ?? 999_999);
    expect((await begin(target, token)).body).toMatchObject({ code });
  });
});

test('the only calls beyond GET that a preview may make are these', () => {
  const modules = import.meta.glob<Record<string, unknown>>('../../../../contract/*/*.ts', { eager: true });
  const isRoute = (value: unknown): value is RouteShape =>
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
  const open = Object.values(modules)
    .flatMap((exports) => Object.values(exports).filter(isRoute))
    .filter(({ inPreview }) => inPreview !== undefined);
  expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'POST /api/menu/queryByRoleIdPlus',
    'POST /api/system/logout',
    'POST /api/v1/calendars/preview',
    'POST /api/v1/labels',
    'POST /api/v1/lamp-places/preview',
    'POST /api/v1/plan-exceptions/preview',
    'POST /api/v1/publications/preview',
    'POST /api/v1/schedules/preview',
  ]);
});
