import { sql, type RawBuilder } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A session with what its account may do now. */
export interface SessionRow {
  readonly sessionId: number;
  readonly accountId: number;
  readonly username: string;
  readonly level: number;
  readonly disabled: boolean;
  readonly remember: boolean;
  readonly lastActiveAt: Date;
  readonly expiresAt: Date;
  readonly permissionCodes: string[];
  readonly workAreaIds: number[];
}

/** Finds the session of a token that is good or was rotated away less than a minute ago, with the rights of its account: one query. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date): Promise<SessionRow | undefined> {
  const rows = await findSessions(db, sql`session_token t JOIN session s ON s.id = t.session_id`, sql`t.token_hash = ${tokenHash} AND (t.valid_until IS NULL OR t.valid_until > ${now})`);
  return rows[0];
}

/** The same by the sessions' ids. */
export const findSessionsById = (db: Db, ids: readonly number[]): Promise<SessionRow[]> => findSessions(db, sql`session s`, sql`s.id = ANY(${ids as number[]}::bigint[])`);

async function findSessions(db: Db, from: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    SELECT s.id AS "sessionId", a.id AS "accountId", a.username, a.level, a.disabled, s.remember,
           s.last_active_at AS "lastActiveAt", s.expires_at AS "expiresAt",
           ARRAY(
             SELECT DISTINCT m.permission_code FROM account_role ar
             JOIN role_menu rm ON rm.role_id = ar.role_id JOIN menu_entry m ON m.id = rm.menu_id
             WHERE ar.account_id = a.id AND m.permission_code IS NOT NULL
           ) AS "permissionCodes",
           ARRAY(
             WITH RECURSIVE org AS (
               SELECT oa.organisation_id AS id FROM organisation_account oa WHERE oa.account_id = a.id
               UNION SELECT o.id FROM organisation o JOIN org ON o.parent_id = org.id
             )
             SELECT DISTINCT wg.work_area_id FROM work_group wg WHERE wg.id IN (
               SELECT work_group_id FROM work_group_member WHERE account_id = a.id
               UNION SELECT work_group_id FROM organisation_work_group WHERE organisation_id IN (SELECT id FROM org)
             )
           ) AS "workAreaIds"
    FROM ${from} JOIN account a ON a.id = s.account_id
    WHERE ${where}`.execute(db);
  // ARRAY(bigint) arrives as an array of texts.
  return rows.map((row) => ({ ...row, workAreaIds: row.workAreaIds.map(Number) }));
}

export async function insertSession(tx: Db | Transaction, session: {
  accountId: number; remember: boolean; address: string; userAgent: string | null; now: Date; expiresAt: Date; tokenHash: Buffer;
}): Promise<number> {
  const { id } = await tx.insertInto('session').values({
    account_id: session.accountId, remember: session.remember, address: session.address, user_agent: session.userAgent,
    created_at: session.now, last_active_at: session.now, expires_at: session.expiresAt,
  }).returning('id').executeTakeFirstOrThrow();
  await tx.insertInto('session_token').values({ token_hash: session.tokenHash, session_id: id, valid_until: null }).execute();
  return id;
}

/** Gives the session's tokens an end and adds a new one. False: the session has ended meanwhile. */
export async function rotateTokens(tx: Transaction, sessionId: number, newHash: Buffer, oldOnesEnd: Date): Promise<boolean> {
  // The session first, then its tokens: in the order in which its end takes them away, so that neither waits for the other in a circle.
  if (!(await tx.selectFrom('session').select('id').where('id', '=', sessionId).forUpdate().executeTakeFirst())) return false;
  await tx.updateTable('session_token').set({ valid_until: oldOnesEnd }).where('session_id', '=', sessionId).where('valid_until', 'is', null).execute();
  await tx.insertInto('session_token').values({ token_hash: newHash, session_id: sessionId, valid_until: null }).execute();
  return true;
}

export async function setRemember(tx: Transaction, sessionId: number, remember: boolean): Promise<void> {
  await tx.updateTable('session').set({ remember }).where('id', '=', sessionId).execute();
}

export async function touch(db: Db, sessionId: number, now: Date): Promise<void> {
  await db.updateTable('session').set({ last_active_at: now }).where('id', '=', sessionId).execute();
}

/** Ends sessions; returns the ids of those that lived. */
export async function deleteSessions(tx: Db | Transaction, which: { sessionId: number } | { accountId: number; except?: number }): Promise<number[]> {
  const rows = await tx.deleteFrom('session')
    .$if('sessionId' in which, (query) => query.where('id', '=', 'sessionId' in which ? which.sessionId : 0))
    .$if('accountId' in which, (query) => query.where('account_id', '=', 'accountId' in which ? which.accountId : 0).where('id', '<>', 'accountId' in which ? (which.except ?? 0) : 0))
    .returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Removes what is over; returns the ids of the ended sessions. */
export async function deleteEnded(db: Db, now: Date, idleSince: Date): Promise<number[]> {
  await db.deleteFrom('session_token').where('valid_until', '<', now).execute();
  const rows = await db.deleteFrom('session')
    .where((row) => row.or([row('expires_at', '<=', now), row.and([row('remember', '=', false), row('last_active_at', '<=', idleSince)])]))
    .returning('id').execute();
  return rows.map(({ id }) => id);
}
