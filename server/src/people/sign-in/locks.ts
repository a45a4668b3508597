import type { Clock } from '../../platform/clock.ts';
import { takeLockOf, type Db, type Transaction } from '../../platform/db/index.ts';

/**
 * How often a password may be wrong, and for how long that locks; both settable (settings `signIn.attempts`,
 * `signIn.lockSeconds`).
 */
const defaults = { attempts: 5, lockSeconds: 3600 };
const everywhere = { failures: 50, withinMs: 3_600_000, knownForMs: 30 * 86_400_000 };
/** A failure that nothing followed is forgotten after this long. */
export const failureKeptMs = 24 * 3_600_000;

export interface Attempt {
  readonly nameKey: string;
  /** What counts as one place (addressKey). */
  readonly address: string;
  /** undefined: no such account. */
  readonly accountId: number | undefined;
}

/**
 * A try that may go on to the password. It counts as wrong until it is taken back, so that tries at the same moment
 * cannot slip past.
 */
export interface OpenAttempt {
  /** It was wrong: the tries that are left, and when none is, for how many seconds it locks. */
  wrong(): Promise<{ attempts: number; lockoutTime: number }>;
  /**
   * The password was right: the count starts from zero. If the transaction writes the account, call it afterwards: one
   * order for all.
   */
  right(tx: Transaction): Promise<void>;
  /** It did not come to the password after all. */
  withdraw(): Promise<void>;
}

export interface Locks {
  /** Seconds that remain while locked, else the open attempt. */
  begin(attempt: Attempt): Promise<{ lockedFor: number } | OpenAttempt>;
  /** How many tries an account has when nothing is held against it. */
  attempts(): Promise<number>;
  sweep(): Promise<void>;
}

