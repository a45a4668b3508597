import { families } from '../../../../catalogue/index.ts';
import { changing, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { codeOf } from '../../platform/start-error.ts';
import { loadCurves } from '../../light/lamps/index.ts';
import type { LampPlans } from '../../light/plans/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { createCurveLearning } from './lamp-curves.ts';
import { createRollupTables } from './rollup-tables.store.ts';
import { prepareQuantities } from './quantity-numbers.store.ts';
import { rollEnergy, type EnergyContext } from './roll-energy.ts';
import { findDueDays, rollDays } from './roll-days.store.ts';
import { rollHours } from './roll-hours.store.ts';
import * as store from './roller.store.ts';
import { hourMs, hourOf, merged, type Unit } from './spans.query.ts';

export interface RollerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: no lamp was given a plan. */
  readonly plans?: Pick<LampPlans, 'of'>;
  /** Hours of devices in one transaction. */
  readonly sliceSize?: number;
  /** Readings that energy is reckoned from in one piece. */
  readonly readingsAtOnce?: number;
  /** Models whose curve of power is learned in one turn. */
  readonly modelsAtOnce?: number;
  /**
   * Told of the hours (their beginnings, epoch milliseconds) that readings came into late, in the transaction that
   * corrects the history.
   */
  readonly cameLate?: (tx: Transaction, hours: readonly number[]) => Promise<void>;
}

export interface Roller {
  /**
   * Closes and rolls what is to be, corrects what came late, rolls days; until nothing is left or somebody else does
   * it.
   */
  roll(): Promise<void>;
  /** Does so every few seconds. */
  start(): () => Promise<void>;
}

/** What energy is reckoned by beside the readings. */
type Known = Pick<EnergyContext, 'places' | 'curves'>;

const everyMs = 10_000;
/** An hour is closed so long after its end: most of what is on its way has come by then. */
const graceMs = 120_000;
/** What was not rolled for long is caught up so many hours at a time. */
const hoursAtOnce = 24;
/** A second or two of work: what comes late waits no longer for it. */
const usualSlice = 5000;
const lateAtOnce = 2000;
const daysAtOnce = 1000;
const knownGoodMs = 60_000;
/** lock_not_available: writers of readings were busy. */
const busy = '55P03';

const reporting = families.filter(({ quantities }) => quantities.length > 0).map(({ key }) => key);

/**
 * Keeps hours and days of the history. Every step is one transaction that only one process does at a time, and whatever
 * it took off a list it has done when it ends: killed anywhere, the next one goes on where the last step ended.
 */
