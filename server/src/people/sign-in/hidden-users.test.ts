import { expect, test } from 'vitest';
import { signInTestApp } from '../../testing/sign-in.ts';

const app = await signInTestApp({ hideUnknownUsers: true, captchaOff: true });
await app.makeAccount({ username: 'real', password: 'Lantern#Road7' });

test('with LOGIN_HIDE_UNKNOWN_USERS an unknown account counts and locks like a known one, word for word', async () => {
  for (const attempts of [4, 3, 2, 1, 0, 0]) {
    const [known, unknown] = await Promise.all(
      ['real', 'unreal'].map((name) => app.login(name, 'wrong', { from: '10.4.0.1', captcha: {} })),
    );
    expect(known?.status).toBe(401);
    expect(known?.body).toMatchObject({ attempts });
    const { requestId: _known, ...knownBody } = known?.body ?? {};
    const { requestId: _unknown, ...unknownBody } = unknown?.body ?? {};
    expect(unknownBody).toEqual(knownBody);
  }
  const { username } = await app.db
    .selectFrom('login_log')
    .select('username')
    .where('username', 'like', 'u%')
    .executeTakeFirstOrThrow();
  expect(username).toBe('u***l');
});
