import { expect, test } from 'vitest';
import { signInTestApp } from '../../testing/sign-in.ts';

/**
 * Plays a client of the specification's family literally: its headers, the text `undefined` where it has no token yet,
 * PKCS#1 v1.5, flags as text, bodies form-encoded or JSON. It knows nothing of ours.
 */
const app = await signInTestApp();
const password = '灯Pole#2046x';
await app.makeAccount({ username: 'family', password });
const family = await app.db
  .selectFrom('account')
  .select('id')
  .where('name_key', '=', 'family')
  .executeTakeFirstOrThrow();

const standing = { 'accept-language': 'zh-CN', timezoneoffset: '0', workid: 'undefined' };
const noToken = { ...standing, authorization: 'undefined' };

async function get(url: string, headers: Record<string, string>) {
  const reply = await app.app.inject({ method: 'GET', url, headers, remoteAddress: '10.2.0.1' });
  return {
    status: reply.statusCode,
    body: reply.headers['content-type']?.toString().includes('json') ? (JSON.parse(reply.body) as unknown) : reply.body,
    headers: reply.headers,
  };
}

async function signIn(encoding: 'json' | 'form', headers: Record<string, string>) {
  const fields = { username: 'family', password: app.encrypt(password, 'pkcs1'), rememberme: '1' };
  const reply = await app.app.inject({
    method: 'POST',
    url: '/api/system/login',
    remoteAddress: '10.2.0.1',
    headers: {
      ...noToken,
      ...headers,
      'content-type': encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    payload:
      encoding === 'form'
        ? new URLSearchParams(fields).toString()
        : JSON.stringify({ ...fields, somethingTheServerDoesNotKnow: true }),
  });
  return { status: reply.statusCode, body: JSON.parse(reply.body) as Record<string, unknown>, headers: reply.headers };
}

async function solve() {
  const { body } = await get('/api/catpcha/digitalCaptcha', noToken);
  const [key = '', source] = Object.entries(body as Record<string, string>)[0] ?? [];
  const { code } = await app.db.selectFrom('captcha').select('code').where('key', '=', key).executeTakeFirstOrThrow();
  return { key, source, code: code.toLowerCase() };
}

test('the captcha is an object whose first key is the key and whose value is an image source', async () => {
  const { source } = await solve();
  expect(source).toMatch(/^data:image\/jpeg;base64,\/9j\//);
});

test.each(['json', 'form'] as const)(
  'it signs in with its own headers, %s-encoded, the code in lower case',
  async (encoding) => {
    const { key, code } = await solve();
    const reply = await signIn(encoding, { biyiCaptchaKey: key, biyiCaptcha: JSON.stringify({ code }) });
    expect(reply).toMatchObject({ status: 200, body: { passwordStatus: 0 } });
    expect(reply.headers['authorization']).toBe(reply.body['token']);
    const { remember } = await app.db
      .selectFrom('session')
      .select('remember')
      .where('account_id', '=', family.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(remember).toBe(true);
  },
);

test('its whole way: sign in, menus, current user, refresh, password rule, logout', async () => {
  const { key, code } = await solve();
  const { body } = await signIn('json', { biyiCaptchaKey: key, biyiCaptcha: JSON.stringify({ code }) });
  const signedIn = { ...standing, authorization: String(body['token']) };
  for (const path of ['/api/user/cscpMenus', '/api/system/cscpMenus']) {
    const menus = (await get(path, signedIn)).body as Record<string, unknown>[];
    expect(menus[0]).toMatchObject({
      parentId: 0,
      type: 'menu1',
      name: 'lamp',
      title: '智慧路灯',
      url: '/lamp',
      orderby: 0,
      permissionCode: null,
    });
    expect(Object.keys(menus[0] ?? {}).toSorted()).toEqual([
      'component',
      'icon',
      'id',
      'language',
      'name',
      'orderby',
      'parentId',
      'permissionCode',
      'title',
      'type',
      'url',
    ]);
  }
  expect((await get('/api/tbUsers/tbCurrentUser', signedIn)).body).toMatchObject({
    id: family.id,
    userId: family.id,
    username: 'family',
  });
  expect((await get('/api/tWorkAreas/getSeletcList', { ...signedIn, workid: '999' })).body).toEqual({
    success: true,
    msg: '',
    data: [],
  });
  expect((await get('/api/system/cscpUserPasswordRule', noToken)).body).toContain('8 至 20 个字符');
  const refreshed = (await get('/api/system/refreshToken?rememberme=undefined', signedIn)).body as { token: string };
  expect(refreshed.token).toMatch(/^Bearer /);
  const bare = { ...standing, authorization: refreshed.token.replace('Bearer ', '') };
  expect((await get('/api/tbUsers/tbCurrentUser', bare)).status).toBe(200);
  await app.app.inject({ method: 'POST', url: '/api/system/logout', headers: bare });
  expect(await get('/api/tbUsers/tbCurrentUser', bare)).toMatchObject({
    status: 401,
    body: { code: 1102, message: '登录信息已过期，请重新登录。' },
  });
  expect((await get('/api/tbUsers/tbCurrentUser', signedIn)).status).toBe(401);
});

test('the branding call, by its id, before signing in', async () => {
  expect(await get('/api/sysLoginDisposes/1', noToken)).toMatchObject({
    status: 200,
    body: { code: 0, data: { name: '智慧灯杆管理平台', title: '智慧灯杆管理平台', logo: null, ico: null } },
  });
  await app.db
    .insertInto('login_appearance')
    .values({ id: 2, host: 'river.example', name: '滨江照明', title: '滨江照明', logo: 'data:image/png;base64,AA' })
    .execute();
  expect((await get('/api/sysLoginDisposes/2', noToken)).body).toEqual({
    code: 0,
    data: { name: '滨江照明', title: '滨江照明', logo: 'data:image/png;base64,AA', ico: null },
  });
  expect((await get('/api/sysLoginDisposes/3', noToken)).status).toBe(404);
});

test('it changes its password with PKCS#1 v1.5 and goes on with the token of the answer', async () => {
  const { key, code } = await solve();
  const { body } = await signIn('json', { biyiCaptchaKey: key, biyiCaptcha: JSON.stringify({ code }) });
  const reply = await app.app.inject({
    method: 'PUT',
    url: '/api/system/cscpUserPassword',
    headers: { ...standing, authorization: String(body['token']) },
    remoteAddress: '10.2.0.1',
    payload: {
      userId: String(family.id),
      userName: 'family',
      oldPassword: app.encrypt(password, 'pkcs1'),
      newPassword: app.encrypt('Harbour!Lamp88', 'pkcs1'),
    },
  });
  const changed = JSON.parse(reply.body) as Record<string, string>;
  expect(changed).toMatchObject({ token: expect.stringMatching(/^Bearer /), msg: '修改密码成功！' });
  expect((await get('/api/tbUsers/tbCurrentUser', { ...standing, authorization: changed['token'] ?? '' })).status).toBe(
    200,
  );
});