/** Counts wrong passwords per account name and address, and over all addresses; locks. */
export function createLocks({ db, clock }: { db: Db; clock: Clock }): Locks {
  const secondsUntil = (until: Date) => Math.max(1, Math.ceil((until.getTime() - clock.now().getTime()) / 1000));
  return {
    async begin(attempt) {
      const limits = await readLimits(db);
      const begun = await db.transaction().execute(async (tx) => {
        await oneAtATime(tx, attempt.nameKey);
        const until = await lockedUntil(tx, attempt, clock.now());
        if (until) return { until };
        const failures = await countHere(tx, attempt, clock.now());
        // As many tries as there may be are still being checked.
        if (failures >= limits.attempts) return { until: new Date(clock.now().getTime() + limits.lockSeconds * 1000) };
        const { id } = await tx
          .insertInto('sign_in_failure')
          .values({ name_key: attempt.nameKey, address: attempt.address, at: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { id, failures };
      });
      if (begun.until) return { lockedFor: secondsUntil(begun.until) };
      const { id, failures } = begun;
      return {
        wrong: () => wrong(db, attempt, failures + 1, limits, clock.now()),
        right: (tx) => forgive(tx, attempt, id),
        withdraw: async () => void (await db.deleteFrom('sign_in_failure').where('id', '=', id).execute()),
      };
    },
    attempts: async () => (await readLimits(db)).attempts,
    async sweep() {
      const kept = new Date(clock.now().getTime() - failureKeptMs);
      await db.deleteFrom('sign_in_failure').where('at', '<', kept).execute();
      await db.deleteFrom('sign_in_lock').where('until', '<', clock.now()).execute();
      await db
        .deleteFrom('known_address')
        .where('last_at', '<', new Date(clock.now().getTime() - everywhere.knownForMs))
        .execute();
    },
  };
}

type Limits = typeof defaults;

async function readLimits(db: Db): Promise<Limits> {
  const rows = await db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'in', ['signIn.attempts', 'signIn.lockSeconds'])
    .execute();
  const value = (name: string, otherwise: number) => {
    const found = rows.find((row) => row.name === name)?.value;
    return typeof found === 'number' && Number.isInteger(found) && found > 0 ? found : otherwise;
  };
  return {
    attempts: value('signIn.attempts', defaults.attempts),
    lockSeconds: value('signIn.lockSeconds', defaults.lockSeconds),
  };
}

/** The longer of the lock of this address and, for addresses the account does not know, the lock of all. */
async function lockedUntil(
  tx: Transaction,
  { nameKey, address, accountId }: Attempt,
  now: Date,
): Promise<Date | undefined> {
  const locks = await tx
    .selectFrom('sign_in_lock')
    .select(['address', 'until'])
    .where('name_key', '=', nameKey)
    .where('address', 'in', [address, '*'])
    .where('until', '>', now)
    .orderBy('until', 'desc')
    .execute();
  const general = locks.some((lock) => lock.address === '*');
  const known =
    general &&
    accountId !== undefined &&
    (await tx
      .selectFrom('known_address')
      .select('account_id')
      .where('account_id', '=', accountId)
      .where('address', '=', address)
      .where('last_at', '>', new Date(now.getTime() - everywhere.knownForMs))
      .executeTakeFirst()) !== undefined;
  return locks.find((lock) => lock.address === address || !known)?.until;
}

async function countHere(tx: Transaction, { nameKey, address }: Attempt, now: Date): Promise<number> {
  const row = await tx
    .selectFrom('sign_in_failure')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('name_key', '=', nameKey)
    .where('address', '=', address)
    .where('spent', '=', false)
    .where('at', '>', new Date(now.getTime() - failureKeptMs))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Until the end of the transaction: a transaction that touches the tries of a name touches those of others too, and two
 * must not wait for each other. A transaction that also writes the account does that first, and dependent rows
 * afterwards.
 */
const oneAtATime = (tx: Transaction, nameKey: string) => takeLockOf(tx, 'sign-in', nameKey);

async function wrong(
  db: Db,
  attempt: Attempt,
  failures: number,
  limits: Limits,
  now: Date,
): Promise<{ attempts: number; lockoutTime: number }> {
  const until = new Date(now.getTime() + limits.lockSeconds * 1000);
  return db.transaction().execute(async (tx) => {
    await oneAtATime(tx, attempt.nameKey);
    if (failures >= limits.attempts) {
      await lock(tx, attempt.nameKey, attempt.address, until);
      await tx
        .updateTable('sign_in_failure')
        .set({ spent: true })
        .where('name_key', '=', attempt.nameKey)
        .where('address', '=', attempt.address)
        .execute();
    }
    const { count } = await tx
      .selectFrom('sign_in_failure')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('name_key', '=', attempt.nameKey)
      .where('at', '>', new Date(now.getTime() - everywhere.withinMs))
      .executeTakeFirstOrThrow();
    if (Number(count) >= everywhere.failures) await lock(tx, attempt.nameKey, '*', until);
    return failures >= limits.attempts
      ? { attempts: 0, lockoutTime: limits.lockSeconds }
      : { attempts: limits.attempts - failures, lockoutTime: 0 };
  });
}

/** Lifts every lock of an account name and forgets its failures. After what the transaction writes of the account. */
export async function liftLocks(tx: Transaction, nameKey: string): Promise<void> {
  await oneAtATime(tx, nameKey);
  await tx.deleteFrom('sign_in_lock').where('name_key', '=', nameKey).execute();
  await tx.deleteFrom('sign_in_failure').where('name_key', '=', nameKey).execute();
}

async function lock(tx: Transaction, nameKey: string, address: string, until: Date): Promise<void> {
  await tx
    .insertInto('sign_in_lock')
    .values({ name_key: nameKey, address, until })
    .onConflict((conflict) => conflict.columns(['name_key', 'address']).doUpdateSet({ until }))
    .execute();
}

async function forgive(tx: Transaction, { nameKey, address }: Attempt, ownId: number): Promise<void> {
  await oneAtATime(tx, nameKey);
  await tx.deleteFrom('sign_in_failure').where('id', '=', ownId).execute();
  await tx
    .updateTable('sign_in_failure')
    .set({ spent: true })
    .where('name_key', '=', nameKey)
    .where('address', '=', address)
    .execute();
}
