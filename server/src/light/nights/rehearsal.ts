import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import { changing, type Transaction } from '../../platform/db/index.ts';
import type { AreaPlace } from '../../register/places/index.ts';
import { addToQuestion, releaseQuestion } from '../commands/index.ts';
import { defaultThresholds, loadManualSpans, reportPeriods } from '../lamps/index.ts';
import { hashOf, isOfLamp } from '../plans/index.ts';
import { plansOfEach } from '../publications/index.ts';
import { findConditions } from './facts.store.ts';
import * as store from './nights.store.ts';
import { darkTonight, firstLit, plannedSpan } from './rehearsal.rules.ts';
import { atOnce, manualMs, type LampwiseParts } from './turns.ts';

const minuteMs = 60_000;
/** Lamps are asked so long before the earliest of an area goes on, and listed so long before it, ms. */
const askMs = 60 * minuteMs;
const listMs = 20 * minuteMs;
/** Plans may change: when the lamps go on is looked up again after so long, ms. */
const lookMs = 30 * minuteMs;
/** Late answers are looked for so often, ms. */
const lateMs = minuteMs;

/** Who asks, as the list of commands names it. */
const program = 'Lampyris';

interface Looking {
  readonly day: Day;
  after: number;
  /** Of lamps that go on later, and of those that are lit already. */
  firstOn: number | null;
  lit: number | null;
}
interface Found {
  readonly last: number | undefined;
  readonly isLast: boolean;
  readonly lamps: readonly (store.NightLamp & {
    readonly plan: LampPlan;
    readonly on: number;
    readonly hash: string | null;
  })[];
}

