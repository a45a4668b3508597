import { describe, expect, test } from 'vitest';
import { signInTestApp } from '../../testing/sign-in.ts';

const app = await signInTestApp();
const good = 'Lantern#Road7';
const minute = 60_000;
// Every test speaks from an address of its own: limits and locks are per address.
let next = 1;
const address = () => `10.1.0.${(next += 1)}`;
const loginLog = (name: string) =>
  app.db
    .selectFrom('login_log')
    .select(['username', 'message', 'status', 'times'])
    .where('username', 'like', `${name}%`)
    .orderBy('id')
    .execute();

describe('signing in', () => {
  test('a right password gives a token that works, in the body and in the header', async () => {
    await app.makeAccount({ username: 'liwei', password: good });
    const reply = await app.login('liwei', good, { from: address() });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      token: expect.stringMatching(/^Bearer [\w-]{43}$/),
      passwordStatus: 0,
      attempts: 5,
      lockoutTime: 0,
    });
    expect(reply.headers['authorization']).toBe(reply.body['token']);
    expect((await app.call('/api/tbUsers/tbCurrentUser', { token: String(reply.body['token']) })).body).toMatchObject({
      username: 'liwei',
      roleIds: '1',
      roleNames: 'admin',
    });
    expect(await loginLog('liwei')).toEqual([{ username: 'liwei', message: 'signedIn', status: 'success', times: 1 }]);
  });

  test('the account name counts without regard to case and width', async () => {
    expect((await app.login('ＬiＷei ', good, { from: address() })).status).toBe(200);
  });

  test.each([
    ['missing', () => ({ captchaKey: '', captchaCode: '' })],
    ['wrong', async () => ({ ...(await app.captcha()), captchaCode: '!!!!' })],
    [
      'used',
      async () => {
        const captcha = await app.captcha();
        await app.login('liwei', 'x', { captcha, from: address() });
        return captcha;
      },
    ],
    [
      'expired',
      async () => {
        const captcha = await app.captcha();
        await app.clock.advance(5 * minute);
        return captcha;
      },
    ],
  ])('a captcha that is %s: 500, whoever asks', async (_kind, captcha) => {
    const reply = await app.login('liwei', good, { captcha: await captcha(), from: address() });
    expect(reply).toMatchObject({ status: 500, body: { code: 2004, message: '验证码错误', msg: '验证码错误' } });
  });

  test('a wrong captcha is used up: the right code after it is refused too', async () => {
    const captcha = await app.captcha();
    expect(
      (await app.login('liwei', good, { captcha: { ...captcha, captchaCode: 'NOPE' }, from: address() })).status,
    ).toBe(500);
    expect((await app.login('liwei', good, { captcha, from: address() })).status).toBe(500);
  });

  test('an unknown account: 400, and the log keeps only its first and last character', async () => {
    expect(await app.login('Xpassword!', good, { from: address() })).toMatchObject({
      status: 400,
      body: { code: 2001, message: '用户不存在' },
    });
    expect((await loginLog('X')).at(-1)).toMatchObject({ username: 'X***!', message: 'unknownUser' });
  });

  test.each(['plain text', '', 'AAAA', Buffer.alloc(256, 7).toString('base64')])(
    'a password that does not decrypt (%j) is a wrong password',
    async (password) => {
      const reply = await app.call('/api/system/login', {
        token: null,
        headers: await app.captcha(),
        from: address(),
        body: { username: 'liwei', password: password || ' ', rememberme: 0 },
      });
      expect(reply).toMatchObject({ status: 401, body: { attempts: 4, code: 2002 } });
    },
  );

  test('a disabled account and an initial password that is over are told so only with the right password', async () => {
    await app.makeAccount({ username: 'closed', password: good, disabled: true });
    await app.makeAccount({ username: 'overdue', password: good, changedAt: null, initialUntil: app.clock.now() });
    expect(await app.login('closed', good, { from: address() })).toMatchObject({ status: 403, body: { code: 2005 } });
    expect(await app.login('overdue', good, { from: address() })).toMatchObject({ status: 403, body: { code: 2006 } });
    expect(await app.login('closed', 'no', { from: address() })).toMatchObject({ status: 401, body: { attempts: 4 } });
  });

  test('passwordStatus: 1 for an initial password, 2 for one older than 3 months; then the token is empty', async () => {
    await app.makeAccount({ username: 'fresh', password: good, changedAt: null });
    await app.makeAccount({
      username: 'old',
      password: good,
      changedAt: new Date(app.clock.now().getTime() - 93 * 86_400_000),
    });
    expect((await app.login('fresh', good, { from: address() })).body).toMatchObject({ token: '', passwordStatus: 1 });
    const old = await app.login('old', good, { from: address() });
    expect(old.body).toMatchObject({ token: '', passwordStatus: 2 });
    expect(old.headers['authorization']).toBeUndefined();
  });
});

