import type { Clock } from '../../platform/clock.ts';
import { changing, type Db } from '../../platform/db/index.ts';
import { beginSum, findUnsummed, forgetLoads, sumStep, type Hold } from './loads.store.ts';

export interface LoadSumsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly hold: Hold;
}

export interface LoadSums {
  /**
   * Sums what was never summed and what may have changed, for about a second; the next time when it has rested long
   * enough.
   */
  turn(): Promise<void>;
  /** Does so every few seconds; what it returns resolves when nothing is under way any more. */
  start(): () => Promise<void>;
}

const everyMs = 5000;
const turnMs = 1000;
/**
 * So many times as long as it worked it rests: little while quarters are missing from the curve, long while it only
 * looks again.
 */
const rests = { new: 2, late: 5, open: 20 };
/** After it only looked again it rests so long at least, ms: the sums of a small city take next to nothing. */
const openRestMs = 15_000;
/** A clock that is set ahead while it works makes it rest no longer than this. */
const longestRestMs = 600_000;
const mostFailures = 3;
const hourMs = 3_600_000;
/** Most of what is on its way has come by then. */
const graceMs = 20_000;
/** Tonight and the night before, wherever in the day it is. */
const shownMs = 60 * hourMs;
const keptMs = 84 * hourMs;

/**
 * Keeps the sums that the home page's curve is made of (`area_load`), one quarter of an hour after the other: those of
 * open hours are looked at again and again, those of closed ones when something came late. In a city of a million lamps
 * one takes some two seconds; the nights would take minutes at each question.
 */
export function createLoadSums({ db, clock, hold }: LoadSumsParts): LoadSums {
  const time = () => clock.now().getTime();
  let restsUntil = 0;
  let stopped = false;
  let forgotAt = Number.NEGATIVE_INFINITY;

  async function sum(begun: number): Promise<number> {
    const steps = await findUnsummed(db, { from: new Date(begun - shownMs), to: new Date(begun - graceMs) });
    let rest = rests.open;
    const failures: unknown[] = [];
    for (const { at, why } of steps) {
      rest = Math.min(rest, rests[why]);
      try {
        const one = await changing(db, (tx) => beginSum(tx, at, clock.now()));
        await changing(db, (tx) => sumStep(tx, one, hold));
      } catch (thrown) {
        // The others have their turn.
        failures.push(thrown);
        rest = rests.open;
      }
      if (stopped || failures.length > mostFailures || time() - begun >= turnMs) break;
    }
    if (failures.length > 0) throw failures[0];
    return rest;
  }

  async function turn(): Promise<void> {
    const begun = time();
    if (begun < restsUntil && restsUntil - begun <= longestRestMs) return;
    let rest = rests.open;
    try {
      rest = await sum(begun);
    } finally {
      restsUntil =
        time() + Math.min(longestRestMs, Math.max(rest === rests.open ? openRestMs : 0, rest * (time() - begun)));
    }
    if (Math.abs(begun - forgotAt) < hourMs) return;
    await changing(db, (tx) => forgetLoads(tx, new Date(begun - keptMs)));
    forgotAt = begun;
  }

  return {
    turn,
    start() {
      let work: Promise<void> | undefined;
      const run = () =>
        (work ??= turn().finally(() => {
          work = undefined;
        }));
      const stops = [clock.after(1, run), clock.every(everyMs, run)];
      return async () => {
        stopped = true;
        for (const stop of stops) stop();
        await work?.catch(() => undefined);
      };
    },
  };
}
