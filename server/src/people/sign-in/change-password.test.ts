import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../testing/app.ts';
import { signInTestApp } from '../../testing/sign-in.ts';

const app = await signInTestApp();
const initial = 'Initial#Pw42';
const better = 'Quiet#Harbour9';
let next = 1;
const address = () => `10.3.0.${(next += 1)}`;
const refused = { msg: '账号或原密码错误' };

function change(
  userName: string | undefined,
  oldPassword: string,
  newPassword: string,
  options: CallOptions & { userId?: number } = {},
) {
  const body = {
    ...(userName === undefined ? {} : { userName }),
    ...(options.userId === undefined ? {} : { userId: options.userId }),
    oldPassword: app.encrypt(oldPassword),
    newPassword: app.encrypt(newPassword),
  };
  return app.call('/api/system/cscpUserPassword', { token: null, method: 'PUT', body, ...options });
}

async function withGrant(username: string): Promise<string> {
  await app.makeAccount({ username, password: initial, changedAt: null });
  const from = address();
  expect((await app.login(username, initial, { from })).body).toMatchObject({ passwordStatus: 1, token: '' });
  return from;
}

describe('without a session', () => {
  test('within 10 minutes after the sign-in that asked for it, from the same address', async () => {
    const from = await withGrant('grant1');
    const reply = await change('grant1', initial, better, { from });
    expect(reply).toMatchObject({
      status: 200,
      body: { token: expect.stringMatching(/^Bearer /), msg: '修改密码成功！' },
    });
    expect(
      (await app.call('/api/v1/sign-in-links', { method: 'POST', token: String(reply.body['token']) })).status,
    ).toBe(201);
    expect((await app.login('grant1', better, { from })).body).toMatchObject({ passwordStatus: 0 });
    // The grant is used up.
    expect((await change('grant1', better, 'Another#Pole77', { from })).body).toEqual(refused);
    const rows = await app.db
      .selectFrom('operation_log')
      .select(['username', 'uri', 'message', 'params'])
      .where('username', 'in', ['grant1', 'g***1'])
      .where('uri', 'like', '%cscpUserPassword')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      {
        username: 'grant1',
        uri: 'PUT /api/system/cscpUserPassword',
        message: 'account.changePassword',
        params: '{"userName":"grant1"}',
      },
      {
        username: 'g***1',
        uri: 'PUT /api/system/cscpUserPassword',
        message: 'wrongOldPassword',
        params: '{"userName":"g***1"}',
      },
    ]);
  });

  test('not from another address, not after 10 minutes, not for an unknown account; nothing is counted', async () => {
    const from = await withGrant('grant2');
    expect((await change('grant2', initial, better, { from: address() })).body).toEqual(refused);
    expect((await change('no-such-account', initial, better, { from })).body).toEqual(refused);
    await app.clock.advance(10 * 60_000);
    expect((await change('grant2', initial, better, { from })).body).toEqual(refused);
    expect(
      await app.db
        .selectFrom('sign_in_failure')
        .selectAll()
        .where('name_key', '=', 'grant2')
        .where('spent', '=', false)
        .execute(),
    ).toEqual([]);
  });

  test('a wrong old password counts and locks under the same lock as signing in', async () => {
    const from = await withGrant('grant3');
    for (let count = 0; count < 4; count += 1)
      expect((await change('grant3', 'wrong', better, { from })).body).toEqual(refused);
    expect((await change('grant3', 'wrong', better, { from })).body).toEqual({
      msg: '账号已被锁定，请在1小时后重试。',
    });
    expect((await change('grant3', initial, better, { from })).body).toEqual({
      msg: '账号已被锁定，请在1小时后重试。',
    });
    expect((await app.login('grant3', initial, { from })).body).toMatchObject({ attempts: 0, lockoutTime: 3600 });
  });
});

/** Resolves when so many queries wait for a lock. */
const waiting = (count: number) =>
  expect
    .poll(
      async () => {
        const { rows } = await sql<{
          n: number;
        }>`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'`.execute(app.db);
        return rows[0]?.n;
      },
      { timeout: 20_000 },
    )
    .toBe(count);

