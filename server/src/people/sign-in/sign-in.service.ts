import type { ErrorName } from '../../../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import {
  addressKey,
  refuse,
  type RateWindows,
  type RefusalDetails,
  type TextValues,
} from '../../platform/http/index.ts';
import { checkPassword, nameKey, type Accounts, type PasswordStatus, type SignInAccount } from '../accounts/index.ts';
import type { LoginLog } from '../../desk/operation-log/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { Captchas } from './captcha.ts';
import { rememberAddress, type Grants } from './grants.store.ts';
import type { Locks, OpenAttempt } from './locks.ts';
import type { OpenPassword } from './open-password.ts';
import { durationText } from './texts.ts';

export interface SignInParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly locks: Locks;
  readonly grants: Grants;
  readonly loginLog: LoginLog;
  readonly rates: RateWindows;
  readonly openPassword: OpenPassword;
  readonly config: { readonly captcha: boolean; readonly hideUnknownUsers: boolean };
}

export interface SignInRequest {
  readonly username: string;
  /** As it travelled. */
  readonly password: string;
  readonly remember: boolean;
  readonly captcha: { readonly key: string | undefined; readonly code: string | undefined };
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface SignedIn {
  /** "" while the password must be changed first. */
  readonly token: string;
  readonly passwordStatus: PasswordStatus;
  readonly attempts: number;
  readonly lockoutTime: number;
}

/** Failed tries per address and minute; the key of their count. */
export const failedTries = 'login';

/** What the problem body of a locked account carries. */
export const lockedValues = (seconds: number): { readonly duration: TextValues[string] } => ({
  duration: (language) => durationText(language, seconds),
});

/** Signs in: checks in the order captcha, lock, account, password; every try leaves one row in the login log. */
export function createSignIn(parts: SignInParts): (request: SignInRequest) => Promise<SignedIn> {
  const { accounts, captchas, locks, config } = parts;
  return async (request) => {
    const account = await accounts.findByName(request.username);
    const fail = (code: ErrorName, values?: TextValues, details?: RefusalDetails) =>
      failed(parts, request, account, code, values, details);
    if (config.captcha && !(await captchas.check(request.captcha.key, request.captcha.code)))
      throw await fail('wrongCaptcha');
    if (!account && !config.hideUnknownUsers) throw await fail('unknownUser');
    const place = { nameKey: nameKey(request.username), address: addressKey(request.address), accountId: account?.id };
    const attempt = await locks.begin(place);
    if ('lockedFor' in attempt)
      throw await fail('accountLocked', lockedValues(attempt.lockedFor), {
        body: { attempts: 0, lockoutTime: attempt.lockedFor },
      });
    const right = await checkPassword(account?.passwordHash, parts.openPassword(request.password));
    if (!account || !right) {
      const { attempts, lockoutTime } = await attempt.wrong();
      throw attempts > 0
        ? await fail('wrongPassword', { attempts }, { body: { attempts } })
        : await fail('accountLocked', lockedValues(lockoutTime), { body: { attempts: 0, lockoutTime } });
    }
    const closed = account.disabled
      ? 'accountDisabled'
      : accounts.initialPasswordIsOver(account)
        ? 'initialPasswordExpired'
        : undefined;
    if (closed) {
      await attempt.withdraw();
      throw await fail(closed);
    }
    return succeed(parts, request, account, attempt);
  };
}

async function failed(
  parts: SignInParts,
  request: SignInRequest,
  account: SignInAccount | undefined,
  code: ErrorName,
  values?: TextValues,
  details?: RefusalDetails,
) {
  await parts.rates.add(failedTries, request.address);
  await parts.loginLog.write({
    username: account?.username ?? request.username,
    known: account !== undefined,
    address: request.address,
    outcome: code,
  });
  return refuse(code, values, details);
}

async function succeed(
  parts: SignInParts,
  request: SignInRequest,
  account: SignInAccount,
  attempt: OpenAttempt,
): Promise<SignedIn> {
  const passwordStatus = parts.accounts.passwordStatus(account);
  const address = addressKey(request.address);
  const attempts = await parts.locks.attempts();
  return parts.db.transaction().execute(async (tx) => {
    if (passwordStatus === 0) await parts.accounts.storeLogin(tx, account.id);
    await attempt.right(tx);
    await rememberAddress(tx, account.id, address, parts.clock.now());
    await parts.loginLog.write(
      {
        username: account.username,
        known: true,
        address: request.address,
        outcome: passwordStatus === 0 ? 'signedIn' : 'passwordChangeNeeded',
      },
      tx,
    );
    if (passwordStatus !== 0) {
      await parts.grants.give(tx, account.id, address);
      return { token: '', passwordStatus, attempts, lockoutTime: 0 };
    }
    const { remember, userAgent } = request;
    const token = await parts.sessions.begin(
      { accountId: account.id, remember, address: request.address, userAgent },
      tx,
    );
    return { token, passwordStatus, attempts, lockoutTime: 0 };
  });
}
