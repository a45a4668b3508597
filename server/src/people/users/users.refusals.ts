import type { Transaction } from '../../platform/db/index.ts';
import { refuse, refuseFields, type Caller } from '../../platform/http/index.ts';
import { userTexts } from './texts.ts';
import type { Problem } from './users.specified.ts';
import * as store from './users.store.ts';

/** Refuses what would leave nobody who may administer: two administrators cannot remove each other. */
export async function refuseLast(
  tx: Transaction,
  account: store.LockedAccount,
  keptRoles: readonly number[] = [],
): Promise<void> {
  if (account.level !== 0 || account.disabled || keptRoles.includes(store.firstRoleId)) return;
  const administrators = await store.lockAdministrators(tx);
  if (administrators.length === 1 && administrators[0] === account.id) throw refuse('lastAdministrator');
}

export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw refuseFields(...problems);
}

/** An account grants only roles whose menus it holds itself. */
export async function refuseBeyond(tx: Transaction, caller: Caller, roleIds: readonly number[]): Promise<void> {
  const beyond = await store.rolesBeyond(tx, roleIds, caller.accountId);
  if (beyond.length > 0) throw refuse('roleNotHeld', { roles: beyond.join(', ') });
}

/** Another request took the name, or deleted a role, at the same moment. */
export async function orTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === '23505')
      throw refuse(
        'taken',
        { what: (language) => userTexts(language).nameTaken },
        { fields: [{ field: 'username', rule: 'taken' }] },
      );
    if (code === '23503') throw refuseFields({ field: 'roles', rule: 'notFound' });
    throw thrown;
  }
}
