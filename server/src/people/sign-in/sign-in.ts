import type { Stop } from '../../platform/clock.ts';
import type { OperationLog } from '../../desk/operation-log/index.ts';
import type { RsaPair } from '../../platform/keys/index.ts';
import { createCaptchas, type Captchas } from './captcha.ts';
import { createPasswordChange } from './change-password.service.ts';
import { createGrants } from './grants.store.ts';
import { createSignInLinks, type SignInLinks } from './links.ts';
import { createLocks } from './locks.ts';
import { passwordOpener, type OpenPassword } from './open-password.ts';
import { createOwnPassword, type CheckOwnPassword } from './own-password.ts';
import { createSignIn, failedTries, type SignInParts } from './sign-in.service.ts';

export type SignInFeatureParts = Pick<
  SignInParts,
  'db' | 'clock' | 'accounts' | 'sessions' | 'loginLog' | 'rates' | 'config'
> & {
  readonly operations: OperationLog;
  readonly rsa: RsaPair;
};

export interface SignInFeature extends Pick<SignInFeatureParts, 'accounts' | 'sessions'> {
  readonly captchas: Captchas;
  /** False with CAPTCHA=off: pictures are given out, nobody compares their codes. */
  readonly captchaChecked: boolean;
  readonly publicKey: string;
  readonly openPassword: OpenPassword;
  readonly checkOwnPassword: CheckOwnPassword;
  readonly signIn: ReturnType<typeof createSignIn>;
  readonly changePassword: ReturnType<typeof createPasswordChange>;
  readonly links: SignInLinks;
  /** Seconds to wait for an address, by what it does too often. */
  readonly limits: Readonly<Record<'login' | 'captcha' | 'passwordChange', (address: string) => Promise<number>>>;
  /** Ends sessions that are over every second; removes what is over and writes down what was counted every minute. */
  startCleaning(): Stop;
}

const perMinute = { failedTries: 30, captchas: 60, passwordChanges: 10 };

/** Everything around signing in: captcha, keys, locks, sessions, password change, links. */
export function createSignInFeature(parts: SignInFeatureParts): SignInFeature {
  const { clock, rates, sessions, loginLog, operations } = parts;
  const captchas = createCaptchas(parts);
  const locks = createLocks(parts);
  const grants = createGrants(parts);
  const links = createSignInLinks(parts);
  const openPassword = passwordOpener(parts.rsa.privateKey);
  const inner = { ...parts, captchas, locks, grants, openPassword };
  const clean = async () => {
    const windows = await rates.takeEnded();
    await loginLog.writeEnded(windows);
    for (const part of [captchas, locks, grants, links]) await part.sweep();
    await operations.writeCounted();
  };
  const counted = (kind: string, most: number) => async (address: string) =>
    (await rates.add(kind, address)) > most ? rates.secondsLeft() : 0;
  return {
    accounts: parts.accounts,
    sessions,
    captchas,
    captchaChecked: parts.config.captcha,
    publicKey: parts.rsa.publicKey,
    openPassword,
    links,
    checkOwnPassword: createOwnPassword(inner),
    signIn: createSignIn(inner),
    changePassword: createPasswordChange(inner),
    limits: {
      captcha: counted('captcha', perMinute.captchas),
      passwordChange: counted('password', perMinute.passwordChanges),
      login: async (address) => {
        if ((await rates.tries(failedTries, address)) < perMinute.failedTries) return 0;
        await loginLog.countOverLimit(address);
        return rates.secondsLeft();
      },
    },
    startCleaning() {
      // Live sockets close within a second of their session's end, an idle one included.
      const stops = [clock.every(60_000, clean), clock.every(1000, () => sessions.sweep())];
      return () => stops.forEach((stop) => stop());
    },
  };
}
