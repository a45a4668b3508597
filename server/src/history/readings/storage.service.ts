import { statfs } from 'node:fs/promises';
import { historyParts, keptByYears, type updateHistoryStorage } from '../../../../contract/history/history.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import { takeLock, type Db } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import { isDropped, keptFrom, readKeeping, writeKeeping, type Keeping } from './retention.ts';
import { readWaiting } from './storage.store.ts';
import { findTables, type HistoryTable, type Part } from './tables.store.ts';

type Storage = ReplyOf<typeof updateHistoryStorage>;
export interface HistoryStorageParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Where the database keeps its files; null: on another machine. */
  readonly dataDir: string | null;
}
export type HistoryStorage = ReturnType<typeof createHistoryStorage>;

const dayMs = 86_400_000;
/** So many full days tell how it grows. */
const grownDays = 7;

/** What the history takes and how long it is kept. */
export function createHistoryStorage({ db, clock, dataDir }: HistoryStorageParts) {
  async function read(): Promise<Storage> {
    const now = clock.now();
    const [keeping, tables, state, free] = await Promise.all([
      readKeeping(db),
      findTables(db),
      readWaiting(db),
      freeBytes(dataDir),
    ]);
    const kept = keptFrom(keeping, now);
    return {
      retention: keeping,
      parts: historyParts.map((part) => {
        const own = tables.filter((table) => table.part === part);
        return {
          part,
          rows: sum(own, 'rows'),
          bytes: sum(own, 'bytes'),
          from: own[0]?.from ?? null,
          to: own.at(-1)?.to ?? null,
          tables: own.map((table) => ({
            from: table.from,
            to: table.to,
            rows: table.rows,
            bytes: table.bytes,
            drops: isDropped(table, kept),
          })),
        };
      }),
      databaseBytes: state.bytes,
      freeBytes: free,
      growth: growthOf(tables, keeping, now),
      rolledTo: state.rolledTo?.toISOString() ?? null,
      lateWaiting: state.late,
      daysWaiting: state.days,
      lastCleaned: state.cleanedAt?.toISOString() ?? null,
    };
  }
  return {
    read,
    async update(
      { change }: Pick<RequestContext, 'change'>,
      { before, ...next }: BodyOf<typeof updateHistoryStorage>,
    ): Promise<Storage> {
      await change({ action: 'history.retention', params: { before, next } }, async (tx) => {
        await takeLock(tx, 'historyRetention');
        const stored = await readKeeping(tx);
        if (stored.rawDays !== before.rawDays || stored.hourYears !== before.hourYears)
          throw refuse('changedMeanwhile');
        await writeKeeping(tx, next);
      });
      return read();
    },
  };
}

const sum = (tables: readonly HistoryTable[], what: 'rows' | 'bytes'): number =>
  tables.reduce((total, table) => total + table[what], 0);

async function freeBytes(dataDir: string | null): Promise<number | null> {
  if (dataDir === null) return null;
  try {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  } catch {
    // Not every file system tells.
    return null;
  }
}

/** By the last full days of readings, and what hours and days of devices take for each day they cover. */
function growthOf(tables: readonly HistoryTable[], { rawDays, hourYears }: Keeping, now: Date): Storage['growth'] {
  const today = now.toISOString().slice(0, 10);
  const days = tables.filter(({ part, to, rows }) => part === 'raw' && to <= today && rows > 0);
  const recent = days.slice(-grownDays);
  if (recent.length === 0) return null;
  const rawPerDay = sum(recent, 'bytes') / recent.length;
  const perDay = (...parts: readonly Part[]): number =>
    parts.reduce((total, part) => {
      const own = tables.filter((table) => table.part === part && table.from <= today && table.rows > 0);
      const newest = own.at(-1);
      if (!newest) return total;
      // Of the table that is being filled only the days there are.
      const begun = Math.max(Date.parse(newest.from), Date.parse(days[0]?.from ?? newest.from));
      return total + newest.bytes / Math.max(1, (Math.min(Date.parse(newest.to), now.getTime()) - begun) / dayMs);
    }, 0);
  const [hours, daily] = [perDay(...keptByYears), perDay('day', 'energyDay')];
  const later = (ahead: number) =>
    Math.round(
      rawPerDay * Math.min(rawDays, days.length + ahead) +
        hours * Math.min(hourYears * 365, days.length + ahead) +
        daily * (days.length + ahead),
    );
  return {
    rowsPerDay: Math.round(sum(recent, 'rows') / recent.length),
    bytesPerDay: Math.round(rawPerDay + hours + daily),
    bytesInMonth: later(30),
    bytesInYear: later(365),
  };
}