export function createRoller({
  db,
  clock,
  log,
  plans,
  sliceSize = usualSlice,
  readingsAtOnce,
  modelsAtOnce,
  cameLate,
}: RollerParts): Roller {
  const tables = createRollupTables(db);
  let known: (Known & { readonly at: number }) | undefined;
  let prepared: Promise<void> | undefined;
  let stopped = false;

  async function knownNow(): Promise<Known> {
    const now = clock.now().getTime();
    if (!known || Math.abs(now - known.at) > knownGoodMs)
      known = { at: now, places: await loadPlaces(db), curves: await loadCurves(db) };
    return known;
  }

  /** One step as the only roller; undefined: somebody else rolls. */
  const step = <T>(work: (tx: Transaction, state: store.State) => Promise<T>): Promise<T | undefined> =>
    changing(db, async (tx) => ((await store.becomeRoller(tx)) ? work(tx, await store.readState(tx)) : undefined));

  const learning = createCurveLearning({ clock, log, step, modelsAtOnce });

  async function rollUnits(
    tx: Transaction,
    units: readonly Unit[],
    state: store.State,
    energyKnown: Known,
  ): Promise<void> {
    await rollHours(tx, units);
    await rollEnergy(tx, units, {
      ...energyKnown,
      plans,
      readingsAtOnce,
      oldest: Math.max(state.rawFrom, state.hoursFrom),
      boundary: (id) => (id <= state.deviceAfter ? state.closedTo : state.rolledTo),
    });
  }

  /** The next hours that are over: true when some were closed. */
  async function close(): Promise<boolean> {
    const target = hourOf(clock.now().getTime() - graceMs);
    const closing = await step(async (tx, state) => {
      if (state.rolledTo < state.closedTo || state.closedTo >= target) return null;
      const first = Number.isFinite(state.closedTo) ? state.closedTo : hourOf((await store.firstReading(tx)) ?? target);
      return { from: first, to: Math.min(target, first + hoursAtOnce * hourMs) };
    });
    if (!closing || closing.from > closing.to) return false;
    await tables.ensure(closing.from, closing.to);
    try {
      return (
        (await step(async (tx, state) => {
          // Looked at again: a step of another process may have come between.
          if (state.rolledTo < state.closedTo || (Number.isFinite(state.closedTo) && state.closedTo !== closing.from))
            return false;
          await store.closeHours(tx, closing.from, closing.to);
          return closing.to > closing.from;
        })) === true
      );
    } catch (thrown) {
      if (codeOf(thrown) !== busy) throw thrown;
      log.debug('hours are closed later: readings are being written');
      return false;
    }
  }

  /** The next devices of the hours that are closed and not rolled: true when there were some. */
  async function slice(): Promise<boolean> {
    const energyKnown = await knownNow();
    return (
      (await step(async (tx, state) => {
        if (state.rolledTo >= state.closedTo) return false;
        const hours = Math.max(1, (state.closedTo - state.rolledTo) / hourMs);
        const ids = (await store.hasTables(tx, state.rolledTo, state.closedTo))
          ? await store.nextDevices(tx, state.deviceAfter, reporting, Math.max(1, Math.floor(sliceSize / hours)))
          : [];
        const last = ids.at(-1);
        if (last === undefined) await store.noteAllRolled(tx);
        else {
          await rollUnits(
            tx,
            ids.map((deviceId) => ({ deviceId, from: state.rolledTo, to: state.closedTo })),
            { ...state, deviceAfter: last },
            energyKnown,
          );
          await store.noteRolled(tx, last);
        }
        return true;
      })) === true
    );
  }

  async function late(): Promise<boolean> {
    const energyKnown = await knownNow();
    const oldest = await step(store.findOldestLate);
    if (!oldest) return false;
    await tables.ensure(oldest.getTime(), clock.now().getTime());
    return (
      (await step(async (tx, state) => {
        const marks = await store.takeLate(tx, lateAtOnce);
        const kept = Math.max(state.rawFrom, state.hoursFrom);
        // What is about to be rolled for the first time needs no second.
        const due = marks.filter(
          ({ deviceId, hour }) =>
            hour >= kept && (hour < state.rolledTo || (hour < state.closedTo && deviceId <= state.deviceAfter)),
        );
        await rollUnits(tx, merged(due), state, energyKnown);
        if (marks.length > 0) await cameLate?.(tx, [...new Set(marks.map(({ hour }) => hour))]);
        return marks.length > 0;
      })) === true
    );
  }

  const days = async (): Promise<boolean> =>
    (await step(async (tx) => {
      const due = await findDueDays(tx, clock.now(), daysAtOnce);
      await rollDays(tx, due);
      return due.length > 0;
    })) === true;

  async function roll(): Promise<void> {
    await (prepared ??= prepareQuantities(db).catch((thrown: unknown) => {
      prepared = undefined;
      throw thrown;
    }));
    // What came late first: it has a minute, however much else there is to catch up.
    for (let more = true; more && !stopped;) {
      more = await late();
      more = (await slice()) || (await close()) || more;
      more = (await days()) || more;
    }
    if (!stopped) await learning.turn();
  }

  return {
    roll,
    start() {
      let work: Promise<void> | undefined;
      const stop: Stop = clock.every(everyMs, () => {
        work ??= roll()
          .catch((thrown: unknown) => {
            tables.forget();
            log.error({ err: thrown }, 'the history could not be rolled');
          })
          .finally(() => {
            work = undefined;
          });
        return work;
      });
      return async () => {
        stopped = true;
        stop();
        await work;
      };
    },
  };
}