/** Asks the lamps that should be lit before dusk, and lists those that will probably not; the row says how far it came. */
export function createRehearsal({ db, bus, clock, plans, failing }: LampwiseParts) {
  const { controllerSilentMinSeconds, controllerSilentPeriods } = defaultThresholds;
  const contactorGoodMs =
    Math.max(controllerSilentMinSeconds, controllerSilentPeriods * reportPeriods().controllerSeconds) * 1000;
  const lookings = new Map<number, Looking>();
  const lateAt = new Map<number, { readonly at: number; after: number }>();
  const changed = () => bus.publish('nights.changed', {});

  /** Lamps of an area after a device that are to be lit on a lighting day. */
  async function litLamps(key: store.NightKey, after: number, now: number): Promise<Found> {
    const lamps = await store.findNightLamps(db, key.workAreaId, after, atOnce);
    return { last: lamps.at(-1)?.id, isLast: lamps.length < atOnce, lamps: await litOf(key, lamps, now) };
  }

  /** Those of these lamps that are to be lit on a lighting day. */
  async function litOf(key: store.NightKey, lamps: readonly store.NightLamp[], now: number): Promise<Found['lamps']> {
    const known = await plansOfEach(db, plans, lamps, { now, failing });
    const lit: Found['lamps'][number][] = [];
    await eachOf(lamps, (lamp) => {
      const plan = known.of(lamp.id, lamp.workAreaId);
      const on = plan ? firstLit(plan, key.day) : null;
      const own = known.own.get(lamp.id);
      if (plan && on !== null) lit.push({ ...lamp, plan, on, hash: own ? hashOf(own, now) : null });
    });
    return lit;
  }

  /** Does this with each of some things; one that it cannot be done with is left out. */
  async function eachOf<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
    const breathe = breather();
    for (const item of items) {
      try {
        work(item);
      } catch (thrown) {
        if (!isOfLamp(thrown)) throw thrown;
        failing(thrown);
      }
      await breathe();
    }
  }

  /** Looks up when the first lamp of the area goes on; false: there are lamps left. */
  async function look(key: store.NightKey, now: Date): Promise<boolean> {
    const known = lookings.get(key.workAreaId);
    const looking = known?.day === key.day ? known : { day: key.day, after: 0, firstOn: null, lit: null };
    lookings.set(key.workAreaId, looking);
    const { last, isLast, lamps } = await litLamps(key, looking.after, now.getTime());
    // A lamp that an exception lights by day is no reason to leave the others unasked.
    for (const { on } of lamps)
      if (on > now.getTime()) looking.firstOn = Math.min(looking.firstOn ?? on, on);
      else looking.lit = Math.min(looking.lit ?? on, on);
    looking.after = last ?? looking.after;
    if (!isLast) return false;
    lookings.delete(key.workAreaId);
    const firstOn = looking.firstOn ?? looking.lit;
    await store.writeLook(db, key, firstOn === null ? null : new Date(firstOn), now);
    return true;
  }

  /** A step of the night, if nobody has made it meanwhile. */
  const step = (key: store.NightKey, seen: store.Night, write: (tx: Transaction) => Promise<void>): Promise<boolean> =>
    changing(db, async (tx) => {
      const held = await store.holdNight(tx, key);
      if (held?.rehearsal !== seen.rehearsal || held.rehearsedTo !== seen.rehearsedTo) return false;
      await write(tx);
      return true;
    });

  const move = (key: store.NightKey, seen: store.Night, to: store.RehearsalStep): Promise<boolean> =>
    step(key, seen, (tx) => store.writeRehearsal(tx, key, to));

  /** Asks some lamps for a reading. */
  async function ask({ area, key }: Where, night: store.Night, firstOn: Date, now: Date): Promise<void> {
    const { last, isLast, lamps } = await litLamps(key, night.rehearsedTo, now.getTime());
    // Without power nobody answers, and until dusk the plan gives it none.
    const asked = lamps.filter(({ unpowered }) => !unpowered);
    const names = await store.findAreaNames(db, [area.id]);
    let isAsked = false;
    await step(key, night, async (tx) => {
      const question = {
        command: 'read',
        by: program,
        scope: { workAreaId: area.id, names: [...names.values()] },
        now,
        expiresAt: firstOn,
      } as const;
      const commandId =
        asked.length === 0 ? night.commandId : await addToQuestion(tx, night.commandId, question, asked);
      // Somebody cancelled the question: nobody else is asked.
      const isCancelled = asked.length > 0 && commandId === null;
      isAsked = isLast || isCancelled;
      if (isLast && commandId !== null) await releaseQuestion(tx, commandId);
      await store.writeRehearsal(tx, key, {
        phase: isAsked ? 'asked' : 'asking',
        to: isAsked ? 0 : (last ?? night.rehearsedTo),
        lit: lamps.length,
        unasked: isCancelled ? lamps.length : lamps.length - asked.length,
        ...(commandId === null ? {} : { commandId }),
        ...(isAsked ? { askedAt: now } : {}),
      });
    });
    if (isAsked) changed();
  }

  /** Which of these will probably not light. */
  async function darkOf(key: store.NightKey, night: store.Night, lamps: Found['lamps'], now: Date) {
    const ids = lamps.map(({ id }) => id);
    const [conditions, manual] = await Promise.all([
      findConditions(db, ids, { before: addDays(key.day, -1), commandId: night.commandId }),
      loadManualSpans(db, ids, new Date(now.getTime() - manualMs)),
    ]);
    const byId = new Map(conditions.map((one) => [one.id, one]));
    const dark: store.Failure[] = [];
    await eachOf(lamps, ({ id, plan, on, hash }) => {
      const condition = byId.get(id);
      const found =
        condition &&
        darkTonight(
          condition,
          {
            ...{ plan, on, contactorGoodMs, toldHash: hash, planned: plannedSpan(plan, key.day) },
            manual: manual.get(id) ?? [],
            askedAt: night.askedAt?.getTime() ?? 0,
          },
          now.getTime(),
        );
      if (found) dark.push(found);
    });
    return dark;
  }

  /** Lists some lamps. */
  async function list({ key }: Where, night: store.Night, now: Date): Promise<void> {
    const { last, isLast, lamps } = await litLamps(key, night.rehearsedTo, now.getTime());
    const dark = await darkOf(key, night, lamps, now);
    await step(key, night, async (tx) => {
      await store.writeFailures(tx, key, 'rehearsal', dark);
      await store.writeRehearsal(tx, key, {
        phase: isLast ? 'listed' : 'listing',
        to: isLast ? 0 : (last ?? night.rehearsedTo),
        ...(isLast ? { listedAt: now } : {}),
      });
    });
    if (isLast) changed();
  }

  /** Looks at some listed lamps again: late answers count; false: there are more. */
  async function again({ area, key }: Where, night: store.Night, now: Date): Promise<boolean> {
    const late = lateAt.get(area.id) ?? { at: now.getTime(), after: 0 };
    lateAt.set(area.id, late);
    if (late.after === 0 && Math.abs(now.getTime() - late.at) < lateMs) return true;
    const ids = await store.findListed(db, key, late.after, atOnce);
    const known = await store.findTheseLamps(db, ids);
    const lamps = await litOf(key, known, now.getTime());
    const dark = await darkOf(key, night, lamps, now);
    const still = new Set(dark.map(({ deviceId }) => deviceId));
    const lit = ids.filter((id) => !still.has(id));
    await step(key, night, async (tx) => {
      await store.removeListed(tx, key, lit);
      await store.writeFailures(tx, key, 'rehearsal', dark);
    });
    if (lit.length > 0) changed();
    const isLast = ids.length < atOnce;
    lateAt.set(area.id, { at: isLast ? now.getTime() : late.at, after: isLast ? 0 : (ids.at(-1) ?? 0) });
    return isLast;
  }

  /** The next step of an area's night; true: nothing is left to do now. */
  async function advance(where: Where, now: Date): Promise<boolean> {
    const { key, area } = where;
    const night = await store.findNight(db, key);
    const at = now.getTime();
    if (!night || (night.rehearsal === 'planned' && isOld(night, at))) {
      await look(key, now);
      return false;
    }
    if (night.firstOn === null || night.rehearsal === 'over' || night.rehearsal === 'skipped') return true;
    const on = night.firstOn.getTime();
    switch (night.rehearsal) {
      case 'planned':
        if (at < on - askMs) return true;
        await move(key, night, { phase: at < on ? 'asking' : 'skipped', to: 0 });
        return false;
      case 'asking':
        if (at < on) await ask(where, night, night.firstOn, now);
        else await move(key, night, { phase: 'skipped', to: 0 });
        return false;
      case 'asked':
        if (at < on - listMs) return true;
        await move(key, night, { phase: 'listing', to: 0 });
        return false;
      case 'listing':
        await list(where, night, now);
        return false;
      case 'listed':
        if (at < on) return again(where, night, now);
        await move(key, night, { phase: 'over', to: 0 });
        lateAt.delete(area.id);
        changed();
        return true;
    }
  }

  return {
    /** The rehearsal of an area goes on, until then at most; true: nothing is left to do now. */
    async turn(area: AreaPlace, isOver: () => boolean): Promise<boolean> {
      const now = clock.now();
      const where = { area, key: { workAreaId: area.id, day: lightingDay(area, now.getTime()).day } };
      while (!(await advance(where, now))) if (isOver()) return false;
      return true;
    },
  };
}

interface Where {
  readonly area: AreaPlace;
  readonly key: store.NightKey;
}

/** Plans may have changed since; an hour before the lamps go on nothing is looked up any more. */
const isOld = ({ lookedAt, firstOn }: store.Night, now: number): boolean =>
  lookedAt === null ||
  (Math.abs(now - lookedAt.getTime()) >= lookMs && (firstOn === null || now < firstOn.getTime() - askMs));
