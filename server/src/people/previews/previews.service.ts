import { refuse, type Caller, type RequestContext } from '../../platform/http/index.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import * as store from './previews.store.ts';

export interface PreviewsParts {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
}

export interface Begun {
  readonly token: string;
  readonly username: string;
  readonly displayName: string;
}

export type Previews = ReturnType<typeof createPreviews>;

/**
 * Looking through another account's eyes: a session of its own that reads what that account reads and can change
 * nothing (refused in platform/http), flagged with the administrator, ended with his session. It is no sign-in: no
 * login log, no last sign-in.
 */
export function createPreviews({ accounts, sessions }: PreviewsParts) {
  return {
    /** Refuses everybody but an administrator, a higher rank, the caller's own account and a disabled one. */
    async begin(
      caller: Caller,
      accountId: number,
      { change, address, headers }: Pick<RequestContext, 'change' | 'address' | 'headers'>,
    ): Promise<Begun> {
      if (caller.level !== 0) throw refuse('onlyAdministrators');
      const target = await accounts.findById(accountId);
      if (!target) throw refuse('notFound');
      if (accountId === caller.accountId) throw refuse('ownPreview');
      if (target.level < caller.level) throw refuse('rankTooHigh');
      if (target.disabled) throw refuse('accountDisabled');
      const displayName = await accounts.displayName(accountId);
      const token = await change({ action: 'account.preview', through: target.username }, async (tx) => {
        // Both must be there until the preview stands: it ends with either of them.
        if (!(await store.holdSession(tx, caller.sessionId))) throw refuse('sessionEnded');
        if (!(await store.holdAccount(tx, accountId))) throw refuse('notFound');
        return sessions.begin(
          {
            accountId,
            remember: false,
            address,
            userAgent: headers['user-agent'],
            preview: { by: caller.accountId, sessionId: caller.sessionId },
          },
          tx,
        );
      });
      return { token, username: target.username, displayName };
    },
  };
}
