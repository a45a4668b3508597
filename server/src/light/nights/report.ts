import type { NightOutcome } from '../../../../catalogue/lighting/nights.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { lightingDay, lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import { changing } from '../../platform/db/index.ts';
import type { AreaPlace } from '../../register/places/index.ts';
import { loadManualSpans, reportPeriods } from '../lamps/index.ts';
import { hashOf, isOfLamp } from '../plans/index.ts';
import { findReadings, plansOfEach, type Step } from '../publications/index.ts';
import { findGivenAt, findTroubles, type Trouble } from './facts.store.ts';
import * as store from './nights.store.ts';
import {
  darkStep,
  stepsOfNight,
  stepsSince,
  tellOf,
  unjudged,
  verdictOf,
  type NightCase,
  type Told,
  type Verdict,
} from './report.rules.ts';
import { atOnce, manualMs, paceOf, type LampwiseParts } from './turns.ts';

/** Nights that were missed are counted later, if they are not further back. */
const nightsBack = 3;
const noonMinutes = 12 * 60;
const minuteMs = 60_000;
/** A lamp has a plan that it was given at most so long after, if it is in reach, ms. */
const tellMs = 10 * minuteMs;

interface Looked {
  readonly lamp: store.NightLamp;
  readonly one: NightCase;
  readonly steps: readonly Step[];
  readonly isDark: boolean;
  /** It was registered after the night. */
  readonly isNewer: boolean;
  readonly toldHash: string | null;
}

