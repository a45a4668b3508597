import type { Language } from '../../../../catalogue/languages.ts';
import type { ErrorName } from '../../../../contract/errors.ts';
import {
  addressKey,
  fill,
  texts,
  type Caller,
  type OperationRecorder,
  type TextValues,
} from '../../platform/http/index.ts';
import {
  checkPassword,
  hashPassword,
  nameKey,
  passwordRuleText,
  passwordWeaknesses,
  type SignInAccount,
} from '../accounts/index.ts';
import { writtenUnknownName } from '../../desk/operation-log/index.ts';
import { endSignInLinks } from './links.store.ts';
import type { OpenAttempt } from './locks.ts';
import { lockedValues, type SignInParts } from './sign-in.service.ts';
import { signInTexts } from './texts.ts';

export type ChangePasswordParts = Omit<SignInParts, 'captchas' | 'rates' | 'config'> & {
  readonly operations: OperationRecorder;
};

export interface PasswordChange {
  readonly caller: Caller | undefined;
  readonly userId: number | undefined;
  readonly userName: string | undefined;
  /** Both as they travelled. */
  readonly oldPassword: string;
  readonly newPassword: string;
  /** The session's, as it was sent. */
  readonly token: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly language: Language;
  readonly uri: string;
}

interface Refused {
  readonly code: ErrorName;
  readonly values?: TextValues;
}

/**
 * Changes a password; both outcomes are an answer. Without a session it needs the grant of a sign-in that asked for the
 * change; without one, and for an unknown account, it answers exactly as for a wrong old password and counts nothing.
 */
export function createPasswordChange(
  parts: ChangePasswordParts,
): (change: PasswordChange) => Promise<{ token?: string; msg: string }> {
  return async (change) => {
    const account = await entitled(parts, change);
    if (!account) await checkPassword(undefined, undefined);
    const result = account ? await tryChange(parts, change, account) : { code: 'wrongOldPassword' as const };
    if ('token' in result) return { token: result.token, msg: signInTexts(change.language).passwordChanged };
    await writeRefused(parts, change, account, result.code);
    const { title, detail } = texts(change.language).errors[result.code];
    return { msg: fill(change.language, detail ?? title, result.values ?? {}) };
  };
}

/**
 * The account whose password this caller may change at all: the session's own, or one with a grant for this address.
 */
async function entitled(
  parts: ChangePasswordParts,
  { caller, userId, userName, address }: PasswordChange,
): Promise<SignInAccount | undefined> {
  if (caller) {
    const named = userName !== undefined && userName.trim() !== '';
    const own =
      (userId === undefined || userId === caller.accountId) &&
      (!named || nameKey(userName) === nameKey(caller.username));
    return own && (named || userId !== undefined) ? parts.accounts.findById(caller.accountId) : undefined;
  }
  const account = await parts.accounts.findByName(userName ?? '');
  if (!account || account.disabled) return undefined;
  return (await parts.grants.holds(account.id, addressKey(address))) ? account : undefined;
}

async function tryChange(
  parts: ChangePasswordParts,
  change: PasswordChange,
  account: SignInAccount,
): Promise<Refused | { token: string }> {
  const attempt = await parts.locks.begin({
    nameKey: nameKey(account.username),
    address: addressKey(change.address),
    accountId: account.id,
  });
  if ('lockedFor' in attempt) return { code: 'accountLocked', values: lockedValues(attempt.lockedFor) };
  if (!(await checkPassword(account.passwordHash, parts.openPassword(change.oldPassword)))) {
    const { attempts, lockoutTime } = await attempt.wrong();
    return attempts > 0 ? { code: 'wrongOldPassword' } : { code: 'accountLocked', values: lockedValues(lockoutTime) };
  }
  const password = parts.openPassword(change.newPassword);
  const refused = await refusalOf(parts, account, password);
  if (refused || password === undefined) {
    await attempt.withdraw();
    return refused ?? { code: 'weakPassword', values: { rule: passwordRuleText } };
  }
  return { token: await store(parts, change, account, await hashPassword(password), attempt) };
}

async function refusalOf(
  parts: ChangePasswordParts,
  account: SignInAccount,
  password: string | undefined,
): Promise<Refused | undefined> {
  if (password === undefined || (await passwordWeaknesses(password, account.username)).length > 0)
    return { code: 'weakPassword', values: { rule: passwordRuleText } };
  return (await parts.accounts.isRepeated(account, password)) ? { code: 'repeatedPassword' } : undefined;
}

async function store(
  parts: ChangePasswordParts,
  change: PasswordChange,
  account: SignInAccount,
  passwordHash: string,
  attempt: OpenAttempt,
): Promise<string> {
  const { caller, address, userAgent } = change;
  const { token, announce } = await parts.db.transaction().execute(async (tx) => {
    await parts.accounts.storePassword(tx, account, passwordHash);
    await attempt.right(tx);
    await parts.grants.takeBack(tx, account.id);
    const ended = await parts.sessions.endAll(tx, account.id, caller?.sessionId);
    await endSignInLinks(tx, account.id);
    await parts.operations.write(
      {
        accountId: account.id,
        username: account.username,
        uri: change.uri,
        ip: address,
        at: parts.clock.now(),
        params: { userName: account.username },
        message: 'account.changePassword',
        status: 200,
      },
      tx,
    );
    if (caller) {
      await parts.sessions.confirm(tx, caller.sessionId);
      return {
        token: await parts.sessions.rotate(
          { sessionId: caller.sessionId, token: change.token ?? '', remember: true },
          tx,
        ),
        announce: ended,
      };
    }
    await parts.accounts.storeLogin(tx, account.id);
    await parts.loginLog.write({ username: account.username, known: true, address, outcome: 'passwordChanged' }, tx);
    return {
      token: await parts.sessions.begin({ accountId: account.id, remember: false, address, userAgent }, tx),
      announce: ended,
    };
  });
  announce();
  return token;
}

async function writeRefused(
  parts: ChangePasswordParts,
  change: PasswordChange,
  account: SignInAccount | undefined,
  code: ErrorName,
): Promise<void> {
  const username = account?.username ?? change.caller?.username ?? writtenUnknownName(change.userName ?? '');
  await parts.operations.write({
    accountId: account?.id ?? change.caller?.accountId ?? null,
    username,
    uri: change.uri,
    ip: change.address,
    at: parts.clock.now(),
    params: { userName: username },
    message: code,
    status: 200,
  });
}
