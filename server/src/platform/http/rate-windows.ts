import type { Clock } from '../clock.ts';
import type { Db } from '../db/index.ts';
import { addressKey } from './address.ts';

/** Counts tries per kind, address and minute, the same for all processes. */
export interface RateWindows {
  /** Counts one more; returns how many there were in this minute with it. */
  add(kind: string, address: string): Promise<number>;
  tries(kind: string, address: string): Promise<number>;
  /** Until the minute is over. */
  secondsLeft(): number;
  /** Removes and returns the minutes that are over; another process gets the others. */
  takeEnded(): Promise<readonly EndedWindow[]>;
}

export interface EndedWindow {
  readonly kind: string;
  readonly address: string;
  /** When its minute began. */
  readonly at: Date;
  readonly tries: number;
}

export function createRateWindows({ db, clock }: { db: Db; clock: Clock }): RateWindows {
  const minuteNow = () => Math.floor(clock.now().getTime() / 60_000);
  return {
    async add(kind, address) {
      const row = await db
        .insertInto('rate_window')
        .values({ kind, address: addressKey(address), minute: minuteNow(), tries: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'address', 'minute'])
            .doUpdateSet((set) => ({ tries: set('rate_window.tries', '+', 1) })),
        )
        .returning('tries')
        .executeTakeFirstOrThrow();
      return row.tries;
    },
    async tries(kind, address) {
      const row = await db
        .selectFrom('rate_window')
        .select('tries')
        .where('kind', '=', kind)
        .where('address', '=', addressKey(address))
        .where('minute', '=', minuteNow())
        .executeTakeFirst();
      return row?.tries ?? 0;
    },
    secondsLeft: () => 60 - (Math.floor(clock.now().getTime() / 1000) % 60),
    async takeEnded() {
      const rows = await db.deleteFrom('rate_window').where('minute', '<', minuteNow()).returningAll().execute();
      return rows.map(({ kind, address, minute, tries }) => ({ kind, address, at: new Date(minute * 60_000), tries }));
    },
  };
}
