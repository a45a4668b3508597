import { beforeAll, describe, expect, test } from 'vitest';
import { signInTestApp, type SignInTestApp } from '../../testing/sign-in.ts';
import { hashPassword } from '../accounts/index.ts';
import { usersRoutes } from './index.ts';

const minute = 60_000;
const password = 'Lantern#7x';
let app: SignInTestApp;
let areas: number[];
let next = 0;

beforeAll(async () => {
  app = await signInTestApp({
    routes: (parts) =>
      usersRoutes({
        ...parts,
        openPassword: (text) => app.feature.openPassword(text),
        checkOwnPassword: (...of) => app.feature.checkOwnPassword(...of),
      }),
  });
  const { id } = await app.db
    .insertInto('work_area')
    .values({ work_code: 'A2', work_name: '西区' })
    .returning('id')
    .executeTakeFirstOrThrow();
  areas = [1, id];
});

const codes = ['cscp.user.query', 'cscp.user.edit', 'lamp.monitor'];
/** An account whose password is known; level 2, with codes and areas. */
async function operator({
  level = 2,
  permissions = codes,
  workAreas = [1],
}: { level?: number; permissions?: string[]; workAreas?: number[] } = {}) {
  const username = `op${(next += 1)}`;
  const made = await app.signIn({ username, level, permissions, workAreas });
  await app.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(password), email: `${username}@example.com`, mobile: '13912345678' })
    .where('id', '=', made.accountId)
    .execute();
  return { ...made, username };
}
const reset = (id: number, token: string) => app.call(`/api/tbUsers/replacement/${id}`, { method: 'PUT', token });
const unlock = (id: number, token: string) => app.call(`/api/v1/accounts/${id}/unlock`, { method: 'POST', token });
const confirm = (token: string, given = password, from = '127.0.0.1') =>
  app.call('/api/v1/me/confirm', { token, from, body: { password: app.encrypt(given) } });
const edit = (token: string, id: number, fields: object, more: object = {}) =>
  app.call('/api/system/cscpUserDetails', {
    method: 'PUT',
    token,
    body: { cscpUserDetailDTO: { id, ...fields }, currentUserPwd: app.encrypt(password), ...more },
  });

describe('who acts as another account gets what it holds', () => {
  test.each([
    ['a code that the caller does not hold', { permissions: [...codes, 'lamp.control'], area: 0 }],
    ['a work area that the caller does not see', { permissions: ['lamp.monitor'], area: 1 }],
  ])(
    '%s: no reset, no unlock, no new password, no new address; nothing changes',
    async (_what, { permissions, area }) => {
      const caller = await operator();
      const { accountId, token } = await operator({ level: 3, permissions, workAreas: [areas[area] ?? 0] });
      const before = await app.db
        .selectFrom('account')
        .selectAll()
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      const tries = [
        await reset(accountId, caller.token),
        await unlock(accountId, caller.token),
        await edit(caller.token, accountId, { email: 'mine@example.com' }),
        await edit(caller.token, accountId, {}, { newPassword: app.encrypt('Quiet#Harbour9') }),
        await edit(caller.token, accountId, { nickname: 'x' }, { newPassword: app.encrypt('Quiet#Harbour9') }),
      ];
      expect(tries.map(({ status, body }) => [status, body['code']])).toEqual(tries.map(() => [403, 1214]));
      expect(
        await app.db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow(),
      ).toEqual(before);
      expect((await app.call('/api/tbUsers/getSelect', { token })).status, 'its sessions go on').toBe(200);
      expect(
        (await edit(caller.token, accountId, { familyName: '周' })).status,
        'what gives no power is edited by rank',
      ).toBe(200);
      expect((await reset(accountId, app.adminToken)).status, 'an administrator may').toBe(200);
    },
  );

  test('an account that holds no more than the caller is reset and unlocked', async () => {
    const caller = await operator({ workAreas: areas });
    const { accountId } = await operator({ level: 3, permissions: ['lamp.monitor'] });
    expect([(await unlock(accountId, caller.token)).status, (await reset(accountId, caller.token)).status]).toEqual([
      204, 200,
    ]);
  });

  test('nobody resets himself', async () => {
    expect(await reset(1, app.adminToken)).toMatchObject({ status: 400, body: { code: 3106 } });
    const { accountId, token } = await operator();
    expect((await reset(accountId, token)).status).toBe(400);
  });
});

