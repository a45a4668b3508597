import { sql, type RawBuilder } from 'kysely';
import { prepared, type Db, type Transaction } from '../../platform/db/index.ts';
import { rightsVersion } from './rights.ts';

/** A session, its account, and the value of the rights counter at that moment. */
export interface SessionRow {
  readonly sessionId: number;
  readonly accountId: number;
  readonly username: string;
  readonly level: number;
  readonly disabled: boolean;
  readonly remember: boolean;
  readonly lastActiveAt: Date;
  readonly expiresAt: Date;
  /** The session it was begun out of, when it only looks through the account's eyes. */
  readonly previewSessionId: number | null;
  readonly rightsVersion: number;
}

/** Finds the session of a token that is good or was rotated away less than a minute ago. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date): Promise<SessionRow | undefined> {
  const rows = await findSessions(
    db,
    prepared('session of a token'),
    sql`session_token t JOIN session s ON s.id = t.session_id`,
    sql`t.token_hash = ${tokenHash} AND (t.valid_until IS NULL OR t.valid_until > ${now})`,
  );
  return rows[0];
}

/** The same by the sessions' ids. */
export const findSessionsById = (db: Db, ids: readonly number[]): Promise<SessionRow[]> =>
  findSessions(db, prepared('sessions by id'), sql`session s`, sql`s.id = ANY(${ids as number[]}::bigint[])`);

async function findSessions(
  db: Db,
  kept: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`${kept}
    SELECT s.id AS "sessionId", a.id AS "accountId", a.username, a.level, a.disabled, s.remember,
      s.last_active_at AS "lastActiveAt",
           s.expires_at AS "expiresAt", s.preview_session_id AS "previewSessionId", ${rightsVersion} AS "rightsVersion"
    FROM ${from} JOIN account a ON a.id = s.account_id
    WHERE ${where}`.execute(db);
  return rows;
}

/** Whether an account may work, and the value of the rights counter at that moment; undefined when it is gone. */
export async function findStanding(
  db: Db,
  accountId: number,
): Promise<Pick<SessionRow, 'level' | 'disabled' | 'rightsVersion'> | undefined> {
  const { rows } = await sql<
    Pick<SessionRow, 'level' | 'disabled' | 'rightsVersion'>
  >`SELECT level, disabled, ${rightsVersion} AS "rightsVersion" FROM account WHERE id = ${accountId}`.execute(db);
  return rows[0];
}

export async function insertSession(
  tx: Db | Transaction,
  session: {
    accountId: number;
    remember: boolean;
    address: string;
    userAgent: string | null;
    now: Date;
    expiresAt: Date;
    tokenHash: Buffer;
    familyHash: Buffer;
    confirmedAt: Date | null;
    preview: { readonly by: number; readonly sessionId: number } | undefined;
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('session')
    .values({
      account_id: session.accountId,
      remember: session.remember,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.now,
      last_active_at: session.now,
      expires_at: session.expiresAt,
      preview_by: session.preview?.by ?? null,
      preview_session_id: session.preview?.sessionId ?? null,
      family_hash: session.familyHash,
      confirmed_at: session.confirmedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('session_token')
    .values({ token_hash: session.tokenHash, session_id: id, valid_until: null })
    .execute();
  return id;
}

/**
 * A token as it is kept, of a session that nobody else changes until the transaction ends; undefined: session or token
 * is gone.
 */
export async function lockToken(
  tx: Transaction,
  sessionId: number,
  hash: Buffer,
): Promise<{ readonly successor: Buffer | null } | undefined> {
  // The session first, then its tokens: in the order in which its end takes them away, so that neither waits for the
  // other in a circle.
  if (!(await tx.selectFrom('session').select('id').where('id', '=', sessionId).forUpdate().executeTakeFirst()))
    return undefined;
  return tx
    .selectFrom('session_token')
    .select('successor')
    .where('session_id', '=', sessionId)
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

export interface Successor {
  readonly of: Buffer;
  readonly sealed: Buffer;
  readonly hash: Buffer;
  readonly familyHash: Buffer;
  readonly oldOnesEnd: Date;
}
/** Gives the session's tokens an end, keeps the successor of one of them, and adds it. */
export async function addSuccessor(
  tx: Transaction,
  sessionId: number,
  { of, sealed, hash, familyHash, oldOnesEnd }: Successor,
): Promise<void> {
  await tx
    .updateTable('session_token')
    .set({ valid_until: oldOnesEnd })
    .where('session_id', '=', sessionId)
    .where('valid_until', 'is', null)
    .execute();
  await tx.updateTable('session_token').set({ successor: sealed }).where('token_hash', '=', of).execute();
  await tx.insertInto('session_token').values({ token_hash: hash, session_id: sessionId, valid_until: null }).execute();
  // Sessions of earlier versions have none yet.
  await tx
    .updateTable('session')
    .set({ family_hash: familyHash })
    .where('id', '=', sessionId)
    .where('family_hash', 'is', null)
    .execute();
}

/** The session whose tokens begin like this. */
export const findFamily = (db: Db, familyHash: Buffer): Promise<{ id: number } | undefined> =>
  db.selectFrom('session').select('id').where('family_hash', '=', familyHash).executeTakeFirst();

/**
 * Ends a session because a token came back that was replaced long ago, and writes that down; returns the ids of what
 * lived.
 */
export async function deleteReused(db: Db, sessionId: number, address: string, at: Date): Promise<number[]> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select(['account.id', 'account.username'])
      .where('session.id', '=', sessionId)
      .executeTakeFirst();
    const ended = await deleteSessions(tx, { sessionId });
    if (account && ended.length > 0) {
      await tx
        .insertInto('operation_log')
        .values({
          account_id: account.id,
          username: account.username,
          uri: 'session',
          ip: address,
          at,
          message: 'session.reused',
          status: 401,
        })
        .execute();
    }
    return ended;
  });
}

/** Writes down that the session's own password was given now; its wrong tries are forgotten. */
export async function confirm(tx: Transaction, sessionId: number, at: Date): Promise<void> {
  await tx
    .updateTable('session')
    .set({ confirmed_at: at, operator_password_failures: 0 })
    .where('id', '=', sessionId)
    .execute();
}

export const isConfirmed = async (tx: Transaction, sessionId: number, since: Date): Promise<boolean> =>
  (await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('confirmed_at', '>=', since)
    .executeTakeFirst()) !== undefined;

export async function setRemember(tx: Transaction, sessionId: number, remember: boolean): Promise<void> {
  await tx.updateTable('session').set({ remember }).where('id', '=', sessionId).execute();
}

/** Notes that a session is active; false: it is gone. */
export async function touch(db: Db, sessionId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ last_active_at: now })
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Notes that an account is active. After at least `awayMs` without activity the time since is its latest absence; the
 * first activity ever is none. Of an account that is gone, or is deleted at this moment, nothing is noted.
 */
