import type { Static } from 'typebox';
import { addDays, dayNumber, dayOf } from '../../../../catalogue/lighting/zone.ts';
import {
  simulationBounds,
  type getSimulation,
  type listFindingLamps,
  type Simulation,
  type simulatePlans,
} from '../../../../contract/light/simulations.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Language } from '../../../../catalogue/languages.ts';
import type { Tasks } from '../../desk/tasks/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import {
  refuse,
  refuseFields,
  type Caller,
  type FieldProblem,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { createVersioned, schemeKind } from '../versioned/index.ts';
import { countLamps } from './lamps.store.ts';
import * as store from './simulations.store.ts';
import type { AskedSimulation, AskedVersion } from './simulations.types.ts';
import { costed, totalOf } from './sums.ts';

export interface SimulationsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly tasks: Tasks;
}
type Ctx = Pick<RequestContext, 'caller' | 'change' | 'language' | 'timezoneOffset' | 'setHeader'>;
type Body = BodyOf<typeof simulatePlans>;

/** So long requests and results are kept. */
const keptMs = 7 * 86_400_000;
const standardSize = 50;

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** Differences of two plans over up to a year. Everybody sees his own. */
export function createSimulations({ db, clock, bus, tasks }: SimulationsParts) {
  const schemes = createVersioned(schemeKind, { db, clock, bus });

  /** Everything wrong with the days; the first day is at most a year away from today. */
  function problems({ from, to }: Sound<Body>): FieldProblem[] {
    const today = dayOf(clock.now().getTime(), 'UTC');
    const [least, most] = [addDays(today, -simulationBounds.daysBack), addDays(today, simulationBounds.daysAhead)];
    const found: FieldProblem[] = [];
    for (const [field, day] of Object.entries({ from, to }))
      if (day !== undefined && !isDay(day)) found.push({ field, rule: 'invalid' });
    if (found.length > 0 || from === undefined) return found;
    if (from < least) found.push({ field: 'from', rule: 'minimum', values: { limit: least } });
    if (from > most) found.push({ field: 'from', rule: 'maximum', values: { limit: most } });
    if (to !== undefined && to < from) found.push({ field: 'to', rule: 'minimum', values: { limit: from } });
    if (to !== undefined && dayNumber(to) - dayNumber(from) >= simulationBounds.nights)
      found.push({ field: 'to', rule: 'maximum', values: { limit: addDays(from, simulationBounds.nights - 1) } });
    return found;
  }

  async function versionOf(
    caller: Caller,
    { schemeId, number }: Body['b'],
    isDraftAllowed: boolean,
  ): Promise<AskedVersion> {
    const row = await schemes.found(db, caller, schemeId);
    const named = { schemeId, code: row.code, name: row.name };
    if (number !== undefined)
      return { ...named, number, content: (await schemes.version(caller, schemeId, number)).content };
    if (row.content === null || !isDraftAllowed) throw refuse('noDraft');
    return { ...named, number: row.draftBy === null ? row.number : null, content: row.content };
  }

  async function own(caller: Caller, id: number): Promise<store.StoredSimulation> {
    const found = await store.findSimulation(db, id);
    if (!found || found.accountId !== caller.accountId) throw refuse('notFound');
    return found;
  }

  async function view(simulation: store.StoredSimulation, language: Language): Promise<Static<typeof Simulation>> {
    const { id, asked, createdAt, taskId, resultId } = simulation;
    const named = ({ schemeId, code, name, number }: AskedVersion) => ({ schemeId, code, name, number });
    const [task, result] = await Promise.all([
      tasks.find(taskId, language),
      resultId === null ? undefined : store.findResult(db, resultId),
    ]);
    return {
      id,
      createdAt: createdAt.toISOString(),
      scope: asked.scope,
      from: asked.from,
      to: asked.to,
      a: asked.a && named(asked.a),
      b: named(asked.b),
      pricePerKwh: asked.pricePerKwh,
      kgCo2PerKwh: asked.kgCo2PerKwh,
      task: task ?? null,
      result: result ? resultOf(result, asked) : null,
    };
  }

  return {
    problems,

    async begin(ctx: Ctx, body: Body): Promise<ReplyOf<typeof simulatePlans>> {
      const { caller } = ctx;
      const wrong = problems(body);
      if (wrong.length > 0) throw refuseFields(...wrong);
      const asked: AskedSimulation = {
        scope: body.scope,
        workAreaId: caller.workAreaId,
        from: body.from,
        to: body.to,
        a: body.a ? await versionOf(caller, body.a, false) : null,
        b: await versionOf(caller, body.b, true),
        pricePerKwh: body.pricePerKwh ?? null,
        kgCo2PerKwh: body.kgCo2PerKwh ?? null,
      };
      const lamps = await countLamps(db, asked.scope, caller);
      if (lamps === 0) throw refuse('noDevices');
      if (lamps > simulationBounds.lamps)
        throw refuse('tooManyDevices', { count: lamps, limit: simulationBounds.lamps });
      const id = await store.nextId(db);
      const at = clock.now();
      const params = { simulationId: id, lamps, from: asked.from, to: asked.to, schemeId: asked.b.schemeId };
      await tasks.begin(ctx, 'plan.simulation', params, async (tx, taskId) => {
        await store.deleteBefore(tx, new Date(at.getTime() - keptMs));
        await store.insertSimulation(tx, { id, accountId: caller.accountId, taskId, asked, createdAt: at });
      });
      return view(await own(caller, id), ctx.language);
    },

    get: async ({ caller, language }: Ctx, id: number): Promise<ReplyOf<typeof getSimulation>> =>
      view(await own(caller, id), language),

    async lamps(
      { caller }: Ctx,
      { id, place }: ParamsOf<typeof listFindingLamps>,
      { page = 0, size = standardSize }: QueryOf<typeof listFindingLamps>,
    ): Promise<ReplyOf<typeof listFindingLamps>> {
      const { resultId } = await own(caller, id);
      const found = resultId === null ? undefined : await store.findLamps(db, caller, { resultId, place, page, size });
      if (!found) throw refuse('notFound');
      return { data: [...found.lamps], recordsTotal: found.count };
    },
  };
}
export type Simulations = ReturnType<typeof createSimulations>;

function resultOf({ outcome, levelsA, levelsB, madeAt }: store.StoredResult, asked: AskedSimulation) {
  const { lamps, withoutPlace, watts, days, months, findings, testNights } = outcome;
  return {
    lamps,
    withoutPlace,
    watts,
    days,
    levels: { a: levelsA.toString('base64'), b: levelsB.toString('base64') },
    months: months.map(({ month, nights, a, b }) => ({ month, nights, a: costed(a, asked), b: costed(b, asked) })),
    total: { a: costed(totalOf(months, 'a'), asked), b: costed(totalOf(months, 'b'), asked) },
    findings: findings.map(({ label, road, ...finding }, place) => ({
      place,
      ...finding,
      plan: label === '' ? null : label,
      programme: finding.programme === '' ? null : finding.programme,
      roadClass: road,
    })),
    testNights: testNights.map(({ kind, day, a, b }) => ({ kind, day, a: [...a], b: [...b] })),
    madeAt: madeAt.toISOString(),
  };
}
