import { keptBecause, rowSides } from '../../../../catalogue/lighting/rows.ts';
import type { getRows, listRowRoads, orderRows, putRows } from '../../../../contract/light/rows.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  refuse,
  refuseFields,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { holdRows, orderRoad, positionsOf } from './ordering.ts';
import { namedPoles, rowProblems } from './rows.rules.ts';
import {
  findKnownPoles,
  findLamps,
  findPlaced,
  findPoles,
  findRoad,
  findRoads,
  findVersion,
  noteRows,
  writePositions,
  type Placed,
  type Position,
  type Road,
  type RoadPole,
} from './rows.store.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Reply = ReplyOf<typeof getRows>;
type Changed = ReplyOf<typeof putRows>;
type PoleReply = Reply['unplaced'][number];

export interface RowsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Absent: no lamp was given a plan. */
  readonly weigh?: WeighRows;
}
/** Does the work on the rows of a road; answers how many lamps get darker by it, or refuses it. */
export type WeighRows = (tx: Transaction, caller: Caller, roadId: number, work: () => Promise<void>) => Promise<number>;
const unweighed: WeighRows = async (_tx, _caller, _roadId, work) => {
  await work();
  return 0;
};
export type Rows = ReturnType<typeof createRows>;

/** The rows of poles that alternating patterns count: looked at, ordered by coordinates, ordered by hand. */
export function createRows({ db, bus, clock, weigh = unweighed }: RowsParts) {
  async function seen(caller: Caller, roadId: number): Promise<Road> {
    const found = await findRoad(db, caller, roadId);
    if (!found) throw refuse('notFound');
    const { visible, ...road } = found;
    if (!visible) throw refuse('foreignWorkArea');
    return road;
  }

  async function reply(road: Road): Promise<Reply> {
    const [version, { poles }, placed] = await Promise.all([
      findVersion(db, road.id),
      findPoles(db, road.id),
      findPlaced(db, road.id),
    ]);
    const lamps = Map.groupBy(
      await findLamps(
        db,
        poles.map(({ id }) => id),
      ),
      ({ poleId }) => poleId,
    );
    const byId = new Map(poles.map((pole) => [pole.id, pole]));
    const shown = ({ side, ...pole }: RoadPole, position?: Position): PoleReply => ({
      ...pole,
      roadside: side,
      keep: position?.keep ?? false,
      kept: position ? keptBecause(position) : null,
      lamps: (lamps.get(pole.id) ?? []).map(({ id, code }) => ({ id, code })),
    });
    const positions = positionsOf(placed, poles);
    const inRows = new Set(positions.map(({ poleId }) => poleId));
    return {
      road,
      version,
      rows: rowSides.flatMap((side) => {
        const row = positions.filter((one) => one.side === side);
        const [first] = row;
        if (!first) return [];
        return {
          side,
          source: first.source,
          checkedBy: first.checkedBy,
          poles: row.flatMap((one) => {
            const pole = byId.get(one.poleId);
            return pole ? [shown(pole, one)] : [];
          }),
        };
      }),
      unplaced: poles.filter(({ id }) => !inRows.has(id)).map((pole) => shown(pole)),
    };
  }

  /** What is wrong with rows made by hand, beyond their shape. */
  async function judged(
    from: Db | Transaction,
    caller: Caller,
    roadId: number,
    body: Sound<BodyOf<typeof putRows>>,
  ): Promise<RuleProblem[]> {
    const { poles } = await findPoles(from, roadId);
    return rowProblems(body, {
      here: new Set(poles.map(({ id }) => id)),
      anywhere: await findKnownPoles(from, caller, namedPoles(body)),
    });
  }

  /** How many poles the rows of a road have, by side. */
  async function polesOfRows(tx: Transaction, roadId: number): Promise<Record<string, number>> {
    const bySide = Map.groupBy(await findPlaced(tx, roadId), ({ side }) => side);
    return Object.fromEntries([...bySide].map(([side, poles]) => [side, poles.length]));
  }

  /** Changes the rows of a road that nobody changed since `version`; lamps of its area may follow another pattern. */
  async function changed(
    { caller, change }: Ctx,
    road: Road,
    version: number | undefined,
    params: object,
    work: (tx: Transaction, by: string) => Promise<void>,
  ): Promise<Changed> {
    const noted: Record<string, unknown> = { road: road.code, ...params };
    const darkens = await change({ action: 'row.order', params: noted }, async (tx) => {
      await holdRows(tx, road.id);
      if (version !== undefined && version !== (await findVersion(tx, road.id))) throw refuse('changedMeanwhile');
      noted['rowsBefore'] = await polesOfRows(tx, road.id);
      const darker = await weigh(tx, caller, road.id, () => work(tx, caller.username));
      noted['rowsAfter'] = await polesOfRows(tx, road.id);
      if (darker > 0) noted['darkens'] = darker;
      return darker;
    });
    bus.publish('settings.changed', { workAreaId: road.workAreaId });
    return { ...(await reply(road)), darkens };
  }

  return {
    roads: (
      caller: Caller,
      { q = '', page = 1, size = 50 }: QueryOf<typeof listRowRoads>,
    ): Promise<ReplyOf<typeof listRowRoads>> =>
      findRoads(db, caller, { q: q.trim(), limit: size, offset: Math.max(0, page - 1) * size }),

    get: async (caller: Caller, roadId: number): Promise<Reply> => reply(await seen(caller, roadId)),

    async order(ctx: Ctx, roadId: number, { all = false, version }: BodyOf<typeof orderRows>): Promise<Changed> {
      const road = await seen(ctx.caller, roadId);
      return changed(ctx, road, version, { all }, async (tx, by) => {
        await orderRoad(tx, roadId, { mode: all ? 'all' : 'auto', by, at: clock.now() });
      });
    },

    async put(ctx: Ctx, roadId: number, body: BodyOf<typeof putRows>): Promise<Changed> {
      const road = await seen(ctx.caller, roadId);
      const { rows, keep, version } = body;
      const counts = { rows: rows.map(({ side, poleIds }) => ({ side, poles: poleIds.length })), keep: keep.length };
      return changed(ctx, road, version, counts, async (tx, by) => {
        const problems = await judged(tx, ctx.caller, roadId, body);
        if (problems.length > 0) throw refuseFields(...problems);
        const { poles, seen: hash } = await findPoles(tx, roadId);
        const lit = new Set(keep);
        const placed = rows.flatMap(({ side, poleIds }) =>
          poleIds.map((poleId): Placed => ({ poleId, side, source: 'hand', checkedBy: by, keep: lit.has(poleId) })),
        );
        await writePositions(tx, roadId, positionsOf(placed, poles), clock.now());
        await noteRows(tx, roadId, { seen: hash, changed: true, by, at: clock.now() });
      });
    },

    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: async (
      caller: Caller,
      roadId: number | undefined,
      body: Sound<BodyOf<typeof putRows>>,
    ): Promise<RuleProblem[]> => (roadId === undefined ? [] : judged(db, caller, roadId, body)),
  };
}
