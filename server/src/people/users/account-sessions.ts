import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller, type RequestContext } from '../../platform/http/index.ts';
import type { Sessions } from '../sessions/index.ts';
import * as store from './account-sessions.store.ts';
import { lockAccount } from './users.store.ts';
import { refuseRank } from './users.rules.ts';

/** The open sessions of one account, for its administrators. */
export function createAccountSessions({ db, clock, sessions }: { db: Db; clock: Clock; sessions: Sessions }) {
  async function refuseForeign(tx: Transaction, caller: Caller, accountId: number): Promise<void> {
    const account = await lockAccount(tx, accountId);
    if (!account) throw refuse('notFound');
    if (accountId !== caller.accountId) refuseRank(caller, account.level);
  }
  return {
    async list(caller: Caller, accountId: number) {
      if (!(await store.hasAccount(db, accountId))) throw refuse('notFound');
      const rows = await store.findOpenSessions(db, accountId, clock.now());
      const data = rows.map(({ createdAt, lastActiveAt, expiresAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        lastActiveAt: lastActiveAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        own: row.id === caller.sessionId,
      }));
      return { data, recordsTotal: data.length };
    },

    async end(caller: Caller, change: RequestContext['change'], accountId: number, sessionId: number): Promise<void> {
      const announce = await change({ action: 'account.endSession' }, async (tx) => {
        await refuseForeign(tx, caller, accountId);
        if (!(await store.hasSession(tx, accountId, sessionId))) throw refuse('notFound');
        return sessions.end(tx, sessionId);
      });
      announce();
    },

    async endAll(caller: Caller, change: RequestContext['change'], accountId: number): Promise<void> {
      const announce = await change({ action: 'account.endSessions' }, async (tx) => {
        await refuseForeign(tx, caller, accountId);
        return sessions.endAll(tx, accountId, accountId === caller.accountId ? caller.sessionId : undefined);
      });
      announce();
    },
  };
}
