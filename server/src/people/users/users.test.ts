import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../testing/app.ts';
import { loseOnce } from '../../testing/row-locks.ts';
import { usersOffice, type Problem, type Made } from './testing/users.ts';

const { app, fieldsOf, create, put, account } = await usersOffice();

describe('the dialog', () => {
  test('answers code 0 with id and a password that is told once and good for its change only', async () => {
    const made = await create({ username: 'zhoumin', nickname: '周敏', roles: '1', treeLevel: '3' });
    expect(made.body).toMatchObject({
      code: 0,
      data: { id: expect.any(Number) as number, password: expect.stringMatching(/^.{8,20}$/) as string },
    });
    const signedIn = await app.login('zhoumin', made.body.data.password);
    expect(signedIn.body).toMatchObject({ token: '', passwordStatus: 1 });
    const rows = await app.db
      .selectFrom('operation_log')
      .select(['message', 'params', 'status'])
      .where('message', '=', 'account.create')
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(made.body.data.password);
  });

  test.each<[string, object, string[]]>([
    ['everything missing, all at once', {}, ['roles required', 'treeLevel required', 'username required']],
    ['a name of one character', { username: 'x', roles: '1', treeLevel: 5 }, ['username minLength']],
    ['a name of 11 characters', { username: 'x'.repeat(11), roles: '1', treeLevel: 5 }, ['username maxLength']],
    [
      'lengths are code points after trimming: 10 of them',
      { username: ` ${'𠮷'.repeat(11)} `, roles: '1', treeLevel: 5 },
      ['username maxLength'],
    ],
    [
      'a nickname of 21',
      { username: 'goodname', nickname: '好'.repeat(21), roles: '1', treeLevel: 5 },
      ['nickname maxLength'],
    ],
    ['no role', { username: 'goodname', roles: '', treeLevel: 5 }, ['roles required']],
    ['a role that is not there', { username: 'goodname', roles: '1,999999', treeLevel: 5 }, ['roles notFound']],
    ['roles that are no ids', { username: 'goodname', roles: 'admin', treeLevel: 5 }, ['roles type']],
    ['a level that is none', { username: 'goodname', roles: '1', treeLevel: 6 }, ['treeLevel maximum']],
    [
      'a taken name, without regard to case and width',
      { username: 'ＺhouMin', roles: '1', treeLevel: 5 },
      ['username taken'],
    ],
  ])('refuses %s', async (_what, body, expected) => {
    const refused = await create(body);
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toEqual(expected);
  });

  test('two creations of one name: one account', async () => {
    const both = await Promise.all([1, 2, 3].map(() => create({ username: 'twice', roles: '1', treeLevel: 5 })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  test('changes nickname, roles and level and nothing else; fields nobody offers are neither stored nor refused', async () => {
    const id = await account();
    const body = JSON.parse(
      `{"id":"${id}","nickname":"新名","treeLevel":"4","roles":["1"],"username":"other","mobile":"13800138000","email":"a@b.cn","password":"x","version":1}`,
    ) as object;
    expect((await put('/api/tbUsers', body)).body).toMatchObject({ code: 0 });
    expect(
      await app.db
        .selectFrom('account')
        .select(['nickname', 'level', 'mobile', 'email', 'username'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toMatchObject({
      nickname: '新名',
      level: 4,
      mobile: null,
      email: null,
      username: expect.stringMatching(/^u\d+x$/) as string,
    });
    expect((await put('/api/tbUsers', { id, nickname: null, version: 2 })).status).toBe(200);
    expect((await put('/api/tbUsers', { id, nickname: '旧', version: 2 })).status).toBe(409);
    expect((await put('/api/tbUsers', { id: 999_999, nickname: '无' })).status).toBe(404);
    const poisoned = await app.call<Problem>('/api/tbUsers', {
      method: 'PUT',
      body: `{"id":${id},"__proto__":{"treeLevel":0}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect([poisoned.status, poisoned.body.code]).toEqual([400, 1002]);
    expect(await app.db.selectFrom('account').select('level').where('id', '=', id).executeTakeFirst()).toEqual({
      level: 4,
    });
  });
});

describe('the list', () => {
  const list = (query: string, options: CallOptions = {}) =>
    app.call<{ data: Record<string, unknown>[]; recordsTotal: number } & Problem>(`/api/tbUsers?${query}`, options);

  test('finds by name or nickname with the same text, by level, in pages from 1 (0 is also the first)', async () => {
    expect((await list('username=zhou&nickname=zhou')).body.data.map(({ username }) => username)).toEqual(['zhoumin']);
    expect((await list('username=周敏&nickname=周敏')).body.data.map(({ username }) => username)).toEqual(['zhoumin']);
    expect((await list('username=ZHOU')).body.recordsTotal).toBe(1);
    expect((await list('username=100%25')).body.recordsTotal).toBe(0);
    expect((await list('treeLevel=0')).body.data.map(({ username }) => username)).toEqual(['admin']);
    const [zero, first, second] = [
      await list('page=0&size=1&sort=user_id'),
      await list('page=1&size=1&sort=user_id'),
      await list('page=2&size=1&sort=user_id'),
    ];
    expect(zero.body.data).toEqual(first.body.data);
    expect(second.body.data[0]?.['id']).not.toBe(first.body.data[0]?.['id']);
    expect(first.body.data[0]).toMatchObject({
      id: 1,
      username: 'admin',
      roles: '1',
      roleNames: 'admin',
      treeLevel: 0,
      manageable: true,
    });
  });

  test.each(['sort=password_hash', 'sort=user_id,up', 'size=0', 'size=1001', 'page=-1', 'treeLevel=9'])(
    'refuses %s',
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );

  test('says who is locked, until when', async () => {
    await app.db
      .insertInto('sign_in_lock')
      .values({ name_key: 'zhoumin', address: '10.0.0.1', until: new Date(app.clock.now().getTime() + 60_000) })
      .execute();
    const { body } = await list('username=zhoumin');
    expect(body.data[0]?.['lockedUntil']).toBeTruthy();
    expect((await app.call(`/api/v1/accounts/${String(body.data[0]?.['id'])}/unlock`, { method: 'POST' })).status).toBe(
      204,
    );
    expect((await list('username=zhoumin')).body.data[0]?.['lockedUntil']).toBeNull();
  });

  test('levels come as a map in the caller’s language', async () => {
    expect((await app.call('/api/tbUsers/getSelect')).body).toMatchObject({
      code: 0,
      data: { 0: '管理员', 1: 'A', 5: 'E' },
    });
    expect((await app.call('/api/tbUsers/getSelect', { headers: { 'accept-language': 'fr' } })).body).toMatchObject({
      data: { 0: 'Administrateur' },
    });
  });

  test('a name is taken when the call succeeds', async () => {
    expect((await app.call('/api/system/cscpUserExistByUsername?username=ZHOUMIN')).body).toMatchObject({
      success: true,
    });
    expect((await app.call('/api/system/cscpUserExistByUsername?username=free')).body).toMatchObject({
      success: false,
    });
  });
});

describe('ranks', () => {
  test('only administrators manage equals and higher ranks, and give such levels', async () => {
    const [above, below, equal] = [await account(1), await account(4), await account(2)];
    const { token } = await app.signIn({
      username: 'rank2',
      level: 2,
      permissions: ['cscp.user.query', 'cscp.user.add', 'cscp.user.edit', 'cscp.user.del'],
    });
    for (const id of [above, equal]) {
      expect((await put('/api/tbUsers', { id, nickname: 'x' }, { token })).body.code).toBe(1205);
      expect((await app.call<Problem>(`/api/tbUsers/${id}`, { method: 'DELETE', token })).body.code).toBe(1205);
      expect((await put(`/api/tbUsers/replacement/${id}`, {}, { token })).body.code).toBe(1205);
      expect((await app.call<Problem>(`/api/v1/accounts/${id}/unlock`, { method: 'POST', token })).body.code).toBe(
        1205,
      );
      expect((await put(`/api/v1/accounts/${id}/disabled`, { disabled: true }, { token })).body.code).toBe(1205);
      expect((await app.call<Problem>(`/api/v1/accounts/${id}/sessions`, { method: 'DELETE', token })).body.code).toBe(
        1205,
      );
    }
    expect((await put('/api/tbUsers', { id: below, nickname: 'x' }, { token })).status).toBe(200);
    expect((await put('/api/tbUsers', { id: below, treeLevel: 2 }, { token })).body.code).toBe(1206);
    expect((await create({ username: 'toohigh', roles: '1', treeLevel: 1 }, { token })).body.code).toBe(1206);
    // The first role holds entries that this account does not.
    expect((await create({ username: 'toomuch', roles: '1', treeLevel: 5 }, { token })).body.code).toBe(1207);
    expect(
      (await app.call<{ data: { id: number; manageable: boolean }[] }>('/api/tbUsers?size=1000', { token })).body.data
        .filter(({ manageable }) => manageable)
        .map(({ id }) => id),
    ).toContain(below);
  });

  test('the own account is neither deleted, disabled nor demoted; the first one is never deleted', async () => {
    const { accountId, token } = await app.signIn({
      username: 'second',
      level: 0,
      permissions: ['cscp.user.edit', 'cscp.user.del'],
    });
    expect((await app.call<Problem>(`/api/tbUsers/${accountId}`, { method: 'DELETE', token })).body.code).toBe(3101);
    expect((await put(`/api/v1/accounts/${accountId}/disabled`, { disabled: true }, { token })).body.code).toBe(3101);
    expect((await put('/api/tbUsers', { id: accountId, treeLevel: 3 }, { token })).body.code).toBe(3101);
    expect((await app.call<Problem>('/api/tbUsers/1', { method: 'DELETE', token })).body.code).toBe(3103);
    expect((await put('/api/tbUsers', { id: 1, treeLevel: 3 }, { token })).body.code).toBe(3102);
    expect((await put('/api/v1/accounts/1/disabled', { disabled: true }, { token })).body.code).toBe(3102);
  });

  test('two administrators who remove each other: one stays', async () => {
    const [a, b] = [await account(0), await account(0)];
    await app.db.updateTable('account').set({ disabled: true }).where('id', '=', 1).execute();
    const tokens = await Promise.all(
      [a, b].map((accountId) =>
        app.sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: 'test' }),
      ),
    );
    const both = await Promise.all([
      put('/api/tbUsers', { id: b, treeLevel: 3 }, { token: tokens[0] ?? null }),
      put('/api/tbUsers', { id: a, treeLevel: 3 }, { token: tokens[1] ?? null }),
    ]);
    await app.db.updateTable('account').set({ disabled: false }).where('id', '=', 1).execute();
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('passwords, sessions, disabling', () => {
  test('a reset gives a new first password once and ends the sessions', async () => {
    const id = await account();
    const token = await app.sessions.begin({ accountId: id, remember: true, address: '127.0.0.1', userAgent: 'test' });
    const reset = await app.call<Made>(`/api/tbUsers/replacement/${id}`, { method: 'PUT' });
    expect(reset.body).toMatchObject({ code: 0, data: { id } });
    expect((await app.call('/api/tbUsers/getSelect', { token })).status).toBe(401);
    const { username } = (await app.accounts.findById(id)) ?? { username: '' };
    expect((await app.login(username, reset.body.data.password)).body).toMatchObject({ passwordStatus: 1 });
    await app.clock.advance(8 * 86_400_000);
    expect((await app.login(username, reset.body.data.password)).status).toBe(403);
  });

  test('open sessions are listed and ended, one or all; a disabled account has none and gets none', async () => {
    const { accountId, token: admin } = await app.signIn({
      username: 'watcher',
      level: 0,
      permissions: ['cscp.user.query', 'cscp.user.edit', 'cscp.user.del'],
    });
    const id = await app.makeAccount({ username: 'worker', password: 'Lantern#7x' });
    const begin = () =>
      app.sessions.begin({ accountId: id, remember: true, address: '10.1.1.1', userAgent: 'Firefox' });
    const [first, second] = [await begin(), await begin()];
    const list = () =>
      app.call<{ data: { id: number; own: boolean; address: string }[] }>(`/api/v1/accounts/${id}/sessions`, {
        token: admin,
      });
    const { data } = (await list()).body;
    expect(data.map(({ address, own }) => [address, own])).toEqual([
      ['10.1.1.1', false],
      ['10.1.1.1', false],
    ]);
    expect(
      (await app.call(`/api/v1/accounts/${id}/sessions/${data[0]?.id}`, { method: 'DELETE', token: admin })).status,
    ).toBe(204);
    expect(
      (await app.call(`/api/v1/accounts/${accountId}/sessions/${data[1]?.id}`, { method: 'DELETE', token: admin }))
        .status,
    ).toBe(404);
    expect((await list()).body.data).toHaveLength(1);
    expect((await put(`/api/v1/accounts/${id}/disabled`, { disabled: true }, { token: admin })).body).toMatchObject({
      disabled: true,
    });
    for (const token of [first, second]) expect((await app.call('/api/tbUsers/getSelect', { token })).status).toBe(401);
    expect((await app.login('worker', 'Lantern#7x')).status).toBe(403);
    expect((await put(`/api/v1/accounts/${id}/disabled`, { disabled: false }, { token: admin })).status).toBe(200);
    expect((await app.login('worker', 'Lantern#7x')).body).toMatchObject({ passwordStatus: 0 });
    expect((await app.call(`/api/tbUsers/${id}`, { method: 'DELETE', token: admin })).body).toMatchObject({ code: 0 });
    expect((await app.login('worker', 'Lantern#7x')).status).toBe(400);
  });
});

test('a change that the database had to end and that was made again ends sessions once', async () => {
  const id = await account();
  const ended: number[] = [];
  app.bus.subscribe('session.ended', ({ sessionIds }) => ended.push(...sessionIds));
  const token = await app.sessions.begin({ accountId: id, remember: true, address: 'x', userAgent: undefined });
  const { id: session } = await app.db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  await loseOnce(app.db, 'operation_log', 'INSERT');
  const fresh = await app.sessions.begin({ accountId: 1, remember: true, address: 'x', userAgent: undefined });
  expect((await app.call(`/api/tbUsers/replacement/${id}`, { method: 'PUT', token: fresh })).status).toBe(200);
  app.bus.publish('session.ended', { sessionIds: [-1] });
  await expect.poll(() => ended).toContain(-1);
  expect(ended).toEqual([session, -1]);
  expect((await app.call('/api/tbUsers/tbCurrentUser', { token })).status).toBe(401);
});
