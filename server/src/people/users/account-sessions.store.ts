import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

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

export const hasAccount = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** The sessions of an account that have not ended, the one used last first. */
export async function findOpenSessions(db: Db, accountId: number, now: Date): Promise<OpenSession[]> {
  const { rows } = await sql<OpenSession>`
    SELECT s.id, s.address, s.user_agent AS "userAgent", s.created_at AS "createdAt",
      s.last_active_at AS "lastActiveAt", s.expires_at AS "expiresAt", s.remember, p.username AS "previewBy"
    FROM session s LEFT JOIN account p ON p.id = s.preview_by
    WHERE s.account_id = ${accountId} AND s.expires_at > ${now}
      AND (s.remember OR s.last_active_at > ${new Date(now.getTime() - idleMs)})
    ORDER BY s.last_active_at DESC, s.id DESC LIMIT ${most}`.execute(db);
  return rows;
}

export const hasSession = async (tx: Transaction, accountId: number, id: number): Promise<boolean> =>
  (await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()) !== undefined;
