import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { hashPassword, nameKey } from '../people/accounts/index.ts';
import { createSignInFeature, signInRoutes, type SignInFeature } from '../people/sign-in/index.ts';
import { createLoginAppearances, loginAppearanceRoutes } from '../people/appearance/index.ts';
import { openKeys, rsaPair } from '../platform/keys/index.ts';
import { testApp, type CallOptions, type Reply, type TestApp, type TestAppOptions } from './app.ts';

export interface SignInTestApp extends TestApp {
  readonly feature: SignInFeature;
  /** The password as it travels: OAEP by default, PKCS#1 v1.5 as family clients do. */
  encrypt(password: string, padding?: 'oaep' | 'pkcs1'): string;
  makeAccount(account: {
    username: string;
    password: string;
    changedAt?: Date | null;
    disabled?: boolean;
    initialUntil?: Date;
    level?: number;
  }): Promise<number>;
  /** A fresh captcha's headers with the right code. */
  captcha(): Promise<Record<string, string>>;
  login(
    username: string,
    password: string,
    options?: CallOptions & { remember?: unknown; captcha?: Record<string, string> },
  ): Promise<Reply>;
}

/** An app with everything around signing in; accounts get the first role. */
export async function signInTestApp(
  options: TestAppOptions & { hideUnknownUsers?: boolean; captchaOff?: boolean } = {},
): Promise<SignInTestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-keys-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let feature: SignInFeature | undefined;
  const app = await testApp({
    ...options,
    routes: async (parts) => {
      const rsa = await rsaPair(openKeys(join(folder, 'secret.key')), parts.db);
      feature = createSignInFeature({
        ...parts,
        rsa,
        config: { captcha: options.captchaOff !== true, hideUnknownUsers: options.hideUnknownUsers ?? false },
      });
      return [
        ...signInRoutes(feature),
        ...loginAppearanceRoutes(createLoginAppearances(parts)),
        ...((await options.routes?.(parts)) ?? []),
      ];
    },
  });
  if (!feature) throw new Error('the routes were not made');
  const key = createPublicKey({ key: Buffer.from(feature.publicKey, 'base64'), format: 'der', type: 'spki' });
  const encrypt: SignInTestApp['encrypt'] = (password, padding = 'oaep') =>
    publicEncrypt(
      padding === 'oaep'
        ? { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
        : { key, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(password),
    ).toString('base64');
  const captcha = async () => {
    const issued = await app.call<Record<string, string>>('/api/catpcha/digitalCaptcha', { token: null });
    const captchaKey = Object.keys(issued.body)[0] ?? '';
    const { code } = await app.db
      .selectFrom('captcha')
      .select('code')
      .where('key', '=', captchaKey)
      .executeTakeFirstOrThrow();
    return { captchaKey, captchaCode: code };
  };
  return {
    ...app,
    feature,
    encrypt,
    captcha,
    async makeAccount({ username, password, changedAt = app.clock.now(), disabled = false, initialUntil, level = 5 }) {
      const { id } = await app.db
        .insertInto('account')
        .values({
          username,
          name_key: nameKey(username),
          level,
          disabled,
          password_hash: await hashPassword(password),
          password_changed_at: changedAt,
          initial_password_until: initialUntil ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await app.db.insertInto('account_role').values({ account_id: id, role_id: 1 }).execute();
      return id;
    },
    async login(username, password, call = {}) {
      const headers = { ...(call.captcha ?? (await captcha())), ...call.headers };
      return app.call('/api/system/login', {
        token: null,
        ...call,
        headers,
        body: { username, password: encrypt(password), rememberme: call.remember ?? 0 },
      });
    },
  };
}
