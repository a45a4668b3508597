import { addressKey, refuse, type Caller, type RateWindows } from '../../platform/http/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { checkPassword, nameKey, type Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { Locks } from './locks.ts';
import * as store from './own-password.store.ts';
import type { OpenPassword } from './open-password.ts';
import { failedTries, lockedValues } from './sign-in.service.ts';

export interface OwnPasswordParts {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly locks: Locks;
  readonly rates: RateWindows;
  readonly openPassword: OpenPassword;
}

/** `attempts`: how many tries are left for this session; `ended`: this was the last one, the session is over. */
export type OwnPasswordOutcome =
  | { readonly right: true }
  | { readonly right: false; readonly attempts: number; readonly ended: boolean };

/**
 * Whether a signed-in caller knows the password of his own account. It is guessed at like at the sign-in: the same
 * count by name and address, the same locks; besides, the fifth wrong one in a session ends it. `then` runs in the
 * transaction that forgets the failures. Throws `accountLocked` (429) while the account is locked for this address,
 * `sessionEnded` when the session has no try left.
 */
export type CheckOwnPassword = (
  caller: Caller,
  encrypted: string,
  address: string,
  then?: (tx: Transaction) => Promise<void>,
) => Promise<OwnPasswordOutcome>;

const mostWrong = 5;

export function createOwnPassword({
  db,
  accounts,
  sessions,
  locks,
  rates,
  openPassword,
}: OwnPasswordParts): CheckOwnPassword {
  return async (caller, encrypted, address, then) => {
    const attempt = await locks.begin({
      nameKey: nameKey(caller.username),
      address: addressKey(address),
      accountId: caller.accountId,
    });
    if ('lockedFor' in attempt) {
      throw refuse('accountLocked', lockedValues(attempt.lockedFor), {
        status: 429,
        headers: { 'retry-after': String(attempt.lockedFor) },
        body: { attempts: 0, lockoutTime: attempt.lockedFor },
      });
    }
    // A try counts before it is checked, so that tries at the same moment cannot slip past.
    const tries = await store.countTry(db, caller.sessionId, mostWrong);
    if (tries === undefined) {
      await attempt.withdraw();
      throw refuse('sessionEnded');
    }
    const account = await accounts.findById(caller.accountId);
    if (await checkPassword(account?.passwordHash, openPassword(encrypted))) {
      await db.transaction().execute(async (tx) => {
        // The lock of the name comes before the row of the session: the order of resetting or changing a password.
        await attempt.right(tx);
        await store.forgetTries(tx, caller.sessionId);
        await then?.(tx);
      });
      return { right: true };
    }
    await rates.add(failedTries, address);
    await attempt.wrong();
    const ended = tries >= mostWrong;
    if (ended) (await db.transaction().execute((tx) => sessions.end(tx, caller.sessionId)))();
    return { right: false, attempts: mostWrong - tries, ended };
  };
}
