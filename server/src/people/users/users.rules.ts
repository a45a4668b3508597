import type { Permission } from '../../../../contract/permissions.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { isManageable } from '../accounts/index.ts';

/** The account of a fresh installation: it always exists. */
export const firstAccountId = 1;

export function refuseRank(caller: Caller, level: number): void {
  if (!isManageable(caller, level)) throw refuse('rankTooHigh');
}

/** An administrator gives every level, anybody else levels below his own. */
export function refuseLevel(caller: Caller, level: number | undefined): void {
  if (level !== undefined && !isManageable(caller, level)) throw refuse('levelTooHigh');
}

/** Acting as another account gives its rights: an account that is no administrator must hold all of them itself. */
export function refuseBeyond(
  caller: Caller,
  {
    permissions,
    workAreaIds,
  }: { readonly permissions: ReadonlySet<Permission>; readonly workAreaIds: readonly number[] },
): void {
  if (caller.level === 0) return;
  const { workAreas } = caller;
  const seesAll = workAreas === 'all' || workAreaIds.every((id) => workAreas.includes(id));
  if (!seesAll || ![...permissions].every((code) => caller.permissions.has(code))) throw refuse('accountBeyond');
}

/** Nobody deletes, disables or demotes the account he is signed in with. */
export function refuseOwn(caller: Caller, accountId: number): void {
  if (accountId === caller.accountId) throw refuse('ownAccount');
}