/** Counts who ran the plan of a night, some lamps at a time; the row of the night says how far it came. */
export function createReport({ db, bus, clock, plans, reportAt, failing }: LampwiseParts) {
  const periods = reportPeriods();

  /** When a night is counted: at that time of the morning after it. */
  const dueAt = (place: AreaPlace, day: Day): number =>
    lightingDayOf(place, day).to + (reportAt - noonMinutes) * minuteMs;

  /** The nights of an area that are due, the latest first: it is the one that people wait for. */
  async function dueNights(place: AreaPlace, now: number): Promise<Day[]> {
    const today = lightingDay(place, now).day;
    const days = Array.from({ length: nightsBack + 1 }, (_none, back) => addDays(today, -back)).filter(
      (day) => dueAt(place, day) <= now,
    );
    const [latest] = days;
    if (latest === undefined) return [];
    const [counted, first] = await Promise.all([
      store.findCounted(db, place.id, days.at(-1) ?? latest),
      store.findFirstNight(db, place.id),
    ]);
    // Before the first night that was counted the program was not here.
    return days.filter((day) => !counted.has(day) && (day === latest || (first !== undefined && day > first)));
  }

  async function lookAt(key: store.NightKey, lamps: readonly store.NightLamp[], now: number) {
    const breathe = breather();
    const manual = await loadManualSpans(
      db,
      lamps.map(({ id }) => id),
      new Date(now - (nightsBack + 2) * manualMs),
    );
    const known = await plansOfEach(db, plans, lamps, { now, failing });
    const given = await findGivenAt(
      db,
      lamps.map(({ id }) => id),
      key.day,
    );
    const looked: Looked[] = [];
    const verdicts: { readonly id: number; readonly verdict: Verdict }[] = [];
    for (const lamp of lamps) {
      const plan = known.of(lamp.id, lamp.workAreaId);
      if (!plan) {
        verdicts.push({ id: lamp.id, verdict: unjudged(lamp.id, known.failed.has(lamp.id) ? 'failed' : 'noPlan') });
        continue;
      }
      const own = known.own.get(lamp.id);
      const one: NightCase = {
        plan,
        day: key.day,
        pace: paceOf(own, key.day, periods, lamp.clockOffsetMs),
        ratedWatts: lamp.ratedWatts,
        lighting: lamp.lighting,
        manual: manual.get(lamp.id) ?? [],
      };
      try {
        const steps = stepsOfNight(one, now);
        const dark = steps.length === 0 ? darkStep(one, now) : null;
        const planned = dark ? [dark] : steps;
        // What it followed before it was given this is not known any more.
        const followed = stepsSince(planned, given.get(lamp.id), tellMs);
        if (planned.length > 0 && followed.length === 0)
          verdicts.push({ id: lamp.id, verdict: unjudged(lamp.id, 'replaced') });
        else
          looked.push({
            lamp,
            one,
            steps: followed,
            isDark: dark !== null,
            isNewer: lamp.createdAt.getTime() > (nightOf(plan, key.day).off ?? lightingDayOf(plan.place, key.day).to),
            toldHash: own ? hashOf(own, now) : null,
          });
      } catch (thrown) {
        if (!isOfLamp(thrown)) throw thrown;
        failing(thrown);
        verdicts.push({ id: lamp.id, verdict: unjudged(lamp.id, 'failed') });
      }
      await breathe();
    }
    return { looked, verdicts };
  }

  async function judged(looked: readonly Looked[]): Promise<{ readonly id: number; readonly verdict: Verdict }[]> {
    const breathe = breather();
    const spans = looked.flatMap(({ lamp, steps }) => steps.map(({ from, to }) => ({ deviceId: lamp.id, from, to })));
    const readings = Map.groupBy(await findReadings(db, spans), ({ deviceId }) => deviceId);
    const told: (Told | null)[] = [];
    for (const { lamp, one, steps } of looked) {
      try {
        told.push(tellOf(one, steps, readings.get(lamp.id) ?? []));
      } catch (thrown) {
        if (!isOfLamp(thrown)) throw thrown;
        failing(thrown);
        told.push(null);
      }
      await breathe();
    }
    const asked = looked.flatMap(({ lamp: { id } }, index) => {
      const one = told[index];
      return [...(one?.first ? [one.first.step] : []), ...(one?.unseen ?? [])].map((step) => ({ id, at: step.from }));
    });
    const key = (id: number, at: number) => `${id} ${Math.trunc(at)}`;
    const troubles = new Map<string, Trouble>(
      (await findTroubles(db, asked)).map((one) => [key(one.id, one.at.getTime()), one]),
    );
    return looked.flatMap(({ lamp: { id }, ...about }, index) => {
      const one = told[index];
      const verdict = one
        ? verdictOf(id, one, about, (step) => troubles.get(key(id, step.from)))
        : unjudged(id, 'failed');
      return [{ id, verdict }];
    });
  }

  /** Some lamps of a night; true: there are more. */
  async function count(key: store.NightKey, now: Date): Promise<boolean> {
    const night = await store.findNight(db, key);
    if (!night) {
      await store.addNight(db, key);
      return true;
    }
    if (night.report === 'done') return false;
    const after = night.reportedTo;
    const lamps = await store.findNightLamps(db, key.workAreaId, after, atOnce);
    const { looked, verdicts } = await lookAt(key, lamps, now.getTime());
    const all = [...verdicts, ...(await judged(looked))];
    const isLast = lamps.length < atOnce;
    const counts: Partial<Record<NightOutcome, number>> = {};
    const failures: store.Failure[] = [];
    const dark: number[] = [];
    for (const { id, verdict } of all) {
      const outcome = typeof verdict === 'string' ? verdict : verdict.outcome;
      if (outcome !== 'dark') counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (verdict === 'plannedDark') dark.push(id);
      if (typeof verdict !== 'string') failures.push(verdict);
    }
    const written = await changing(db, async (tx) => {
      // Another process may have counted them meanwhile.
      const held = await store.holdNight(tx, key);
      if (!held || held.report === 'done' || held.reportedTo !== after) return false;
      await store.writeFailures(tx, key, 'report', failures);
      await store.writeDark(tx, key, after, dark);
      await store.writeReport(tx, key, {
        phase: isLast ? 'done' : 'counting',
        to: lamps.at(-1)?.id ?? after,
        counts,
        at: isLast ? now : null,
      });
      return true;
    });
    if (written && isLast) bus.publish('nights.changed', {});
    return !isLast;
  }

  return {
    /** Counts the nights of an area that are due, until then at most; true: nothing is left to do. */
    async turn(place: AreaPlace, isOver: () => boolean): Promise<boolean> {
      const now = clock.now();
      for (const day of await dueNights(place, now.getTime()))
        while (await count({ workAreaId: place.id, day }, now)) if (isOver()) return false;
      return true;
    },
  };
}
