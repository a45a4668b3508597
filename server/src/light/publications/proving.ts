import { lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { breather } from '../../platform/breather.ts';
import { changing } from '../../platform/db/index.ts';
import { loadManualSpans, reportPeriods } from '../lamps/index.ts';
import { eachInHalves, expectedHash, formerOf, hashOf, isOfLamp, type AssignedPlan } from '../plans/index.ts';
import { plansOfAreas, plansOfEach } from './lamp-plans.ts';
import { judge, paceBy, stepsToJudge, type Step, type Watched } from './proving.rules.ts';
import * as store from './proving.store.ts';
import type { StepsParts } from './steps.ts';

/** Lamps looked at together: with fewer, planning the statements takes as long as running them. */
const atOnce = 1000;
/**
 * So many of these are in work beside each other: while one is judged, others are read or written. With the batches of
 * settings that are read ahead they leave connections of the pool to others.
 */
const lanes = 3;
/** One turn looks at lamps for so long, ms. */
const turnMs = 1500;
/** All that was told is compared with what devices say, ms. */
const compareMs = 60_000;
/** Hashes change with the month, and messages between processes may be lost: both are looked at so often, ms. */
const renewMs = 3_600_000;
/** All lamps are counted by their states so often, ms; while none has a plan that costs nothing. */
const countMs = 600_000;
const countNoneMs = 30_000;
/** Manual states begin at most so long before what they cover, ms. */
const manualMs = 86_400_000;

export interface Proofs {
  /** This process does it now; another one may have until then, and died in the middle of it. */
  begin(): void;
  /** What lamps say and do since they were told. */
  turn(): Promise<void>;
  /** These devices say that they run another plan. */
  said(ids: readonly number[]): void;
  /** Lamps by what a look at them found. */
  readonly counts: Readonly<Record<'proven' | 'diverged' | 'away' | 'reported', number>>;
  /** Planned steps by what readings of them showed. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Lamps with a plan by their state in the publication that gave it; null: this process did not count them. */
  readonly devices: Readonly<Record<string, number>> | null;
}

/** At a planned step a lamp does what it should, something else, or was not heard of. */
type Outcome = 'agreed' | 'missed' | 'unseen';

/** How far the settings of lamps that reported nothing are renewed; `all`: also of those that have had them for long. */
interface Renewing {
  readonly after: store.ItemKey;
  readonly all: boolean;
}

/** What a look found, and the state that the lamp had. */
interface Looked {
  readonly look: store.Look;
  readonly was: string;
}

interface Found {
  readonly looks: readonly Looked[];
  /** Of lamps that could not be looked at. */
  readonly failures: readonly unknown[];
}

/** Looks for the proof that lamps run what they were told: by what they say, and by what they do at planned steps. */
export function createProofs({ db, bus, clock, plans, planned }: StepsParts): Proofs {
  const counts = { proven: 0, diverged: 0, away: 0, reported: 0 };
  const outcomes = { agreed: 0, missed: 0, unseen: 0 };
  let devices: Readonly<Record<string, number>> | null = null;
  let countedAt = Number.NEGATIVE_INFINITY;
  const periods = reportPeriods();
  const saying = new Set<number>();
  let comparedAt = Number.NEGATIVE_INFINITY;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let renewing: Renewing | null = null;
  const changed = () => bus.publish('publications.changed', {});

  /**
   * A process may have died after the rows were written and before devices got their settings: they get them now, by
   * the hash of today. A turn goes so far as its time allows, the next one goes on.
   */
  async function renew(now: number): Promise<void> {
    if (!renewing) {
      if (Math.abs(now - renewedAt) < renewMs) return;
      renewing = { after: { publicationId: 0, deviceId: 0 }, all: renewedAt === Number.NEGATIVE_INFINITY };
      renewedAt = now;
    }
    const begun = performance.now();
    while (renewing && performance.now() - begun < turnMs) await renewSome(renewing, now);
  }

  async function renewSome({ after, all }: Renewing, now: number): Promise<void> {
    const items = await store.findUnreported(db, after, atOnce);
    const ids = items.map(({ deviceId }) => deviceId);
    const failures: unknown[] = [];
    const failing = (thrown: unknown) => void failures.push(thrown);
    const { own, failed } = await plansOfEach(db, plans, items, { now, failing });
    const able = await plans.abilities(db, ids);
    const hashes: { publicationId: number; deviceId: number; hash: string | null }[] = [];
    const breathe = breather();
    for (const { publicationId, deviceId, planHash } of items) {
      const plan = own.get(deviceId);
      const hash = plan ? expectedHash(plan, able(deviceId), now) : null;
      if (hash !== planHash && !failed.has(deviceId)) hashes.push({ publicationId, deviceId, hash });
      await breathe();
    }
    if (hashes.length > 0) await changing(db, (tx) => store.writeHashes(tx, hashes));
    const late = items.filter(({ toldAt }) => all || now - toldAt.getTime() < 2 * renewMs);
    if (late.length > 0) bus.publish('plans.assigned', { ids: late.map(({ deviceId }) => deviceId) });
    const last = items.at(-1);
    renewing = last && items.length === atOnce ? { after: last, all } : null;
    if (failures.length > 0) throw failures[0];
  }

  async function count(now: number): Promise<void> {
    const hasNone = devices !== null && Object.keys(devices).length === 0;
    if (Math.abs(now - countedAt) < (hasNone ? countNoneMs : countMs)) return;
    countedAt = now;
    devices = await store.countDevices(db);
  }

  /** What the newest proof of a lamp says of a step; the same step may be looked at again. */
  function measure({ item }: Watched, { proof }: store.Look): void {
    if (!proof || proof.stepAt === item.proof?.stepAt) return;
    const outcome =
      proof.readingAt === null ? 'unseen' : proof.misses > (item.proof?.misses ?? 0) ? 'missed' : 'agreed';
    outcomes[outcome] += 1;
    if (outcome === 'agreed')
      planned?.(Date.parse(String(proof.readingAt)) - Date.parse(proof.stepAt) - item.clockOffsetMs);
  }

  async function hear(now: Date): Promise<void> {
    const all = Math.abs(now.getTime() - comparedAt) >= compareMs;
    const ids = [...saying];
    if (!all && ids.length === 0) return;
    const reported = await changing(db, (tx) => store.writeReported(tx, all ? 'all' : ids, now));
    for (const id of ids) saying.delete(id);
    if (all) comparedAt = now.getTime();
    counts.reported += reported;
    if (reported > 0) changed();
  }

  /** What looks at lamps that are due find. */
  async function look(told: readonly store.Told[], now: Date): Promise<Found> {
    const at = now.getTime();
    const failures: unknown[] = [];
    const looks: Looked[] = [];
    const add = ({ state: was }: store.Told, look: store.Look) => void looks.push({ was, look });
    const failing = (thrown: unknown) => void failures.push(thrown);
    const breathe = breather();
    const { found: given, failed } = await eachInHalves(
      told.map(({ deviceId }) => deviceId),
      (ids) => plans.withGiving(db, ids, at),
      failing,
    );
    const following = told.flatMap((lamp) => {
      const own = given.get(lamp.deviceId);
      if (own?.givenBy === lamp.publicationId) return [{ told: lamp, given: own }];
      // What was given to it since counts.
      add(lamp, failed.has(lamp.deviceId) ? later(lamp, at) : unwatched(lamp, 'superseded'));
      return [];
    });
    const areas = await plansOfAreas(
      db,
      following.flatMap((lamp) => (lamp.given.plan ? [] : lamp.given.workAreaId)),
    );
    const cases: { readonly one: Watched; readonly steps: readonly Step[] }[] = [];
    for (const item of await store.loadDue(db, following)) {
      const own = given.get(item.deviceId)?.plan ?? undefined;
      const plan = own ?? areas.get(item.workAreaId);
      if (!plan) {
        add(item, unwatched(item, null));
        continue;
      }
      try {
        const one = watched(item, plan, own, { periods, now: at });
        cases.push({ one, steps: stepsToJudge(one, at) });
      } catch (thrown) {
        if (!isOfLamp(thrown)) throw thrown;
        failing(thrown);
        add(item, later(item, at));
      }
      await breathe();
    }
    const spans = cases.flatMap(({ one, steps }) =>
      steps.map(({ from, to }) => ({ deviceId: one.item.deviceId, from, to })),
    );
    const readings = Map.groupBy(await store.findReadings(db, spans), ({ deviceId }) => deviceId);
    const manual = await manualOf(spans);
    for (const { one, steps } of cases) {
      const { deviceId } = one.item;
      const seen = { readings: readings.get(deviceId) ?? [], manual: manual.get(deviceId) ?? [] };
      try {
        const found = judge(one, steps, seen, at);
        add(one.item, found);
        measure(one, found);
      } catch (thrown) {
        if (!isOfLamp(thrown)) throw thrown;
        failing(thrown);
        add(one.item, later(one.item, at));
      }
      await breathe();
    }
    return { looks, failures };
  }

  async function manualOf(spans: readonly { readonly deviceId: number; readonly from: number }[]) {
    const ids = new Set<number>();
    let first = Number.POSITIVE_INFINITY;
    for (const { deviceId, from } of spans) {
      ids.add(deviceId);
      first = Math.min(first, from);
    }
    return ids.size === 0 ? new Map<number, never>() : loadManualSpans(db, [...ids], new Date(first - manualMs));
  }

  async function write(looks: readonly Looked[], now: Date): Promise<void> {
    const rows = looks.map(({ look }) => look);
    await changing(db, (tx) => store.writeLooks(tx, rows, now));
    const news = looks.filter(({ look, was }) => look.state !== null && look.state !== was);
    for (const { look } of news)
      if (look.state === 'proven' || look.state === 'diverged' || look.state === 'away') counts[look.state] += 1;
    if (news.length > 0) changed();
  }

  /** Lanes choose lamps one after the other, none that is in work in another one. */
  async function lookOn(now: Date): Promise<void> {
    const begun = performance.now();
    const failures: unknown[] = [];
    const inWork = new Set<number>();
    const isOver = () => failures.length > 0 || performance.now() - begun >= turnMs;
    let claimed: Promise<readonly store.Told[]> = Promise.resolve([]);
    const claim = async (before: Promise<unknown>) => {
      await before;
      if (isOver()) return [];
      const items = await store.findDue(db, now, { limit: atOnce, without: [...inWork] });
      for (const { deviceId } of items) inWork.add(deviceId);
      return items;
    };
    const lane = async () => {
      let isFull = true;
      while (isFull && !isOver()) {
        claimed = claim(claimed);
        const items = await claimed;
        isFull = items.length === atOnce;
        if (items.length === 0) return;
        const found = await look(items, now);
        failures.push(...found.failures);
        await write(found.looks, now);
        for (const { deviceId } of items) inWork.delete(deviceId);
      }
    };
    const failing = (thrown: unknown) => void failures.push(thrown);
    await Promise.all(Array.from({ length: lanes }, () => lane().catch(failing)));
    if (failures.length > 0) throw failures[0];
  }

  return {
    counts,
    outcomes,
    get devices() {
      return devices;
    },
    begin() {
      renewedAt = Number.NEGATIVE_INFINITY;
      renewing = null;
      comparedAt = Number.NEGATIVE_INFINITY;
      countedAt = Number.NEGATIVE_INFINITY;
    },
    said(ids) {
      for (const id of ids) saying.add(id);
    },
    async turn() {
      const now = clock.now();
      const failures: unknown[] = [];
      // One part that fails stands in no other's way.
      const tried = (work: Promise<void>) => work.catch((thrown: unknown) => void failures.push(thrown));
      await tried(renew(now.getTime()));
      await tried(hear(now));
      await tried(lookOn(now));
      await tried(count(now.getTime()));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A lamp that cannot be looked at is looked at again later, and stays as it is. */
const later = (item: store.Told, now: number): store.Look => ({
  ...item,
  state: null,
  reason: null,
  lookAt: new Date(now + renewMs),
});

/** Nothing is awaited of this lamp any more. */
const unwatched = (item: store.Told, state: store.Look['state']): store.Look => ({
  ...item,
  state,
  reason: null,
  lookAt: null,
});

/**
 * Since when a lamp says that it runs another plan than it was told. What it is told changes with the month and with
 * exceptions, also after it has reported: then either hash is right. It may have said that of an exception that has ended
 * since.
 */
function otherSince({ otherHash, saysSince }: store.Due, own: AssignedPlan | undefined, now: number): number | null {
  if (otherHash === null || !own || otherHash === hashOf(own, now)) return null;
  const hasEnded = own.exceptions.some(({ to }) => to > (saysSince ?? now) && to <= now);
  return hasEnded ? null : saysSince;
}

function watched(
  item: store.Due,
  plan: LampPlan,
  own: AssignedPlan | undefined,
  { periods, now }: { readonly periods: ReturnType<typeof reportPeriods>; readonly now: number },
): Watched {
  return {
    ...paceBy(own?.following.at(-1), periods, item.clockOffsetMs),
    item,
    plan,
    former: own ? formerOf(own) : plan,
    otherSince: otherSince(item, own, now),
    from: Math.max(item.toldAt, lightingDayOf(plan.place, item.effectiveFrom).from),
  };
}
