import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { AsyncStop } from '../../platform/leases/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { pruneQuestion } from '../commands/index.ts';
import * as store from './nights.store.ts';
import { createRehearsal } from './rehearsal.ts';
import { createReport } from './report.ts';
import type { NightsParts } from './turns.ts';

const everyMs = 2000;
/** Areas are looked at again after so long when there was nothing left to do, ms. */
const restMs = 10_000;
/** Devices deliver what they kept while the program was not there: nothing is counted so long after its start, ms. */
const settleMs = 6 * 60_000;
/** One turn works for so long, ms. */
const turnMs = 1500;
/** So many nights are kept. */
const nightsKept = 800;
const pruneMs = 6 * 3_600_000;
const pruneAtOnce = 50;
/** Devices of questions of so many nights are looked for, so long after their lamps went on, so often, ms. */
const questionNights = 7;
const answeredMs = 30 * 60_000;
const questionsMs = 10 * 60_000;
const itemsAtOnce = 2000;

export interface NightSteps {
  /** How long this process worked on each part. */
  readonly workSeconds: { readonly rehearsal: number; readonly report: number };
  /** Rehearsals of all areas go on, and reports if they are counted; true: nothing is left to do now. */
  turn(isCounting?: boolean): Promise<boolean>;
  start(): AsyncStop;
}

/** What is asked before dusk and counted in the morning. The rows are the truth: any process goes on from them. */
export function createNightSteps(given: NightsParts): NightSteps {
  const { db, clock } = given;
  let failures: unknown[] = [];
  const lampwise = { ...given, failing: (thrown: unknown) => void failures.push(thrown) };
  const rehearsal = createRehearsal(lampwise);
  const report = createReport(lampwise);
  let prunedAt = Number.NEGATIVE_INFINITY;
  let questionsAt = Number.NEGATIVE_INFINITY;
  const workSeconds = { rehearsal: 0, report: 0 };

  /** What devices answered to questions of nights that have begun is counted: it is not kept of each device. */
  async function pruneQuestions(areas: Iterable<AreaPlace>): Promise<void> {
    const now = clock.now().getTime();
    const [first] = areas;
    if (!first || Math.abs(now - questionsAt) < questionsMs) return;
    const since = addDays(lightingDay(first, now).day, -questionNights);
    const begun = performance.now();
    for (const id of await store.findQuestions(db, since, new Date(now - answeredMs)))
      while (!(await pruneQuestion(db, id, itemsAtOnce))) if (performance.now() - begun > turnMs) return;
    questionsAt = now;
  }

  async function prune(areas: Iterable<AreaPlace>): Promise<void> {
    const now = clock.now().getTime();
    const [first] = areas;
    if (!first || Math.abs(now - prunedAt) < pruneMs) return;
    const before = addDays(lightingDay(first, now).day, -nightsKept);
    while ((await store.pruneNights(db, before, pruneAtOnce)) === pruneAtOnce);
    prunedAt = now;
  }

  async function turn(isCounting = true): Promise<boolean> {
    const areas = [...(await loadPlaces(db)).values()];
    failures = [];
    let isDone = true;
    // What is asked before dusk has its time; what is counted in the morning may wait.
    const parts = { rehearsal, report };
    for (const name of isCounting ? (['rehearsal', 'report'] as const) : (['rehearsal'] as const)) {
      const begun = performance.now();
      for (const area of areas) {
        const done = await parts[name]
          .turn(area, () => performance.now() - begun > turnMs)
          .catch((thrown: unknown) => {
            // The other areas have their turn.
            failures.push(thrown);
            return true;
          });
        isDone &&= done;
      }
      workSeconds[name] += (performance.now() - begun) / 1000;
    }
    await pruneQuestions(areas);
    await prune(areas);
    if (failures.length > 0) throw failures[0];
    return isDone;
  }

  return {
    workSeconds,
    turn,
    start() {
      let work: Promise<void> | undefined;
      let restsUntil = 0;
      const begun = clock.now().getTime();
      const run = (): Promise<void> | undefined => {
        const now = clock.now().getTime();
        if (work || (now < restsUntil && restsUntil - now <= restMs)) return work;
        work = turn(Math.abs(now - begun) >= settleMs)
          .then((isDone) => {
            restsUntil = isDone ? clock.now().getTime() + restMs : 0;
          })
          .finally(() => {
            work = undefined;
          });
        return work;
      };
      const stop = clock.every(everyMs, run);
      return async () => {
        stop();
        await work?.catch(() => undefined);
      };
    },
  };
}
