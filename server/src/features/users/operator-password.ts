import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { checkPassword, type Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { OpenPassword } from '../sign-in/index.ts';

export interface OperatorPasswordParts {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly openPassword: OpenPassword;
}

/** What clients of the family compare; the same in every language (decisions 5). */
const familyDetail = '管理员密码不正确！';
const mostWrong = 5;

/**
 * Asks whoever edits an account for his own current password. A wrong one is refused; the fifth in a row ends the session. A try
 * counts before it is checked, so that tries at the same moment cannot slip past.
 */
export async function checkOperatorPassword({ db, accounts, sessions, openPassword }: OperatorPasswordParts, caller: Caller, encrypted: string | null | undefined): Promise<void> {
  if (!encrypted?.trim()) throw refuse('wrongOperatorPassword', {}, { detail: familyDetail, fields: [{ field: 'currentUserPwd', rule: 'required' }] });
  const counted = await db.updateTable('session').set((row) => ({ operator_password_failures: row('operator_password_failures', '+', 1) }))
    .where('id', '=', caller.sessionId).where('operator_password_failures', '<', mostWrong).returning('operator_password_failures as tries').executeTakeFirst();
  if (!counted) throw refuse('sessionEnded');
  const account = await accounts.findById(caller.accountId);
  if (await checkPassword(account?.passwordHash, openPassword(encrypted))) {
    await db.updateTable('session').set({ operator_password_failures: 0 }).where('id', '=', caller.sessionId).execute();
    return;
  }
  if (counted.tries >= mostWrong) (await db.transaction().execute((tx) => sessions.end(tx, caller.sessionId)))();
  throw refuse('wrongOperatorPassword', {}, { detail: familyDetail, fields: [{ field: 'currentUserPwd', rule: 'invalid' }] });
}
