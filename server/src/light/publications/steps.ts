import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { changing, type Db } from '../../platform/db/index.ts';
import type { AsyncStop } from '../../platform/leases/index.ts';
import { isOverdue } from '../commands/index.ts';
import { assign, expectedHash, plansOfEachLamp, type LampPlans } from '../plans/index.ts';
import { judgeFirst } from './judging.ts';
import { keepCounts } from './counts.store.ts';
import { plansOfEach } from './lamp-plans.ts';
import { createProofs, type Proofs } from './proving.ts';
import { stillLeft, findOpen, hold, move, release, type Publication } from './publications.store.ts';
import { tellingAt } from './publications.rules.ts';
import { findTurns, writeTold, type Turn } from './telling.store.ts';

export interface StepsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: Pick<LampPlans, 'of' | 'abilities' | 'withGiving'>;
  /** Hears how long after a planned step a reading shows it, ms. */
  readonly planned?: (milliseconds: number) => void;
}
export interface Steps {
  /** Every open publication goes one step further. */
  turn(): Promise<void>;
  start(): AsyncStop;
  /** Lamps told, and what looks at lamps found, since the start of this process. */
  readonly counts: Proofs['counts'] & { readonly told: number };
  readonly proofs: Pick<Proofs, 'outcomes' | 'devices'>;
}

const everyMs = 2000;
/** Lamps told in one step. */
const atOnce = 500;
/** Nothing new is told so long before and after a lamp's on-time, ms. */
const guardMs = 30 * 60_000;

const telling = new Set(['tellingCanary', 'tellingAll']);
/** A return that is on its way. */
const returning = new Set([...telling, 'halted']);

/** Tells lamps what is published and looks for the proof. The rows are the truth: any process goes on from them. */
export function createSteps({ db, bus, clock, plans, ...measured }: StepsParts): Steps {
  const cursors = new Map<number, number>();
  const proofs = createProofs({ db, bus, clock, plans, ...measured });
  let counted = 0;
  const changed = () => bus.publish('publications.changed', {});

  async function tell({ id, phase, reverts, effectiveFrom, actorName }: Publication): Promise<void> {
    const now = clock.now();
    const at = now.getTime();
    // A later day is told shortly before it: devices and `light/plans` look some days ahead.
    if (tellingAt(effectiveFrom, now) > at) return;
    const failures: unknown[] = [];
    const about = { now: at, failing: (thrown: unknown) => void failures.push(thrown) };
    const done = await changing(db, async (tx) => {
      if ((await hold(tx, id))?.phase !== phase) return undefined;
      const turns = await findTurns(tx, id, { after: cursors.get(id) ?? 0, limit: atOnce });
      if (turns.length === 0) return { turns, ids: [] };
      const known = await plansOfEach(tx, plans, turns, about);
      const planOf = (turn: Turn) => known.of(turn.deviceId, turn.workAreaId);
      const free = reverts === null ? turns.filter((turn) => !isGuarded(planOf(turn), at)) : turns;
      const ids = free.map(({ deviceId }) => deviceId);
      // What was followed until now stays in the record: nothing holds from an earlier day on than the one it is told.
      for (const [fromDay, some] of Map.groupBy(free, (turn) => firstDay(effectiveFrom, planOf(turn), at)))
        await assign(tx, {
          deviceIds: some.map(({ deviceId }) => deviceId),
          schemeVersionIds: some.map(({ schemeVersionId }) => schemeVersionId),
          templateVersionIds: some.map(({ templateVersionId }) => templateVersionId),
          places: some,
          fromDay,
          publicationId: id,
          by: actorName,
          at: now,
        });
      const { own: given } = await plansOfEachLamp(tx, plans, ids, about);
      const able = await plans.abilities(tx, [...given.keys()]);
      const told = ids.map((deviceId) => {
        const plan = given.get(deviceId);
        return { deviceId, hash: plan ? expectedHash(plan, able(deviceId), at) : null };
      });
      if (told.length > 0) await writeTold(tx, id, told, { at: now });
      return { turns, ids };
    });
    if (!done) return;
    if (done.turns.length < atOnce) cursors.delete(id);
    else cursors.set(id, done.turns.at(-1)?.deviceId ?? 0);
    counted += done.ids.length;
    if (done.ids.length > 0) {
      bus.publish('plans.assigned', { ids: done.ids });
      bus.publish('plans.changed', {});
      changed();
    }
    // They are told as the others are, and looked at again later.
    if (failures.length > 0) throw failures[0];
  }

  /** The next phase, decided under the lock of the row. */
  async function advance({ id, phase: seen }: Publication): Promise<void> {
    const at = clock.now();
    const moved = await changing(db, async (tx) => {
      const row = await hold(tx, id);
      if (row?.phase !== seen) return false;
      if (seen === 'judging') return judgeFirst(tx, plans, row, at);
      const left = await stillLeft(tx, id);
      const to = async (phase: string) => {
        await move(tx, id, { phase, at });
        return true;
      };
      if (seen === 'awaitingApproval') return isOverdue(row, at) ? to('lapsed') : false;
      if (seen === 'tellingCanary') return left.pending ? false : to('judging');
      if (seen === 'tellingAll') {
        if (left.waiting) await release(tx, id, 'all');
        return left.pending || left.waiting ? false : to('proving');
      }
      return seen === 'proving' && !left.pending && !left.waiting && !left.watched ? to('done') : false;
    });
    if (moved) changed();
  }

  async function endReverting(open: readonly Publication[]): Promise<void> {
    for (const { id, phase } of open.filter((one) => one.phase === 'reverting')) {
      // The return is a publication of its own: still telling, or all its lamps are told.
      if (open.some((one) => one.reverts === id && returning.has(one.phase))) continue;
      const at = clock.now();
      await changing(db, async (tx) => {
        if ((await hold(tx, id))?.phase === phase) await move(tx, id, { phase: 'reverted', at });
      });
      changed();
    }
  }

  /** One that fails stops no other one, least of all a return. */
  async function turn(): Promise<void> {
    const failures: unknown[] = [];
    const tried = (work: Promise<void>) => work.catch((thrown: unknown) => void failures.push(thrown));
    for (const publication of await findOpen(db)) if (telling.has(publication.phase)) await tried(tell(publication));
    await tried(proofs.turn());
    for (const publication of await findOpen(db)) await tried(advance(publication));
    await tried(endReverting(await findOpen(db)));
    await tried(changing(db, keepCounts));
    if (failures.length > 0) throw failures[0];
  }

  return {
    get counts() {
      return { ...proofs.counts, told: counted };
    },
    proofs,
    turn,
    start() {
      let work: Promise<void> | undefined;
      proofs.begin();
      const stops = [
        bus.subscribe('plans.reported', ({ ids }) => proofs.said(ids)),
        clock.every(everyMs, () => {
          work ??= turn().finally(() => {
            work = undefined;
          });
          return work;
        }),
      ];
      return async () => {
        for (const stop of stops) stop();
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

/** The first lighting day of a lamp that is told now. */
function firstDay(asked: Day, plan: LampPlan | undefined, now: number): Day {
  const today = plan ? lightingDay(plan.place, now).day : asked;
  return today > asked ? today : asked;
}
