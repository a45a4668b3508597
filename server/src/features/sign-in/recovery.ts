import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { hashPassword, nameKey } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { endSignInLinks } from './links.ts';

const initialGoodForMs = 7 * 86_400_000;
/** The account of a fresh installation: its initial password has no end (decisions 3). */
const firstAccountId = 1;

export interface RecoveryParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sessions: Sessions;
}

export interface Recovery {
  /** Lifts every lock of an account name and forgets its failures. False: there is no such account. */
  unlock(username: string): Promise<boolean>;
  /** Makes `password` the account's initial one, unlocks it and ends its sessions. False: there is no such account. */
  reset(username: string, password: string): Promise<boolean>;
}

/** The way back for a locked or forgetful last administrator, used on the machine itself (decisions 1). */
export function createRecovery({ db, clock, sessions }: RecoveryParts): Recovery {
  const note = (username: string, id: number, message: string) => ({
    account_id: id, username, uri: `npm run admin -- ${message.split('.')[1]}`, ip: 'local', at: clock.now(), message, status: 200,
  });
  return {
    unlock: (username) => db.transaction().execute(async (tx) => {
      const account = await tx.selectFrom('account').select(['id', 'username']).where('name_key', '=', nameKey(username)).executeTakeFirst();
      if (!account) return false;
      await tx.deleteFrom('sign_in_lock').where('name_key', '=', nameKey(username)).execute();
      await tx.deleteFrom('sign_in_failure').where('name_key', '=', nameKey(username)).execute();
      await tx.insertInto('operation_log').values(note(account.username, account.id, 'account.unlock')).execute();
      return true;
    }),
    async reset(username, password) {
      const passwordHash = await hashPassword(password);
      const announce = await db.transaction().execute(async (tx) => {
        const account = await tx.selectFrom('account').select(['id', 'username', 'password_hash', 'previous_hashes']).where('name_key', '=', nameKey(username)).executeTakeFirst();
        if (!account) return undefined;
        await tx.updateTable('account').set({
          password_hash: passwordHash, password_changed_at: null, disabled: false,
          initial_password_until: account.id === firstAccountId ? null : new Date(clock.now().getTime() + initialGoodForMs),
          previous_hashes: [account.password_hash, ...account.previous_hashes].slice(0, 4),
        }).where('id', '=', account.id).execute();
        await tx.deleteFrom('sign_in_lock').where('name_key', '=', nameKey(username)).execute();
        await tx.deleteFrom('sign_in_failure').where('name_key', '=', nameKey(username)).execute();
        await tx.insertInto('operation_log').values(note(account.username, account.id, 'account.reset')).execute();
        await endSignInLinks(tx, account.id);
        return sessions.endAll(tx, account.id);
      });
      announce?.();
      return announce !== undefined;
    },
  };
}
