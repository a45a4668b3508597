import type { Caller } from '../../platform/http/index.ts';
import { maskTelephones } from '../../platform/telephones.ts';

/**
 * The telephone number of an account as this caller sees it: masked for callers that may not look at accounts; one's
 * own is not.
 */
export function telephoneFor(
  caller: Pick<Caller, 'accountId' | 'permissions'>,
  accountId: number,
  mobile: string | null,
): string | null {
  return mobile === null || accountId === caller.accountId || caller.permissions.has('cscp.user.query')
    ? mobile
    : maskTelephones(mobile);
}
