import { lightingDay, lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { changing, type Db } from '../../platform/db/index.ts';
import type { AsyncStop } from '../../platform/leases/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { isOverdue } from '../commands/index.ts';
import { loadManualSpans, reportPeriods } from '../lamps/index.ts';
import { assign, formerOf, hashOf, type AssignedPlan, type LampPlans } from '../plans/index.ts';
import { judgeFirst } from './judging.ts';
import { verdictOn, type Case } from './proving.rules.ts';
import { countStates, findOpen, hold, move, release, type Publication } from './publications.store.ts';
import * as told from './telling.store.ts';

export interface StepsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: Pick<LampPlans, 'of'>;
}
export interface Steps {
  /** Every open publication goes one step further. */
  turn(): Promise<void>;
  start(): AsyncStop;
}

const everyMs = 2000;
/** Lamps told, and lamps judged, in one step. */
const atOnce = 500;
/** Nothing new is told so long before and after a lamp's on-time, ms. */
const guardMs = 30 * 60_000;
/** What was told and is not reported is announced again, ms. */
const againMs = 300_000;

const telling = new Set(['tellingCanary', 'tellingAll']);
const proving = new Set(['tellingCanary', 'judging', 'tellingAll', 'proving', 'halted']);

/** Tells lamps what is published and looks for the proof. The rows are the truth: any process goes on from them. */
export function createSteps({ db, bus, clock, plans }: StepsParts): Steps {
  const cursors = new Map<string, number>();
  let announcedAt = Number.NEGATIVE_INFINITY;
  const changed = () => bus.publish('publications.changed', {});
  const nextOf = (key: string, ids: readonly number[]): void => {
    cursors.set(key, ids.length < atOnce ? 0 : (ids.at(-1) ?? 0));
  };

  /** The plans of these lamps, given or by the sun of their area; a lamp without a place has none. */
  async function plansOf(from: Db, lamps: readonly { deviceId: number; workAreaId: number }[], now: number) {
    const [own, places] = [
      await plans.of(
        from,
        lamps.map(({ deviceId }) => deviceId),
        now,
      ),
      await loadPlaces(from, [...new Set(lamps.map(({ workAreaId }) => workAreaId))]),
    ];
    const areas = new Map([...places].map(([id, place]) => [id, defaultPlan(place)]));
    return { own, of: (id: number, area: number): LampPlan | undefined => own.get(id) ?? areas.get(area) };
  }

  async function tell(publication: Publication): Promise<void> {
    const { id, phase, reverts } = publication;
    const key = `tell ${id}`;
    const now = clock.now();
    const at = now.getTime();
    const done = await changing(db, async (tx) => {
      if ((await hold(tx, id))?.phase !== phase) return undefined;
      const turns = await told.findTurns(tx, id, { after: cursors.get(key) ?? 0, limit: atOnce });
      if (turns.length === 0) return { turns, ids: [] };
      const known = await plansOf(tx, turns, at);
      const free = reverts === null ? turns.filter((t) => !isGuarded(known.of(t.deviceId, t.workAreaId), at)) : turns;
      const ids = free.map(({ deviceId }) => deviceId);
      if (ids.length === 0) return { turns, ids };
      await assign(tx, {
        deviceIds: ids,
        schemeVersionIds: free.map((t) => t.schemeVersionId),
        templateVersionIds: free.map((t) => t.templateVersionId),
        fromDay: publication.effectiveFrom,
        publicationId: id,
        by: publication.actorName,
        at: now,
      });
      const given = await plans.of(tx, ids, at);
      const hash = (plan: AssignedPlan | undefined) => (plan ? hashOf(plan, at) : null);
      await told.writeTold(
        tx,
        id,
        ids.map((deviceId) => ({ deviceId, hash: hash(given.get(deviceId)) })),
        now,
      );
      return { turns, ids };
    });
    if (!done) return;
    nextOf(
      key,
      done.turns.map(({ deviceId }) => deviceId),
    );
    if (done.ids.length > 0) {
      bus.publish('plans.assigned', { ids: done.ids });
      bus.publish('plans.changed', {});
      changed();
    }
  }

  /** What lamps say and do since they were told. */
  async function prove(publication: Publication): Promise<void> {
    const { id } = publication;
    const now = clock.now();
    const at = now.getTime();
    const key = `prove ${id}`;
    const reported = await changing(db, (tx) => told.writeReported(tx, id, now));
    const items = await told.findUnproven(db, id, cursors.get(key) ?? 0, atOnce);
    nextOf(
      key,
      items.map(({ deviceId }) => deviceId),
    );
    const known = await plansOf(db, items, at);
    const periods = reportPeriods();
    const begun = items.flatMap((item) => {
      const plan = known.of(item.deviceId, item.workAreaId);
      if (!plan) return [];
      const own = known.own.get(item.deviceId);
      const from = Math.max(item.toldAt.getTime(), lightingDayOf(plan.place, publication.effectiveFrom).from);
      const lit = own?.following.at(-1)?.template?.content.reportLitSeconds ?? periods.litSeconds;
      return [{ item, plan, former: own ? formerOf(own) : plan, from, periodMs: lit * 1000 }];
    });
    const spans = begun.flatMap(({ item, from }) => (from < at ? [{ deviceId: item.deviceId, from, to: at }] : []));
    const [readings, manual] =
      spans.length === 0
        ? [[], new Map()]
        : [
            await told.findReadings(db, spans),
            await loadManualSpans(
              db,
              spans.map(({ deviceId }) => deviceId),
              new Date(Math.min(...spans.map(({ from }) => from)) - 86_400_000),
            ),
          ];
    const byLamp = Map.groupBy(readings, ({ deviceId }) => deviceId);
    const verdicts = begun.flatMap((one) => {
      const deviceId = one.item.deviceId;
      const seen: Case = { ...one, readings: byLamp.get(deviceId) ?? [], manual: manual.get(deviceId) ?? [] };
      return one.from < at ? (verdictOn(seen, at) ?? []) : [];
    });
    if (verdicts.length > 0) await changing(db, (tx) => told.writeVerdicts(tx, id, verdicts, now));
    if (verdicts.length + reported > 0) changed();
  }

  /** The next phase, decided anew under the lock of the row. */
  async function advance({ id, phase: seen }: Publication): Promise<void> {
    const at = clock.now();
    const moved = await changing(db, async (tx) => {
      const row = await hold(tx, id);
      if (row?.phase !== seen) return false;
      const states = await countStates(tx, id);
      const some = (...names: string[]) => names.some((name) => (states[name] ?? 0) > 0);
      const to = async (phase: string) => {
        await move(tx, id, { phase, at });
        return true;
      };
      if (seen === 'awaitingApproval') return isOverdue(row, at) ? to('lapsed') : false;
      if (seen === 'tellingCanary') return some('pending') ? false : to('judging');
      if (seen === 'judging') return judgeFirst(tx, row, at);
      if (seen === 'tellingAll') {
        if (some('waiting')) await release(tx, id, 'all');
        return some('pending', 'waiting') ? false : to('proving');
      }
      if (seen === 'proving') return some('told', 'reported', 'pending', 'waiting') ? false : to('done');
      return false;
    });
    if (moved) changed();
  }

  async function endReverting(open: readonly Publication[]): Promise<void> {
    for (const { id, phase } of open.filter((one) => one.phase === 'reverting')) {
      // The return is a publication of its own: still telling, or all its lamps are told.
      if (open.some((one) => one.reverts === id && telling.has(one.phase))) continue;
      const at = clock.now();
      await changing(db, async (tx) => {
        if ((await hold(tx, id))?.phase === phase) await move(tx, id, { phase: 'reverted', at });
      });
      changed();
    }
  }

  /** Whoever died after the rows were written and before devices were told: they are told now. */
  async function announceAgain(now: number): Promise<void> {
    if (Math.abs(now - announcedAt) < againMs) return;
    announcedAt = now;
    for (let after = 0, more = true; more;) {
      const ids = await told.findUnreported(db, after, atOnce);
      if (ids.length > 0) bus.publish('plans.assigned', { ids });
      after = ids.at(-1) ?? 0;
      more = ids.length === atOnce;
    }
  }

  async function turn(): Promise<void> {
    const open = await findOpen(db);
    if (open.length === 0) return;
    await announceAgain(clock.now().getTime());
    for (const publication of open) {
      if (telling.has(publication.phase)) await tell(publication);
      if (proving.has(publication.phase)) await prove(publication);
      await advance(publication);
    }
    await endReverting(await findOpen(db));
  }

  return {
    turn,
    start() {
      let work: Promise<void> | undefined;
      const stop = clock.every(everyMs, () => {
        work ??= turn().finally(() => {
          work = undefined;
        });
        return work;
      });
      return async () => {
        stop();
        await work?.catch(() => undefined);
      };
    },
  };
}

/** Around its on-time a lamp is left alone. */
function isGuarded(plan: LampPlan | undefined, now: number): boolean {
  if (!plan) return false;
  const { on } = nightOf(plan, lightingDay(plan.place, now).day);
  return on !== null && Math.abs(now - on) <= guardMs;
}
