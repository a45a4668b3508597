import { parentPort, workerData } from 'node:worker_threads';
import { RRuleTemporal } from 'rrule-temporal';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { Recurrence } from '../../../../catalogue/lighting/plan/calendar.ts';
import { recurrenceText } from '../../../../catalogue/lighting/plan/recurrence-text.ts';
import { horizonOf } from './recurrence.ts';

/** The whole life of a thread: the days of some rules, as many as there are up to the horizon. */

/** No rule of days has more periods up to the horizon. */
const maxIterations = planLimits.recurrenceYears.max * 366 + 1;

function daysOf({ start, rrule }: Recurrence): string[] {
  const rule = new RRuleTemporal({
    rruleString: `DTSTART:${start.replaceAll('-', '')}T000000Z\nRRULE:${recurrenceText(rrule)}`,
    maxIterations,
  });
  const last = new Date(`${horizonOf(start)}T00:00:00Z`);
  return rule.between(new Date(`${start}T00:00:00Z`), last, true).map((at) => at.toString().slice(0, 10));
}

/** Empty where the library gives up: no period up to its last one has a day. */
function daysOrNone(rule: Recurrence): string[] {
  try {
    return daysOf(rule);
  } catch {
    return [];
  }
}

parentPort?.postMessage((workerData as readonly Recurrence[]).map(daysOrNone), []);
