import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import * as store from './captcha.store.ts';
import { captchaAlphabet, drawCaptcha } from './captcha-picture.ts';

const goodForMs = 5 * 60_000;
const length = 4;

export interface Captchas {
  /** A new picture: its key and its image source. */
  issue(): Promise<{ key: string; source: string }>;
  /** Whether the code is right; the picture is used up either way. */
  check(key: string | undefined, code: string | undefined): Promise<boolean>;
  sweep(): Promise<void>;
}

/** Captcha pictures: kept where all processes see them, single use, 5 minutes, compared without case. */
export function createCaptchas({ db, clock }: { db: Db; clock: Clock }): Captchas {
  return {
    async issue() {
      const code = Array.from({ length }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('');
      const key = randomBytes(16).toString('hex');
      await store.insert(db, key, code, new Date(clock.now().getTime() + goodForMs));
      const picture = await drawCaptcha(code, () => randomInt(1_000_000) / 1_000_000);
      return { key, source: `data:image/jpeg;base64,${picture.toString('base64')}` };
    },
    async check(key, code) {
      if (key === undefined || key.length > 100) return false;
      const row = await store.take(db, key);
      return row !== undefined && row.expiresAt > clock.now() && code?.trim().toUpperCase() === row.code;
    },
    sweep: () => store.removeExpired(db, clock.now()),
  };
}

const text = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/**
 * Captcha key and code of a sign-in: `biyiCaptchaKey` and `biyiCaptcha: {"code": "…"}` (family), or `captchaKey` and
 * `captchaCode`.
 */
export function captchaOf(headers: IncomingHttpHeaders): { key: string | undefined; code: string | undefined } {
  const family = text(headers['biyicaptcha']);
  return {
    key: text(headers['biyicaptchakey']) ?? text(headers['captchakey']),
    code: (family === undefined ? undefined : codeIn(family)) ?? text(headers['captchacode']),
  };
}

function codeIn(header: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(header);
    if (typeof parsed === 'object' && parsed !== null && 'code' in parsed) return String(parsed.code);
    return String(parsed);
  } catch {
    return header;
  }
}
