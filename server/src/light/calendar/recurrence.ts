import { Worker } from 'node:worker_threads';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { Recurrence } from '../../../../catalogue/lighting/plan/calendar.ts';
import type { Calendar } from '../../../../catalogue/lighting/plan/scheme.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';

/** Days of RRULEs. They are found in a thread of their own: five years of one can take 200 ms. */

const mostKept = 500;
/** A thread that takes longer is ended; its rules stay unanswered. */
const longestMs = 20_000;
/** Days by rule; the oldest goes first. */
const kept = new Map<string, ReadonlySet<Day>>();
const keyOf = ({ start, rrule }: Recurrence): string => `${start} ${rrule}`;

/** The last day that a rule from `start` on is asked for. */
export const horizonOf = (start: Day): Day =>
  addDays(`${Number(start.slice(0, 4)) + planLimits.recurrenceYears.max}${start.slice(4)}`, -1);

const rulesIn = (calendars: readonly Calendar[]): Recurrence[] =>
  calendars.flatMap(({ rules }) => rules.flatMap(({ when }) => when.filter((one) => one.kind === 'rrule')));

/** Finds the days of every RRULE of these calendars, and how to ask for one: null is not known. */
export async function recurrencesOf(
  calendars: readonly Calendar[],
): Promise<(rule: Recurrence, day: Day) => boolean | null> {
  const asked = new Map(rulesIn(calendars).map((rule) => [keyOf(rule), rule]));
  const missing = [...asked].filter(([key]) => !kept.has(key));
  if (missing.length > 0) {
    const found = await inThread(missing.map(([, rule]) => rule));
    for (const [place, [key]] of missing.entries()) {
      const days = found[place];
      if (days) kept.set(key, new Set(days));
    }
  }
  const own = new Map([...asked.keys()].map((key) => [key, kept.get(key)]));
  for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - mostKept))) kept.delete(key);
  return (rule, day) => {
    if (day > horizonOf(rule.start)) return null;
    return own.get(keyOf(rule))?.has(day) ?? null;
  };
}

/** The days of each rule; of none where the thread took too long. */
async function inThread(rules: readonly Recurrence[]): Promise<readonly (readonly Day[])[]> {
  const worker = new Worker(new URL('recurrence-thread.ts', import.meta.url), {
    workerData: rules,
    execArgv: [],
    name: 'recurrence',
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<readonly (readonly Day[])[]>((resolve, reject) => {
      timer = setTimeout(() => resolve([]), longestMs);
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