describe('a reset needs the password of at most 30 minutes ago', () => {
  test('a sign-in counts, a refresh of its token does not; a confirmation is good for its session only', async () => {
    const caller = await operator();
    const from = '10.8.0.1';
    const { accountId } = await operator({ level: 3, permissions: [] });
    const token = String((await app.login(caller.username, password, { from, remember: 1 })).body['token']);
    const other = await app.sessions.begin({
      accountId: caller.accountId,
      remember: true,
      address: from,
      userAgent: undefined,
    });
    await app.clock.advance(29 * minute);
    const refreshed = String((await app.call('/api/system/refreshToken?rememberme=1', { token })).body['token']);
    expect((await reset(accountId, refreshed)).status).toBe(200);
    await app.clock.advance(minute + 1);
    const asked = await reset(accountId, refreshed);
    expect(asked).toMatchObject({ status: 403, body: { code: 1213, message: '为此操作需要再次输入您的登录密码。' } });
    expect((await confirm(refreshed, password, from)).status).toBe(204);
    expect([(await reset(accountId, refreshed)).status, (await reset(accountId, other)).status]).toEqual([200, 403]);
    const rows = await app.db
      .selectFrom('operation_log')
      .select(['params', 'status'])
      .where('username', '=', caller.username)
      .where('message', '=', 'session.confirm')
      .execute();
    expect(rows).toEqual([{ params: '{"body":{"password":"***"}}', status: 204 }]);
  });

  test('a session begun by a sign-in link proves no password', async () => {
    const caller = await operator();
    const { accountId } = await operator({ level: 3, permissions: [] });
    const link = (await app.call('/api/v1/sign-in-links', { method: 'POST', token: caller.token })).body['token'];
    const token = String(
      (await app.call('/api/v1/sign-in-links/exchange', { token: null, body: { token: link } })).body['token'],
    );
    expect((await reset(accountId, token)).body).toMatchObject({ code: 1213 });
  });

  test('wrong ones are refused with the tries that are left; the fifth ends the session and locks like at the sign-in', async () => {
    const caller = await operator();
    const from = '10.8.0.2';
    const left = [];
    for (let at = 1; at < 5; at += 1) left.push((await confirm(caller.token, 'Wrong#Guess1', from)).body['attempts']);
    expect(left).toEqual([4, 3, 2, 1]);
    expect((await confirm(caller.token, 'Wrong#Guess1', from)).status).toBe(401);
    expect((await app.call('/api/tbUsers/getSelect', { token: caller.token })).status).toBe(401);
    expect((await app.login(caller.username, password, { from })).body).toMatchObject({
      attempts: 0,
      lockoutTime: 3600,
    });
    // A further session of the same account, by a stolen link say, has no tries of its own.
    const other = await app.sessions.begin({
      accountId: caller.accountId,
      remember: true,
      address: from,
      userAgent: undefined,
    });
    expect(await confirm(other, password, from)).toMatchObject({
      status: 429,
      body: { code: 2003 },
      headers: { 'retry-after': '3600' },
    });
  });

  test('tries at the same moment cannot slip past', async () => {
    const caller = await operator();
    const tries = await Promise.all(
      Array.from({ length: 8 }, (_, at) => confirm(caller.token, `Wrong#Guess${at}`, '10.8.0.3')),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(4);
    expect((await app.call('/api/tbUsers/getSelect', { token: caller.token })).status).toBe(401);
  });

  test('plain text is a wrong password; the right one of somebody else too', async () => {
    const caller = await operator();
    expect(
      await app.call('/api/v1/me/confirm', { token: caller.token, from: '10.8.0.4', body: { password } }),
    ).toMatchObject({ status: 400, body: { code: 2010, attempts: 4 } });
    expect((await app.call('/api/v1/me/confirm', { token: caller.token, from: '10.8.0.4', body: {} })).status).toBe(
      400,
    );
  });
});

describe('telephone numbers', () => {
  const details = (token: string, id: number) =>
    app.call<{ mobile: string | null }>(`/api/system/cscpUserDetailsByUserId?userId=${id}`, { token });

  test('are masked for whoever may not look at accounts; a masked one sent back leaves the stored one, another one replaces it', async () => {
    const caller = await operator({ permissions: ['cscp.user.edit'] });
    const { accountId } = await operator({ level: 3, permissions: [] });
    expect((await details(caller.token, accountId)).body.mobile).toBe('139****5678');
    expect((await details(caller.token, caller.accountId)).body.mobile, 'one’s own').toBe('13912345678');
    expect((await details(app.adminToken, accountId)).body.mobile).toBe('13912345678');
    const stored = async () =>
      (await app.db.selectFrom('account').select('mobile').where('id', '=', accountId).executeTakeFirstOrThrow())
        .mobile;
    const saved = await edit(caller.token, accountId, { familyName: '周', mobile: '139****5678' });
    expect([saved.status, saved.body['mobile'], await stored()]).toEqual([200, '139****5678', '13912345678']);
    expect((await edit(caller.token, accountId, { mobile: '138****5678' })).status).toBe(400);
    const changed = await edit(caller.token, accountId, { mobile: '13800138000' });
    expect([changed.status, changed.body['mobile'], await stored()]).toEqual([200, '138****8000', '13800138000']);
  });

  test('do not stand whole in the operation log', async () => {
    const { accountId, token } = await operator({ permissions: codes });
    await edit(token, accountId, { mobile: '13700137000', familyName: '周', name: '敏' });
    const rows = await app.db.selectFrom('operation_log').select('params').execute();
    expect(JSON.stringify(rows)).toContain('137****7000');
    expect(JSON.stringify(rows)).not.toContain('13700137000');
  });
});

test.each(['Password1!', 'P@ssw0rd123', 'Summer#2024'])(
  'a common password is refused by every way it can be set: %s',
  async (common) => {
    const caller = await operator();
    const { accountId } = await operator({ level: 3, permissions: [] });
    expect(await edit(caller.token, accountId, {}, { newPassword: app.encrypt(common) })).toMatchObject({
      status: 400,
      body: { params: [{ field: 'newPassword', rule: 'weakPassword' }] },
    });
    const own = await app.call('/api/system/cscpUserPassword', {
      method: 'PUT',
      token: caller.token,
      body: { userName: caller.username, oldPassword: app.encrypt(password), newPassword: app.encrypt(common) },
    });
    expect(own.body).not.toHaveProperty('token');
    expect(own.body['msg']).toContain('常见密码');
  },
);
