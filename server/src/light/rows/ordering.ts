import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  rowSteps,
  rowSides,
  type OrderedRows,
  type RowPole,
  type RowSide,
} from '../../../../catalogue/lighting/rows.ts';
import { takeLockOf, type Transaction } from '../../platform/db/index.ts';
import {
  findPlaced,
  findPoles,
  noteRows,
  writePositions,
  type Placed,
  type Position,
  type RoadPole,
} from './rows.store.ts';

/** How long ordering keeps the event loop at a time, ms. */
const turnMs = 10;

/** Orders in turns: others have the event loop between them. */
async function inTurns(poles: readonly RowPole[]): Promise<OrderedRows> {
  const steps = rowSteps(poles);
  for (;;) {
    const until = performance.now() + turnMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}

/**
 * `new`: what a road without hand-made rows has; one with them keeps all its rows, only what left is closed up.
 * `auto`: sides without a hand-made row are ordered. `all`: every side is.
 */
export type Mode = 'new' | 'auto' | 'all';

async function arranged(poles: readonly RoadPole[], kept: readonly Placed[], mode: Mode): Promise<readonly Placed[]> {
  const byHand = mode === 'all' ? [] : kept.filter(({ source }) => source === 'hand');
  if (mode === 'new' && byHand.length > 0) return kept;
  const sides = new Set<RowSide>(byHand.map(({ side }) => side));
  const taken = new Set(byHand.map(({ poleId }) => poleId));
  const lit = new Set(kept.flatMap(({ poleId, keep }) => (keep ? [poleId] : [])));
  const { rows } = await inTurns(poles.filter(({ id, side }) => !taken.has(id) && !sides.has(side)));
  const ordered = rows.flatMap(({ side, poleIds }) =>
    poleIds.map((poleId): Placed => ({ poleId, side, source: 'auto', checkedBy: null, keep: lit.has(poleId) })),
  );
  return [...byHand, ...ordered];
}

/** Rows with what their poles are in them. */
export function positionsOf(placed: readonly Placed[], poles: readonly RoadPole[]): Position[] {
  const junctions = new Set(poles.flatMap(({ id, junction }) => (junction ? [id] : [])));
  return rowSides.flatMap((side) => {
    const row = placed.filter((one) => one.side === side);
    return row.map((one, position) => ({
      ...one,
      position,
      rowLength: row.length,
      junction: junctions.has(one.poleId),
    }));
  });
}

/** Holds the rows of a road until the transaction ends. */
export const holdRows = (tx: Transaction, roadId: number): Promise<void> => takeLockOf(tx, 'road rows', roadId);

/** Orders a road whose rows are held; whether anything became another. */
export async function orderRoad(
  tx: Transaction,
  roadId: number,
  { mode, by, at }: { readonly mode: Mode; readonly by: string | null; readonly at: Date },
): Promise<boolean> {
  const { poles, seen } = await findPoles(tx, roadId);
  const placed = await arranged(poles, await findPlaced(tx, roadId), mode);
  const changed = await writePositions(tx, roadId, positionsOf(placed, poles), at);
  await noteRows(tx, roadId, { seen, changed, by, at });
  return changed;
}