describe('locks', () => {
  test('five wrong passwords: 4, 3, 2, 1 left, then locked for an hour; the right password too; then free again', async () => {
    await app.makeAccount({ username: 'lockme', password: good });
    const from = address();
    for (const attempts of [4, 3, 2, 1]) {
      const reply = await app.login('lockme', 'wrong', { from });
      expect(reply).toMatchObject({
        status: 401,
        body: { attempts, code: 2002, message: `密码错误，还可以尝试 ${attempts} 次。` },
      });
      expect(reply.body).not.toHaveProperty('lockoutTime');
    }
    expect(await app.login('lockme', 'wrong', { from })).toMatchObject({
      status: 401,
      body: { attempts: 0, lockoutTime: 3600, code: 2003, message: '账号已被锁定，请在1小时后重试。' },
    });
    await app.clock.advance(61_000);
    expect(await app.login('lockme', good, { from, headers: { 'accept-language': 'en' } })).toMatchObject({
      status: 401,
      body: { attempts: 0, lockoutTime: 3539, message: 'The account is locked. Please try again in 58 min 59 s.' },
    });
    expect((await app.login('lockme', good, { from: address() })).status).toBe(200);
    await app.clock.advance(3_539_000);
    expect(await app.login('lockme', 'wrong', { from })).toMatchObject({ status: 401, body: { attempts: 4 } });
  });

  test('a success clears the count', async () => {
    await app.makeAccount({ username: 'clears', password: good });
    const from = address();
    for (let count = 0; count < 3; count += 1) await app.login('clears', 'wrong', { from });
    expect((await app.login('clears', good, { from })).status).toBe(200);
    expect((await app.login('clears', 'wrong', { from })).body).toMatchObject({ attempts: 4 });
  });

  test('an IPv6 network of /64 counts as one place', async () => {
    await app.makeAccount({ username: 'sixth', password: good });
    expect((await app.login('sixth', 'wrong', { from: '2001:db8:1:2::5' })).body).toMatchObject({ attempts: 4 });
    expect((await app.login('sixth', 'wrong', { from: '2001:db8:1:2:ffff::9' })).body).toMatchObject({ attempts: 3 });
    expect((await app.login('sixth', 'wrong', { from: '2001:db8:1:3::5' })).body).toMatchObject({ attempts: 4 });
  });

  test('tries at the same moment cannot slip past the limit', async () => {
    await app.makeAccount({ username: 'parallel', password: good });
    const from = address();
    const replies = await Promise.all(Array.from({ length: 8 }, () => app.login('parallel', 'wrong', { from })));
    expect(
      replies
        .map(({ body }) => Number(body['attempts']))
        .filter((attempts) => attempts !== 0)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 3, 4]);
  });

  test('sign-ins of one account at the same moment all succeed', async () => {
    await app.makeAccount({ username: 'together', password: good });
    for (let round = 0; round < 3; round += 1) {
      const from = address();
      const replies = await Promise.all(Array.from({ length: 4 }, () => app.login('together', good, { from })));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  test('50 failures an hour over all addresses lock out the addresses that never signed in', async () => {
    const id = await app.makeAccount({ username: 'spread', password: good });
    const home = address();
    expect((await app.login('spread', good, { from: home })).status).toBe(200);
    await app.db
      .insertInto('sign_in_failure')
      .values(
        Array.from({ length: 49 }, (_, index) => ({
          name_key: 'spread',
          address: `10.9.0.${index}`,
          at: app.clock.now(),
        })),
      )
      .execute();
    expect((await app.login('spread', 'wrong', { from: address() })).body).toMatchObject({ attempts: 4 });
    expect(await app.login('spread', good, { from: address() })).toMatchObject({
      status: 401,
      body: { lockoutTime: 3600 },
    });
    expect((await app.login('spread', good, { from: home })).status).toBe(200);
    await app.db
      .updateTable('known_address')
      .set({ last_at: new Date(app.clock.now().getTime() - 31 * 86_400_000) })
      .where('account_id', '=', id)
      .execute();
    expect((await app.login('spread', good, { from: home })).status).toBe(401);
  });

  test('both limits are settings', async () => {
    await app.makeAccount({ username: 'strict', password: good });
    await app.db
      .insertInto('setting')
      .values([
        { name: 'signIn.attempts', value: '2' },
        { name: 'signIn.lockSeconds', value: '90' },
      ])
      .execute();
    const from = address();
    expect((await app.login('strict', 'wrong', { from })).body).toMatchObject({ attempts: 1 });
    expect((await app.login('strict', 'wrong', { from })).body).toMatchObject({ attempts: 0, lockoutTime: 90 });
    await app.db.deleteFrom('setting').where('name', 'like', 'signIn.%').execute();
  });
});

describe('limits a minute and an address', () => {
  test('the 31st failed try is 429 before anything else is looked at, and leaves one row a minute with a count', async () => {
    const from = address();
    app.clock.set(new Date(Math.ceil(app.clock.now().getTime() / minute) * minute + 10_000));
    for (let count = 0; count < 30; count += 1)
      await app.login('nobody', 'x', { from, captcha: { captchaKey: 'x', captchaCode: 'x' } });
    const reply = await app.call('/api/system/login', { token: null, from, body: { nonsense: true } });
    expect(reply).toMatchObject({
      status: 429,
      headers: { 'retry-after': '50' },
      body: { code: 1501, message: '操作过于频繁，请在 50 秒后重试。' },
    });
    await app.login('liwei', good, { from });
    const stop = app.feature.startCleaning();
    await app.clock.advance(minute);
    stop();
    expect((await loginLog('-')).at(-1)).toEqual({
      username: '-',
      message: 'tooManyTries',
      status: 'failure',
      times: 2,
    });
    expect((await app.login('liwei', good, { from })).status).toBe(200);
  });

  test('60 captcha pictures', async () => {
    const from = address();
    app.clock.set(new Date(Math.ceil(app.clock.now().getTime() / minute) * minute));
    const replies = await Promise.all(
      Array.from({ length: 61 }, () => app.call('/api/catpcha/digitalCaptcha', { token: null, from })),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
