import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller, type RequestContext } from '../../platform/http/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { lockAccount } from './users.store.ts';
import { refuseRank } from './users.rules.ts';

interface OpenSession {
  readonly id: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastActiveAt: Date;
  readonly expiresAt: Date;
  readonly remember: boolean;
  readonly previewBy: string | null;
}

const idleMs = 30 * 60_000;
const most = 200;

/** The open sessions of one account, for its administrators. */
export function createAccountSessions({ db, clock, sessions }: { db: Db; clock: Clock; sessions: Sessions }) {
  async function refuseForeign(tx: Transaction, caller: Caller, accountId: number): Promise<void> {
    const account = await lockAccount(tx, accountId);
    if (!account) throw refuse('notFound');
    if (accountId !== caller.accountId) refuseRank(caller, account.level);
  }
  return {
    async list(caller: Caller, accountId: number) {
      const known = await db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
      if (!known) throw refuse('notFound');
      const now = clock.now();
      const { rows } = await sql<OpenSession>`
        SELECT s.id, s.address, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.last_active_at AS "lastActiveAt", s.expires_at AS "expiresAt", s.remember, p.username AS "previewBy"
        FROM session s LEFT JOIN account p ON p.id = s.preview_by
        WHERE s.account_id = ${accountId} AND s.expires_at > ${now} AND (s.remember OR s.last_active_at > ${new Date(now.getTime() - idleMs)})
        ORDER BY s.last_active_at DESC, s.id DESC LIMIT ${most}`.execute(db);
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
        const session = await tx
          .selectFrom('session')
          .select('id')
          .where('id', '=', sessionId)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (!session) throw refuse('notFound');
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
