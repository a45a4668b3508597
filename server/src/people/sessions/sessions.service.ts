import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { Budgets, type BudgetLimits } from '../../platform/budget.ts';
import { addressKey, plainAddress, refuse, type Authenticate, type Caller } from '../../platform/http/index.ts';
import { LatelySeen } from '../../platform/lately-seen.ts';
import { WaitingLine } from '../../platform/waiting-line.ts';
import { createRightsReader, foldRightsChanges, rightsIn, type AccountRights } from './rights.ts';
import * as store from './sessions.store.ts';
import {
  familyOf,
  newFamily,
  newToken,
  openSuccessor,
  sealSuccessor,
  tokenHash,
  withoutPrefix,
  withPrefix,
} from './token.ts';

const minute = 60_000;
/** Sessions without remember-me end after this long without a request of the operator. */
const idleMs = 30 * minute;
const longestMs = 30 * 24 * 60 * minute;
const graceMs = minute;
/** How long a sign-in, or a confirmation by the password, is believed for what gives power over other accounts. */
const confirmedMs = 30 * minute;
/** An account that does nothing for so long, in none of its sessions, is away; a sign-in within it is no return. */
const awayMs = idleMs;
/** Activity is written down at most this often: a busy screen must not write at every request. */
const touchEveryMs = 15_000;
/**
 * A preview lives as long as its tab is heard of, background requests included, and never longer than a working day.
 */
const previewIdleMs = 2 * minute;
const previewLongestMs = 8 * 60 * minute;
const previewTouchEveryMs = 5000;
/**
 * Tokens of no session from one address: enough for all tabs of a large office whose sessions ended over night, and
 * little work for the database.
 */
const strangers: StrangerLimits = { burst: 3000, perSecond: 30, waiting: 300 };
const mostAddresses = 10_000;
const mostKnown = 20_000;

export interface StrangerLimits extends BudgetLimits {
  /** Tokens that wait for their turn when an address has asked more than that. */
  readonly waiting: number;
}

export interface NewSession {
  readonly accountId: number;
  readonly remember: boolean;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Begun by a link out of another session: nobody gave the password. */
  readonly byLink?: boolean;
  /** Begun by an administrator out of his own session, to look through the account's eyes: no password either. */
  readonly preview?: { readonly by: number; readonly sessionId: number };
}

export interface Sessions {
  readonly authenticate: Authenticate;
  /** What the accounts of these sessions may do now; ended ones are absent. */
  callers(sessionIds: readonly number[]): Promise<ReadonlyMap<number, Caller>>;
  /**
   * The work areas an account may see now, for work that goes on without its session; none when it is gone or disabled.
   */
  workAreasOf(accountId: number): Promise<'all' | readonly number[]>;
  /** The latest time that an account was away; undefined: it never was. */
  absenceOf(accountId: number): Promise<store.Absence | undefined>;
  /** Begins a session; returns its token with prefix. */
  begin(session: NewSession, tx?: Transaction): Promise<string>;
  /** What an account holds at this moment, as the transaction sees it; nothing when it is gone. */
  rightsOf(tx: Transaction, accountId: number): Promise<AccountRights>;
  /**
   * The successor of this token of the session. The token stays valid for 60 s; each further call with it gets the same
   * successor. `remember` may end remember-me, never begin it. Refuses a session that has ended.
   */
  rotate(
    held: { readonly sessionId: number; readonly token: string; readonly remember: boolean },
    tx?: Transaction,
  ): Promise<string>;
  /** Notes that the session's own password was given now. */
  confirm(tx: Transaction, sessionId: number): Promise<void>;
  /**
   * Refuses with `confirmNeeded` unless the password was given for this very session within the last 30 minutes; a
   * refresh of its token does not count.
   */
  requireConfirmed(tx: Transaction, sessionId: number): Promise<void>;
  /** Ends one session inside a transaction; call the returned function after the commit. */
  end(tx: Transaction, sessionId: number): Promise<() => void>;
  /**
   * Ends an account's sessions, all or all but one, inside a transaction; call the returned function after the commit.
   */
  endAll(tx: Transaction, accountId: number, except?: number): Promise<() => void>;
  /** Removes ended sessions; a job's step. */
  sweep(): Promise<void>;
}

