import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { hashPassword, nameKey, type Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { endSignInLinks } from './links.ts';
import { liftLocks } from './locks.ts';

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
  const note = (username: string, id: number, message: string) => ({
    account_id: id,
    username,
    uri: `npm run admin -- ${message.split('.')[1]}`,
    ip: 'local',
    at: clock.now(),
    message,
    status: 200,
  });
  return {
    unlock: (username) =>
      db.transaction().execute(async (tx) => {
        const account = await tx
          .selectFrom('account')
          .select(['id', 'username'])
          .where('name_key', '=', nameKey(username))
          .executeTakeFirst();
        if (!account) return false;
        await liftLocks(tx, nameKey(username));
        await tx
          .insertInto('operation_log')
          .values(note(account.username, account.id, 'account.unlock'))
          .execute();
        return true;
      }),
    async reset(username, password) {
      const passwordHash = await hashPassword(password);
      const announce = await db.transaction().execute(async (tx) => {
        const account = await tx
          .selectFrom('account')
          .select(['id', 'username'])
          .where('name_key', '=', nameKey(username))
          .executeTakeFirst();
        if (!account) return undefined;
        await accounts.giveInitialPassword(tx, account.id, passwordHash);
        await tx.updateTable('account').set({ disabled: false }).where('id', '=', account.id).execute();
        await liftLocks(tx, nameKey(username));
        await tx
          .insertInto('operation_log')
          .values(note(account.username, account.id, 'account.reset'))
          .execute();
        await endSignInLinks(tx, account.id);
        return sessions.endAll(tx, account.id);
      });
      announce?.();
      return announce !== undefined;
    },
  };
}
