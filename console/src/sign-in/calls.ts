import type {
  changePassword,
  getCaptcha,
  getLoginAppearance,
  getPasswordRule,
  getPublicKey,
  login,
} from '../../../contract/specified/sign-in.ts';
import type { exchangeSignInLink } from '../../../contract/people/me.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import { request, type Outcome } from './request.ts';

/**
 * The contract is used as types only: its schemas would weigh more than this whole page. A path that the contract
 * changes does not compile here.
 */
const paths = {
  captcha: '/api/catpcha/digitalCaptcha' satisfies (typeof getCaptcha)['path'],
  publicKey: '/api/system/publicKey' satisfies (typeof getPublicKey)['path'],
  login: '/api/system/login' satisfies (typeof login)['path'],
  rule: '/api/system/cscpUserPasswordRule' satisfies (typeof getPasswordRule)['path'],
  password: '/api/system/cscpUserPassword' satisfies (typeof changePassword)['path'],
  exchange: '/api/v1/sign-in-links/exchange' satisfies (typeof exchangeSignInLink)['path'],
} as const;

export interface Captcha {
  readonly key: string;
  readonly image: string;
}

export type CaptchaAnswer = ({ readonly kind: 'ready' } & Captcha) | { readonly kind: 'none' | 'failed' };

/**
 * A fresh captcha picture; `none` when the server says that nobody compares the code (CAPTCHA=off), `failed` when there
 * is no answer.
 */
export async function fetchCaptcha(): Promise<CaptchaAnswer> {
  const key = await fetchPublicKey();
  if (key.kind === 'done' && key.headers.get('X-Captcha') === 'off') return { kind: 'none' };
  const outcome = await request<ReplyOf<typeof getCaptcha>>(paths.captcha);
  if (outcome.kind !== 'done' || typeof outcome.body !== 'object') return { kind: 'failed' };
  const [entry] = Object.entries(outcome.body);
  return entry === undefined || outcome.headers.get('X-Captcha') === 'off'
    ? { kind: 'none' }
    : { kind: 'ready', key: entry[0], image: entry[1] };
}

let publicKey: Promise<Outcome<ReplyOf<typeof getPublicKey>>> | undefined;

/**
 * Fetches the key once and early, so that submitting does not wait for it; a failure is tried again at the next use.
 */
export async function fetchPublicKey(): Promise<Outcome<ReplyOf<typeof getPublicKey>>> {
  publicKey ??= request<ReplyOf<typeof getPublicKey>>(paths.publicKey);
  const outcome = await publicKey;
  if (outcome.kind !== 'done') publicKey = undefined;
  return outcome;
}

/** The cipher arrives with the first key typed: until then the page does without it. */
export const loadCipher = (): Promise<typeof import('../crypto/index.ts')> => import('../crypto/index.ts');

async function encrypted<T>(send: (encrypt: (password: string) => string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const key = await fetchPublicKey();
  if (key.kind !== 'done') return key;
  const cipher = await loadCipher().catch(() => undefined);
  return cipher === undefined
    ? { kind: 'offline' }
    : send((password) => cipher.encryptPassword(key.body.publicKey, password));
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly rememberMe: boolean;
  readonly captcha: Captcha | undefined;
  readonly code: string;
}

/** POST login; the captcha travels in the family's headers (specified 1.2). */
export const signIn = ({
  username,
  password,
  rememberMe,
  captcha,
  code,
}: Credentials): Promise<Outcome<ReplyOf<typeof login>>> =>
  encrypted((encrypt) =>
    request(paths.login, {
      method: 'POST',
      json: { username, password: encrypt(password), rememberme: rememberMe ? 1 : 0 },
      headers:
        captcha === undefined
          ? {}
          : { biyiCaptchaKey: captcha.key, biyiCaptcha: escapeHeader(JSON.stringify({ code })) },
    }),
  );

/** A header carries Latin-1 only: anything else goes as a JSON escape, which means the same. */
const escapeHeader = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const sendNewPassword = (change: {
  userName: string;
  oldPassword: string;
  newPassword: string;
}): Promise<Outcome<ReplyOf<typeof changePassword>>> =>
  encrypted((encrypt) =>
    request(paths.password, {
      method: 'PUT',
      json: {
        userName: change.userName,
        oldPassword: encrypt(change.oldPassword),
        newPassword: encrypt(change.newPassword),
      },
    }),
  );

export const fetchRule = (): Promise<Outcome<ReplyOf<typeof getPasswordRule>>> => request(paths.rule);

/** Spends a sign-in link, or with `peek` only asks whose it is. */
export const exchangeLink = (token: string, peek: boolean): Promise<Outcome<ReplyOf<typeof exchangeSignInLink>>> =>
  request(paths.exchange, { method: 'POST', json: peek ? { token, peek } : { token } });

export const fetchAppearance = (): Promise<Outcome<ReplyOf<typeof getLoginAppearance>>> =>
  request('/api/sysLoginDisposes/1');
