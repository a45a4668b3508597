import { sql } from 'kysely';
import { keptByYears, retentionBounds } from '../../../../contract/history/history.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { codeOf } from '../../platform/start-error.ts';
import { dropTables } from './drop-tables.store.ts';
import { awaitRoller, closeGate } from './roller.store.ts';
import { instant } from './spans.query.ts';
import { findTables, type HistoryTable } from './tables.store.ts';

const settingName = 'history.retention';
const dayMs = 86_400_000;
const everyMs = 3_600_000;
const firstOfMonth = (at: number): number => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), 1);
/** A table that is being read is left for the next time. */
const usualPatience = '2s';
/** Those who write readings wait no longer than this behind one that does not end. */
const gatePatience = '200ms';
const busy = '55P03';

export interface Keeping {
  readonly rawDays: number;
  readonly hourYears: number;
}

/** How long readings and hours are kept: the setting `history.retention`, within its bounds whatever it says. */
export async function readKeeping(db: Db | Transaction): Promise<Keeping> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  const value = typeof row?.value === 'object' && row.value !== null ? (row.value as Record<string, unknown>) : {};
  const one = (name: keyof Keeping): number => {
    const { least, most, usual } = retentionBounds[name];
    const given = value[name];
    return typeof given === 'number' && Number.isFinite(given)
      ? Math.max(least, Math.min(most, Math.floor(given)))
      : usual;
  };
  return { rawDays: one('rawDays'), hourYears: one('hourYears') };
}

export async function writeKeeping(tx: Transaction, { rawDays, hourYears }: Keeping): Promise<void> {
  const value = JSON.stringify({ rawDays, hourYears });
  await tx
    .insertInto('setting')
    .values({ name: settingName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The instants before which readings and hours go, epoch milliseconds. */
export function keptFrom({ rawDays, hourYears }: Keeping, now: Date): { readonly raw: number; readonly hours: number } {
  const raw = Math.floor((now.getTime() - rawDays * dayMs) / dayMs) * dayMs;
  return { raw, hours: Date.UTC(now.getUTCFullYear() - hourYears, now.getUTCMonth(), 1) };
}

/** Of those tables the ones that are wholly before what is kept. */
export const isDropped = (
  { part, to }: Pick<HistoryTable, 'part' | 'to'>,
  from: { readonly raw: number; readonly hours: number },
): boolean => {
  const end = Date.parse(`${to}T00:00:00Z`);
  return part === 'raw' ? end <= from.raw : keptByYears.includes(part) && end <= from.hours;
};

/**
 * Takes whole tables of what is older away, never single rows; returns their names. Only what was rolled into the next
 * coarser figures goes: while rolling is behind, or days wait to be rolled anew, their readings and hours stay.
 */
export async function cleanHistory(db: Db, now: Date, log: Log, patience = usualPatience): Promise<string[]> {
  const wanted = keptFrom(await readKeeping(db), now);
  const until = await db.transaction().execute(async (tx) => {
    // In this order everywhere: who rolls, then those who write.
    await awaitRoller(tx, patience);
    await closeGate(tx, gatePatience);
    const {
      rows: [limit],
    } = await sql<{ raw: number; hours: number }>`SELECT (extract(epoch FROM s.rolled_to) * 1000)::float8 AS raw,
      (extract(epoch
        FROM least(s.rolled_to, (SELECT min(day)::timestamp AT TIME ZONE 'UTC' - interval '15 hours'
        FROM rollup_day_due))) * 1000)::float8 AS hours FROM rollup_state s`.execute(tx);
    const {
      rows: [late],
    } = await sql<{
      at: number | null;
    }>`SELECT (extract(epoch FROM min(at)) * 1000)::float8 AS at FROM rollup_late`.execute(tx);
    const raw = Math.min(wanted.raw, limit?.raw ?? Number.NEGATIVE_INFINITY, late?.at ?? Number.POSITIVE_INFINITY);
    const hours = Math.min(wanted.hours, limit?.hours ?? Number.NEGATIVE_INFINITY, raw);
    return Number.isFinite(raw) && Number.isFinite(hours)
      ? note(tx, { raw: Math.floor(raw / dayMs) * dayMs, hours: firstOfMonth(hours) }, now)
      : null;
  });
  if (!until) return [];
  return dropTables(
    db,
    (await findTables(db)).filter((one) => one.isLeaving || isDropped(one, until)),
    log,
    patience,
  );
}

async function note(tx: Transaction, from: { readonly raw: number; readonly hours: number }, now: Date) {
  await sql`UPDATE rollup_state SET raw_from = greatest(raw_from, ${instant(from.raw)}),
    hours_from = greatest(hours_from, ${instant(from.hours)}), cleaned_at = ${now}`.execute(tx);
  return from;
}

export interface RetentionParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** How long it waits for a table. */
  readonly patience?: string;
}

/** Every hour, what is old goes, and the operation log tells so. */
export const startHistoryRetention = (parts: RetentionParts): Stop => parts.clock.every(everyMs, () => clean(parts));

async function clean({ db, clock, log, patience }: RetentionParts): Promise<void> {
  let gone: string[];
  try {
    gone = await cleanHistory(db, clock.now(), log, patience);
  } catch (thrown) {
    if (codeOf(thrown) === busy) return;
    throw thrown;
  }
  if (gone.length === 0) return;
  log.info({ tables: gone }, 'old history taken away');
  await db
    .insertInto('operation_log')
    .values({
      account_id: null,
      username: '-',
      uri: 'history retention',
      ip: '-',
      at: clock.now(),
      params: JSON.stringify({ tables: gone }).slice(0, 4000),
      message: 'history.clean',
      status: 200,
    })
    .execute();
}
