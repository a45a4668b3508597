import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { addressKey, plainAddress, type OperationEntry, type OperationRecorder } from '../../platform/http/index.ts';
import { writtenLine, writtenName, writtenNames, writtenParams } from './written.ts';

export interface OperationLog extends OperationRecorder {
  /** Writes the rows of refused calls of nobody whose minute is over; at a stop also those of this minute. */
  writeCounted(which?: 'ended' | 'all'): Promise<void>;
}

const minuteMs = 60_000;
/** So many places are counted apart; what further ones do is one row of nowhere for each call and minute. */
const mostPlaces = 5000;
/** Beyond these, nothing new is counted until they could be written. */
const mostCounted = 20_000;
/** Rows of one statement: it takes 65,535 values at most. */
const rowsAtOnce = 1000;
const nowhere = '*';

interface Counted {
  readonly uri: string;
  readonly ip: string;
  readonly message: string;
  readonly at: Date;
  times: number;
}

/** The operation log: who changed what, from where, with what outcome (specified 8.1). Rows are only ever added. */
export function createOperationLog({ db, clock }: { db: Db; clock: Clock }): OperationLog {
  /** In memory: a row in the database would cost more than the call, and nobody has to sign in to make one. */
  const counted = new Map<string, Counted>();
  return {
    async write(entry, tx) {
      await (tx ?? db).insertInto('operation_log').values(operationRow(entry)).execute();
    },
    countAnonymous(uri, ip, action) {
      const message = action === undefined ? 'notSignedIn' : `${action} notSignedIn`;
      const at = new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs);
      const keyOf = (place: string) => `${at.getTime()} ${place} ${uri} ${message}`;
      const own = addressKey(ip);
      const place = counted.has(keyOf(own)) || counted.size < mostPlaces ? own : nowhere;
      // The database has been away for hours: what comes now is not counted any more.
      if (counted.size >= mostCounted && !counted.has(keyOf(place))) return;
      const row = counted.get(keyOf(place)) ?? { uri, ip: place, message, at, times: 0 };
      row.times += 1;
      counted.set(keyOf(place), row);
    },
    async writeCounted(which = 'ended') {
      const now = clock.now().getTime();
      const rows = [...counted].filter(([, { at }]) => which === 'all' || at.getTime() + minuteMs <= now);
      if (rows.length === 0) return;
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        const some = rows.slice(from, from + rowsAtOnce);
        await db
          .insertInto('operation_log')
          .values(some.map(([, row]) => ({ ...row, username: '-', status: 401 })))
          .execute();
        for (const [key] of some) counted.delete(key);
      }
    },
  };
}

/** An entry as the table keeps it: on one line, secrets masked. */
export const operationRow = (entry: OperationEntry) => ({
  account_id: entry.accountId,
  username: entry.previewBy === undefined ? writtenName(entry.username) : writtenNames(entry.username, entry.previewBy),
  uri: writtenLine(entry.uri, 500),
  ip: plainAddress(entry.ip),
  at: entry.at,
  params: writtenParams(entry.params),
  message: entry.message,
  status: entry.status,
});