/** Sessions: opaque random tokens of which only a hash is kept. Rights are those of the very moment of each request. */
export function createSessions({
  db,
  clock,
  bus,
  limits = strangers,
}: {
  db: Db;
  clock: Clock;
  bus: Bus;
  limits?: StrangerLimits;
}): Sessions {
  const budgets = new Budgets(limits, mostAddresses);
  /**
   * Above that they are looked up one after the other: an honest session behind the same address, which this process
   * has not seen yet, is answered in its turn.
   */
  const line = new WaitingLine(1000 / limits.perSecond);
  const inLine = new Map<string, Promise<Awaited<ReturnType<typeof lookUp>> | undefined>>();
  /** Sessions that were valid at their last lookup: they go on, regardless of other calls from their address. */
  const known = new LatelySeen(mostKnown);
  const announce = (sessionIds: number[]) => {
    if (sessionIds.length > 0) bus.publish('session.ended', { sessionIds });
  };
  const rights = createRightsReader(db);

  /**
   * The callers of those of these rows that live now. A preview lives only while the session it was begun out of may
   * still preview.
   */
  async function callersOf(rows: readonly store.SessionRow[], now: Date): Promise<Map<number, Caller>> {
    const living = rows.filter((row) => !row.disabled && isLiving(row, now));
    const [first] = living;
    if (!first) return new Map();
    const previewed = living.flatMap(({ previewSessionId }) => previewSessionId ?? []);
    const lookers =
      previewed.length === 0
        ? new Map<number, Caller>()
        : await callersOf(await store.findSessionsById(db, previewed), now);
    const known = await rights.of(
      living.map(({ accountId }) => accountId),
      first.rightsVersion,
    );
    return new Map(
      living.flatMap((row) => {
        const own = known.get(row.accountId);
        const looker = row.previewSessionId === null ? undefined : lookers.get(row.previewSessionId);
        if (!own || (row.previewSessionId !== null && !(looker && mayPreview(looker)))) return [];
        return [[row.sessionId, callerOf(row, own, looker)] as const];
      }),
    );
  }
  const rotatedIn = async (tx: Transaction, sessionId: number, token: string): Promise<string> => {
    const successor = (await store.lockToken(tx, sessionId, tokenHash(token)))?.successor;
    return successor ? rotatedIn(tx, sessionId, openSuccessor(token, successor)) : withPrefix(token);
  };
  const rotateIn = async (tx: Transaction, sessionId: number, held: string, remember: boolean) => {
    const token = withoutPrefix(held);
    const of = tokenHash(token);
    const kept = await store.lockToken(tx, sessionId, of);
    if (!kept) throw refuse('sessionEnded');
    if (!remember) await store.setRemember(tx, sessionId, false);
    // A late caller gets the newest token: one that was itself replaced would end before its next refresh.
    if (kept.successor) return rotatedIn(tx, sessionId, openSuccessor(token, kept.successor));
    const family = familyOf(token) ?? newFamily();
    const next = newToken(family);
    await store.addSuccessor(tx, sessionId, {
      of,
      sealed: sealSuccessor(token, next),
      hash: tokenHash(next),
      familyHash: tokenHash(family),
      oldOnesEnd: new Date(clock.now().getTime() + graceMs),
    });
    return withPrefix(next);
  };
  /**
   * A token that is no longer valid and belonged to a living session: a copy of it exists. Its owner is unknown, so the
   * session ends.
   */
  async function endReused(token: string, address: string, now: Date): Promise<void> {
    const family = familyOf(token);
    const session = family === undefined ? undefined : await store.findFamily(db, tokenHash(family));
    if (session) announce(await store.deleteReused(db, session.id, plainAddress(address), now));
  }
  async function lookUp(token: string, address: string) {
    const now = clock.now();
    const row = await store.findSession(db, tokenHash(token), now);
    if (!row) await endReused(token, address, now);
    return { row, caller: row && (await callersOf([row], now)).get(row.sessionId) };
  }
  /**
   * Looks up when its turn has come; undefined: too many of the address wait. Who comes with a token that waits already
   * shares its place.
   */
  function waitFor(token: string, address: string) {
    const from = addressKey(address);
    const key = `${from} ${token}`;
    const answer =
      inLine.get(key) ?? line.run(from, limits.waiting, () => lookUp(token, address)).finally(() => inLine.delete(key));
    inLine.set(key, answer);
    return answer;
  }
  return {
    async authenticate(held, { background, address = '', atOnce = false }) {
      const token = withoutPrefix(held);
      const family = familyOf(token)?.toString('hex');
      // What has not the form of a token is nobody's: that costs no question.
      if (family === undefined) return undefined;
      const from = addressKey(address);
      // Taken before it is known whether it was right: many at once are many.
      const isStranger = !known.has(family);
      const isOwed = isStranger && budgets.take(from, 1, performance.now()) > 0;
      const giveBack = () => {
        if (isStranger) budgets.take(from, -1, performance.now());
      };
      const found = await (!isOwed ? lookUp(token, address) : atOnce ? undefined : waitFor(token, address))?.catch(
        (thrown: unknown) => {
          // A database that cannot be asked says nothing against who asks.
          giveBack();
          throw thrown;
        },
      );
      if (!found) throw tooManyStrangers(Math.ceil(limits.waiting / limits.perSecond));
      const { row, caller } = found;
      if (!row || !caller) {
        known.forget(family);
        if (!isStranger) budgets.take(from, 1, performance.now());
        return undefined;
      }
      giveBack();
      known.note(family);
      const now = clock.now();
      const unseenMs = now.getTime() - row.lastActiveAt.getTime();
      if (caller.previewBy ? unseenMs >= previewTouchEveryMs : !background && unseenMs >= touchEveryMs) {
        const [isThere] = await Promise.all([
          store.touch(db, row.sessionId, now),
          ...(caller.previewBy ? [] : [store.noteActivity(db, { accountId: row.accountId, now, awayMs })]),
        ]);
        // It ended since it was looked up.
        if (!isThere) return undefined;
      }
      return caller;
    },
    callers: async (sessionIds) =>
      sessionIds.length === 0 ? new Map() : callersOf(await store.findSessionsById(db, sessionIds), clock.now()),
    async workAreasOf(accountId) {
      const account = await store.findStanding(db, accountId);
      if (!account || account.disabled) return [];
      return account.level === 0
        ? 'all'
        : ((await rights.of([accountId], account.rightsVersion)).get(accountId)?.workAreaIds ?? []);
    },
    async begin({ accountId, remember, address, userAgent, byLink = false, preview }, tx) {
      const family = newFamily();
      const token = newToken(family);
      const now = clock.now();
      if (!preview) await store.noteActivity(tx ?? db, { accountId, now, awayMs });
      await store.insertSession(tx ?? db, {
        accountId,
        remember,
        address,
        userAgent: userAgent?.slice(0, 300) ?? null,
        now,
        expiresAt: new Date(now.getTime() + (preview ? previewLongestMs : longestMs)),
        tokenHash: tokenHash(token),
        familyHash: tokenHash(family),
        preview,
        confirmedAt: byLink || preview ? null : now,
      });
      known.note(family.toString('hex'));
      return withPrefix(token);
    },
    absenceOf: (accountId) => store.findAbsence(db, accountId),
    rightsOf: async (tx, accountId) =>
      (await rightsIn(tx, [accountId])).get(accountId) ?? { permissions: new Set(), workAreaIds: [] },
    rotate: ({ sessionId, token, remember }, tx) =>
      tx
        ? rotateIn(tx, sessionId, token, remember)
        : db.transaction().execute((own) => rotateIn(own, sessionId, token, remember)),
    confirm: (tx, sessionId) => store.confirm(tx, sessionId, clock.now()),
    async requireConfirmed(tx, sessionId) {
      if (!(await store.isConfirmed(tx, sessionId, new Date(clock.now().getTime() - confirmedMs))))
        throw refuse('confirmNeeded');
    },
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
      announce(
        await store.deleteEnded(db, now, {
          idle: new Date(now.getTime() - idleMs),
          previewIdle: new Date(now.getTime() - previewIdleMs),
        }),
      );
      await foldRightsChanges(db);
    },
  };
}

const tooManyStrangers = (seconds: number) =>
  refuse('tooManyTries', { seconds }, { headers: { 'retry-after': String(seconds) } });

const isLiving = (row: store.SessionRow, now: Date): boolean => {
  const idle = now.getTime() - row.lastActiveAt.getTime();
  return row.expiresAt > now && (row.previewSessionId === null ? row.remember || idle < idleMs : idle < previewIdleMs);
};

/** Who may look through other accounts' eyes: administrators that hold the code. */
export const mayPreview = ({ level, permissions, previewBy }: Caller): boolean =>
  level === 0 && !previewBy && permissions.has('account.preview');

const callerOf = (
  row: store.SessionRow,
  { permissions, workAreaIds }: AccountRights,
  looker: Caller | undefined,
): Caller => ({
  accountId: row.accountId,
  username: row.username,
  level: row.level,
  sessionId: row.sessionId,
  ...(looker ? { previewBy: { accountId: looker.accountId, username: looker.username } } : {}),
  permissions,
  workAreas: row.level === 0 ? 'all' : workAreaIds,
  workAreaId: null,
});
