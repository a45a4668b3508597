import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { hashPassword, nameKey, type Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { endSignInLinks } from './links.store.ts';
import { liftLocks } from './locks.ts';
import * as store from './recovery.store.ts';

export interface RecoveryParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
}

export interface Recovery {
  /** Lifts every lock of an account name and forgets its failures. False: there is no such account. */
  unlock(username: string): Promise<boolean>;
  /** Makes `password` the account's initial one, unlocks it and ends its sessions. False: there is no such account. */
  reset(username: string, password: string): Promise<boolean>;
}

/** The way back for a locked or forgetful last administrator, used on the machine itself. */
export function createRecovery({ db, clock, accounts, sessions }: RecoveryParts): Recovery {
  const log = (tx: Transaction, account: store.Known, message: string) =>
    store.log(tx, account, `npm run admin -- ${message.split('.')[1]}`, message, clock.now());
  return {
    unlock: (username) =>
      db.transaction().execute(async (tx) => {
        const account = await store.findAccount(tx, nameKey(username));
        if (!account) return false;
        await liftLocks(tx, nameKey(username));
        await log(tx, account, 'account.unlock');
        return true;
      }),
    async reset(username, password) {
      const passwordHash = await hashPassword(password);
      const announce = await db.transaction().execute(async (tx) => {
        const account = await store.findAccount(tx, nameKey(username));
        if (!account) return undefined;
        await accounts.giveInitialPassword(tx, account.id, passwordHash);
        await store.enable(tx, account.id);
        await liftLocks(tx, nameKey(username));
        await log(tx, account, 'account.reset');
        await endSignInLinks(tx, account.id);
        return sessions.endAll(tx, account.id);
      });
      announce?.();
      return announce !== undefined;
    },
  };
}
