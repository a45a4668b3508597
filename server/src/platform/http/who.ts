import type { Caller } from './context.ts';
import type { OperationEntry } from './parts.ts';

/** Whose row it is in the operation log. Who looks through another account's eyes acts himself, under both names. */
export function whoIs(
  caller: Caller | undefined,
  through?: string,
): Pick<OperationEntry, 'accountId' | 'username' | 'previewBy'> {
  if (!caller) return { accountId: null, username: '-' };
  if (caller.previewBy)
    return { accountId: caller.previewBy.accountId, username: caller.username, previewBy: caller.previewBy.username };
  if (through !== undefined) return { accountId: caller.accountId, username: through, previewBy: caller.username };
  return { accountId: caller.accountId, username: caller.username };
}
