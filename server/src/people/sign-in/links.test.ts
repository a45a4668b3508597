import { expect, test } from 'vitest';
import { signInTestApp } from '../../testing/sign-in.ts';

const app = await signInTestApp();
let next = 1;
const address = () => `10.4.0.${(next += 1)}`;
const make = async (token = app.adminToken) =>
  (await app.call<{ token: string; expiresAt: string }>('/api/v1/sign-in-links', { method: 'POST', token })).body;
const exchange = (token: string, from = address(), more: object = {}) =>
  app.call<Record<string, string>>('/api/v1/sign-in-links/exchange', { token: null, from, body: { token, ...more } });
const refused = { status: 400, body: { code: 2011 } };
const lastTry = (ip: string) =>
  app.db
    .selectFrom('login_log')
    .select(['username', 'message', 'status'])
    .where('ip', '=', ip)
    .orderBy('id', 'desc')
    .executeTakeFirst();

test('a link tells whose it is, signs in once, and both ends are written down', async () => {
  const { token } = await make();
  expect(token).toMatch(/^Bearer%[\w-]{43}$/);
  expect((await exchange(token, address(), { peek: true })).body).toEqual({ name: '管理员', username: 'admin' });
  const from = address();
  const reply = await exchange(token, from);
  expect(reply).toMatchObject({ status: 200, body: { username: 'admin', token: expect.stringMatching(/^Bearer /) } });
  expect(reply.headers['authorization']).toBe(reply.body['token']);
  expect((await app.call('/api/tbUsers/tbCurrentUser', { token: reply.body['token'] ?? '' })).status).toBe(200);
  expect(await lastTry(from)).toEqual({ username: 'admin', message: 'signedInByLink', status: 'success' });
  expect(await exchange(token, from)).toMatchObject(refused);
  expect(await lastTry(from)).toMatchObject({ message: 'badSignInLink', status: 'failure' });
  expect(
    await app.db
      .selectFrom('operation_log')
      .select('params')
      .where('message', '=', 'signInLink.create')
      .executeTakeFirst(),
  ).toEqual({ params: null });
});

test('it is good for 60 seconds', async () => {
  const [early, late] = [await make(), await make()];
  await app.clock.advance(59_000);
  expect((await exchange(early.token)).status).toBe(200);
  await app.clock.advance(1000);
  expect(await exchange(late.token)).toMatchObject(refused);
  expect(await exchange(late.token, address(), { peek: true })).toMatchObject(refused);
});

test('the token of a session is no link, in whatever spelling', async () => {
  for (const token of [app.adminToken, app.adminToken.replace(' ', '%'), app.adminToken.replace('Bearer ', '')])
    expect(await exchange(token)).toMatchObject(refused);
  expect((await app.call('/api/v1/sign-in-links', { method: 'POST', token: null })).status).toBe(401);
});

test('a changed password ends the links that were given out before', async () => {
  await app.makeAccount({ username: 'linked', password: 'Quiet#Harbour9' });
  const signedIn = String((await app.login('linked', 'Quiet#Harbour9', { from: address() })).body['token']);
  const { token } = await make(signedIn);
  const changed = await app.call('/api/system/cscpUserPassword', {
    method: 'PUT',
    token: signedIn,
    from: address(),
    body: { userName: 'linked', oldPassword: app.encrypt('Quiet#Harbour9'), newPassword: app.encrypt('Bridge?Moon81') },
  });
  expect(changed.body['token']).toMatch(/^Bearer /);
  expect(await exchange(token)).toMatchObject(refused);
});

test('bad links count as failed tries of their address', async () => {
  const from = address();
  for (let tries = 0; tries < 30; tries += 1)
    expect((await exchange(`Bearer%nothing-${tries}`, from)).status).toBe(400);
  const reply = await exchange((await make()).token, from);
  expect(reply.status).toBe(429);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});
