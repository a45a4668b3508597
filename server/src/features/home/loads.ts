import type { Clock } from '../../platform/clock.ts';
import { changing, type Db } from '../../platform/db/index.ts';
import { findUnsummed, forgetLoads, sumStep, type Hold } from './loads.store.ts';

export interface LoadSumsParts { readonly db: Db; readonly clock: Clock; readonly hold: Hold }

export interface LoadSums {
  /** Sums what was never summed and what may have changed, for about a second; the next time when it has rested long enough. */
  turn(): Promise<void>;
  /** Does so every few seconds; what it returns resolves when nothing is under way any more. */
  start(): () => Promise<void>;
}

const everyMs = 5000;
const turnMs = 1000;
/** So many times as long as it worked it rests: little while quarters are missing from the curve, long while it only looks again. */
const restNew = 2;
const restAgain = 20;
/** A clock that is set ahead while it works makes it rest no longer than this. */
const longestRestMs = 600_000;
const hourMs = 3_600_000;
/** Tonight and the night before, wherever in the day it is. */
const shownMs = 50 * hourMs;
const keptMs = 72 * hourMs;

/**
 * Keeps the sums that the home page's curve is made of (`area_load`), a transaction each quarter of an hour: those of open hours are looked at again and
 * again, those of closed ones when something came late. In a city of a million lamps one takes some ten seconds; the nights would take minutes at each question.
 */
export function createLoadSums({ db, clock, hold }: LoadSumsParts): LoadSums {
  const time = () => clock.now().getTime();
  let restsUntil = 0;
  let forgotAt = Number.NEGATIVE_INFINITY;

  async function sum(begun: number): Promise<number> {
    const steps = await findUnsummed(db, { from: new Date(begun - shownMs), to: new Date(begun) });
    let rest = restAgain;
    for (const { at, isNew } of steps) {
      if (isNew) rest = restNew;
      await changing(db, (tx) => sumStep(tx, at, hold, clock.now()));
      if (time() - begun >= turnMs) break;
    }
    return rest;
  }

  async function turn(): Promise<void> {
    const begun = time();
    if (begun < restsUntil && restsUntil - begun <= longestRestMs) return;
    const rest = await sum(begun);
    restsUntil = time() + Math.min(longestRestMs, rest * (time() - begun));
    if (Math.abs(begun - forgotAt) < hourMs) return;
    forgotAt = begun;
    await forgetLoads(db, new Date(begun - keptMs));
  }

  return {
    turn,
    start() {
      let work: Promise<void> | undefined;
      const stop = clock.every(everyMs, () => (work = turn()));
      return async () => {
        stop();
        await work?.catch(() => undefined);
      };
    },
  };
}
