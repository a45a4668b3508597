import { permissions, type Permission } from '../../../../contract/permissions.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type Authenticate, type Caller } from '../../platform/http/index.ts';
import * as store from './sessions.store.ts';
import { newToken, tokenHash, withPrefix } from './token.ts';

const minute = 60_000;
/** Sessions without remember-me end after this long without a request of the operator. */
const idleMs = 30 * minute;
const longestMs = 30 * 24 * 60 * minute;
const graceMs = minute;
/** Activity is written down at most this often: a busy screen must not write at every request. */
const touchEveryMs = 15_000;

export interface NewSession {
  readonly accountId: number;
  readonly remember: boolean;
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface Sessions {
  readonly authenticate: Authenticate;
  /** What the accounts of these sessions may do now; ended ones are absent. */
  callers(sessionIds: readonly number[]): Promise<ReadonlyMap<number, Caller>>;
  /** Begins a session; returns its token with prefix. */
  begin(session: NewSession, tx?: Transaction): Promise<string>;
  /** A new token for the session; the one before stays good for 60 s. `remember` may end remember-me, never begin it. Refuses a session that ended meanwhile. */
  rotate(sessionId: number, remember: boolean, tx?: Transaction): Promise<string>;
  /** Ends one session inside a transaction; call the returned function after the commit. */
  end(tx: Transaction, sessionId: number): Promise<() => void>;
  /** Ends an account's sessions, all or all but one, inside a transaction; call the returned function after the commit. */
  endAll(tx: Transaction, accountId: number, except?: number): Promise<() => void>;
  /** Removes ended sessions; a job's step. */
  sweep(): Promise<void>;
}

/** Sessions: opaque random tokens of which only a hash is kept (decisions 3). Nothing is cached: rights hold from the next request. */
export function createSessions({ db, clock, bus }: { db: Db; clock: Clock; bus: Bus }): Sessions {
  const announce = (sessionIds: number[]) => {
    if (sessionIds.length > 0) bus.publish('session.ended', { sessionIds });
  };
  const living = async (token: string, now: Date) => {
    const row = await store.findSession(db, tokenHash(token), now);
    return row && !row.disabled && isLiving(row, now) ? row : undefined;
  };
  const rotateIn = async (tx: Transaction, sessionId: number, remember: boolean) => {
    const token = newToken();
    if (!(await store.rotateTokens(tx, sessionId, tokenHash(token), new Date(clock.now().getTime() + graceMs)))) throw refuse('sessionEnded');
    if (!remember) await store.setRemember(tx, sessionId, false);
    return withPrefix(token);
  };
  return {
    async authenticate(token, { background }) {
      if (token.length > 200) return undefined;
      const now = clock.now();
      const row = await living(token.replace(/^bearer\s+/i, ''), now);
      if (!row) return undefined;
      if (!background && now.getTime() - row.lastActiveAt.getTime() >= touchEveryMs) await store.touch(db, row.sessionId, now);
      return callerOf(row);
    },
    async callers(sessionIds) {
      const now = clock.now();
      const rows = sessionIds.length === 0 ? [] : await store.findSessionsById(db, sessionIds);
      return new Map(rows.filter((row) => !row.disabled && isLiving(row, now)).map((row) => [row.sessionId, callerOf(row)]));
    },
    async begin({ accountId, remember, address, userAgent }, tx) {
      const token = newToken();
      const now = clock.now();
      await store.insertSession(tx ?? db, {
        accountId, remember, address, userAgent: userAgent?.slice(0, 300) ?? null, now, expiresAt: new Date(now.getTime() + longestMs), tokenHash: tokenHash(token),
      });
      return withPrefix(token);
    },
    rotate: (sessionId, remember, tx) => (tx ? rotateIn(tx, sessionId, remember) : db.transaction().execute((own) => rotateIn(own, sessionId, remember))),
    async end(tx, sessionId) {
      const ended = await store.deleteSessions(tx, { sessionId });
      return () => announce(ended);
    },
    async endAll(tx, accountId, except) {
      const ended = await store.deleteSessions(tx, { accountId, ...(except === undefined ? {} : { except }) });
      return () => announce(ended);
    },
    async sweep() {
      const now = clock.now();
      announce(await store.deleteEnded(db, now, new Date(now.getTime() - idleMs)));
    },
  };
}

const isLiving = (row: store.SessionRow, now: Date): boolean =>
  row.expiresAt > now && (row.remember || now.getTime() - row.lastActiveAt.getTime() < idleMs);

const declared: ReadonlySet<string> = new Set(permissions);
const isPermission = (code: string): code is Permission => declared.has(code);

const callerOf = (row: store.SessionRow): Caller => ({
  accountId: row.accountId,
  username: row.username,
  level: row.level,
  sessionId: row.sessionId,
  permissions: new Set(row.permissionCodes.filter(isPermission)),
  workAreas: row.level === 0 ? 'all' : row.workAreaIds,
  workAreaId: null,
});