export async function noteActivity(
  db: Db | Transaction,
  { accountId, now, awayMs }: { readonly accountId: number; readonly now: Date; readonly awayMs: number },
): Promise<void> {
  const earliest = new Date(now.getTime() - awayMs);
  await sql`INSERT INTO account_activity AS a (account_id, last_active_at) SELECT id, ${now}::timestamptz FROM account WHERE id = ${accountId} FOR KEY SHARE
    ON CONFLICT (account_id) DO UPDATE SET
      left_at = CASE WHEN a.last_active_at <= ${earliest} THEN a.last_active_at ELSE a.left_at END,
      back_at = CASE WHEN a.last_active_at <= ${earliest} THEN ${now} ELSE a.back_at END,
      last_active_at = greatest(a.last_active_at, ${now})`.execute(db);
}

/** The latest time that an account was away: from its last activity before it to its return. */
export interface Absence {
  readonly leftAt: Date;
  readonly backAt: Date;
}

export async function findAbsence(db: Db, accountId: number): Promise<Absence | undefined> {
  const { rows } = await sql<Absence>`SELECT left_at AS "leftAt", back_at AS "backAt" FROM account_activity
    WHERE account_id = ${accountId} AND left_at IS NOT NULL`.execute(db);
  return rows[0];
}

/** Ends sessions and the previews begun out of them; returns the ids of those that lived. */
export async function deleteSessions(
  tx: Db | Transaction,
  which: { sessionId: number } | { accountId: number; except?: number },
): Promise<number[]> {
  const rows = await tx
    .deleteFrom('session')
    .where((row) =>
      'sessionId' in which
        ? row.or([row('id', '=', which.sessionId), row('preview_session_id', '=', which.sessionId)])
        : row.and([
            row.or([row('account_id', '=', which.accountId), row('preview_by', '=', which.accountId)]),
            row('id', '<>', which.except ?? 0),
            row('preview_session_id', 'is distinct from', which.except ?? 0),
          ]),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes what is over; returns the ids of the ended sessions. */
export async function deleteEnded(
  db: Db,
  now: Date,
  since: { readonly idle: Date; readonly previewIdle: Date },
): Promise<number[]> {
  await db.deleteFrom('session_token').where('valid_until', '<', now).execute();
  const rows = await db
    .deleteFrom('session')
    .where((row) =>
      row.or([
        row('expires_at', '<=', now),
        row.and([row('remember', '=', false), row('last_active_at', '<=', since.idle)]),
        row.and([row('preview_by', 'is not', null), row('last_active_at', '<=', since.previewIdle)]),
      ]),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