describe('with a session', () => {
  async function signedIn(username: string): Promise<{ token: string; id: number }> {
    const id = await app.makeAccount({ username, password: initial });
    return { id, token: String((await app.login(username, initial, { from: address() })).body['token']) };
  }

  test('only the own account, by name or by id; other sessions end, the own goes on with a new token', async () => {
    const { token, id } = await signedIn('own1');
    const other = await app.sessions.begin({ accountId: id, remember: true, address: 'x', userAgent: undefined });
    const ended: (readonly number[])[] = [];
    app.bus.subscribe('session.ended', ({ sessionIds }) => ended.push(sessionIds));
    expect((await change('admin', initial, better, { token })).body).toEqual(refused);
    expect((await change(undefined, initial, better, { token, userId: 1 })).body).toEqual(refused);
    const reply = await change(undefined, initial, better, { token, userId: id });
    expect(reply.body).toHaveProperty('token');
    expect((await app.call('/api/tbUsers/tbCurrentUser', { token: other })).status).toBe(401);
    expect((await app.call('/api/tbUsers/tbCurrentUser', { token: String(reply.body['token']) })).status).toBe(200);
    expect(ended).toHaveLength(1);
  });

  test('the new password must meet the rule and be none of the last five', async () => {
    const { token } = await signedIn('own2');
    const used = [initial, 'Second#Pole22', 'Third#Pole333', 'Fourth#Pole44', 'Fifth#Pole555'];
    for (const [index, password] of used.entries()) {
      if (index > 0)
        expect((await change('own2', used[index - 1] ?? '', password, { token, from: address() })).body).toHaveProperty(
          'token',
        );
    }
    const current = used.at(-1) ?? '';
    for (const password of used) {
      expect(
        (await change('own2', current, password, { token, from: address(), headers: { 'accept-language': 'en-US' } }))
          .body,
      ).toEqual({ msg: 'The last 5 passwords cannot be used again' });
    }
    const weak = await change('own2', current, 'short', {
      token,
      from: address(),
      headers: { 'accept-language': 'en-US' },
    });
    expect(weak.body['msg']).toMatch(/^The new password does not meet the rule: 8 to 20 characters/);
    await change('own2', current, 'Sixth#Pole666', { token, from: address() });
    expect((await change('own2', 'Sixth#Pole666', initial, { token, from: address() })).body).toHaveProperty('token');
  });

  test('the eleventh update of a minute from one address is 429', async () => {
    const from = address();
    const replies = [];
    for (let count = 0; count < 11; count += 1) replies.push((await change('nobody', 'x', 'y', { from })).status);
    expect(replies).toEqual([...Array<number>(10).fill(200), 429]);
  });
});

describe('at the same moment, by one account', () => {
  test.for([
    ['a password change', 'a sign-in'],
    ['a sign-in', 'a sign-in by link'],
    ['a sign-in by link', 'a sign-in'],
  ] as const)('%s and %s do not wait for each other in a circle', async (kinds, { expect: is }) => {
    const username = `circle-${kinds.join('-').replaceAll(' ', '')}`;
    await app.makeAccount({ username, password: initial });
    const from = address();
    const token = String((await app.login(username, initial, { from })).body['token']);
    const link = (await app.call<{ token: string }>('/api/v1/sign-in-links', { method: 'POST', token, from })).body
      .token;
    const begin = {
      'a password change': () => change(username, initial, better, { token, from }),
      'a sign-in': () => app.login(username, initial, { from }),
      'a sign-in by link': () =>
        app.call('/api/v1/sign-in-links/exchange', { token: null, from, body: { token: link } }),
    };
    // Both have come to where they write when the account's row is let go.
    const both = await app.db.transaction().execute(async (tx) => {
      await sql`SELECT 1 FROM account WHERE username = ${username} FOR UPDATE`.execute(tx);
      const first = begin[kinds[0]]();
      await waiting(1);
      const second = begin[kinds[1]]();
      await waiting(2);
      return { all: Promise.all([first, second]) };
    });
    is((await both.all).map(({ status }) => status)).toEqual([200, 200]);
  });
});
