import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { changing, type Db } from '../../platform/db/index.ts';
import type { AsyncStop } from '../../platform/leases/index.ts';
import { holdRows, orderRoad } from './ordering.ts';
import { findUnordered } from './rows.store.ts';

export interface RowSweepParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
}
export interface RowSweep {
  /** Orders every road whose poles are others than its rows were made of; what was right stays as it is. */
  turn(): Promise<void>;
  /** Does so at the start, soon after the register changed, and now and then. */
  start(): AsyncStop;
}

const everyMs = 5000;
/** Who writes past the program announces nothing. */
const unaskedMs = 600_000;
/** So many times as long as it worked it rests. */
const rest = 10;
const pageSize = 200;

/** Keeps the rows of roads that nobody ordered by hand in step with the register. */
export function createRowSweep({ db, clock, bus }: RowSweepParts): RowSweep {
  let stopped = false;

  async function turn(): Promise<void> {
    const areas = new Set<number>();
    const failures: unknown[] = [];
    for (let after: number | null = 0; after !== null && !stopped;) {
      const { last, due }: Awaited<ReturnType<typeof findUnordered>> = await findUnordered(db, after, pageSize);
      for (const { id, workAreaId } of due) {
        if (stopped) break;
        try {
          const changed = await changing(db, async (tx) => {
            await holdRows(tx, id);
            return orderRoad(tx, id, { mode: 'new', by: null, at: clock.now() });
          });
          if (changed) areas.add(workAreaId);
        } catch (thrown) {
          // The other roads have their turn.
          failures.push(thrown);
        }
      }
      after = last;
    }
    for (const workAreaId of areas) bus.publish('settings.changed', { workAreaId });
    if (failures.length > 0) throw failures[0];
  }

  return {
    turn,
    start() {
      let due = true;
      let work: Promise<void> | undefined;
      let restsUntil = 0;
      let lastAt = 0;
      const now = () => clock.now().getTime();
      const mark = (): void => {
        due = true;
      };
      const run = (): Promise<void> | undefined => {
        const begun = now();
        if (
          work ||
          (!due && Math.abs(begun - lastAt) < unaskedMs) ||
          (begun < restsUntil && restsUntil - begun < unaskedMs)
        )
          return work;
        due = false;
        lastAt = begun;
        work = turn()
          .catch((thrown: unknown) => {
            due = true;
            throw thrown;
          })
          .finally(() => {
            work = undefined;
            restsUntil = now() + Math.min(unaskedMs, rest * (now() - begun));
          });
        return work;
      };
      const stops = [
        bus.subscribe('register.changed', mark),
        bus.subscribe('bus.resumed', mark),
        clock.after(1, run),
        clock.every(everyMs, run),
      ];
      return async () => {
        stopped = true;
        for (const stop of stops) stop();
        await work?.catch(() => undefined);
      };
    },
  };
}
