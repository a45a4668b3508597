import type { getRows } from '../../../../../contract/light/rows.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { rowSides } from '../../../../../catalogue/lighting/rows.ts';
import type { Place } from '../../../parts/row-strip/strip.ts';

export type RoadRows = ReplyOf<typeof getRows>;
export type Pole = RoadRows['unplaced'][number];
export type EditedRow = Pick<RoadRows['rows'][number], 'side' | 'poles'>;
/** The rows of a road as they are being changed. */
export interface Edited {
  readonly rows: readonly EditedRow[];
  readonly unplaced: readonly Pole[];
}

export const editedOf = ({ rows, unplaced }: RoadRows): Edited => ({
  rows: rows.map(({ side, poles }) => ({ side, poles })),
  unplaced,
});

/** Without a pole anywhere; sides without poles are gone. */
const without = ({ rows, unplaced }: Edited, id: number): Edited => ({
  rows: rows.map((row) => ({ ...row, poles: row.poles.filter((pole) => pole.id !== id) })),
  unplaced: unplaced.filter((pole) => pole.id !== id),
});
const poleIn = ({ rows, unplaced }: Edited, id: number): Pole | undefined =>
  [...rows.flatMap(({ poles }) => poles), ...unplaced].find((pole) => pole.id === id);
const filled = ({ rows, unplaced }: Edited): Edited => ({
  rows: rows
    .filter(({ poles }) => poles.length > 0)
    .toSorted((a, b) => rowSides.indexOf(a.side) - rowSides.indexOf(b.side)),
  unplaced,
});

/** A pole stands at a place of a row, which begins when it was empty. */
export function moved(edited: Edited, id: number, { side, index }: Place): Edited {
  const pole = poleIn(edited, id);
  if (!pole) return edited;
  const { rows, unplaced } = without(edited, id);
  const all = rows.some((row) => row.side === side) ? rows : [...rows, { side, poles: [] }];
  return filled({
    rows: all.map((row) => (row.side === side ? { ...row, poles: row.poles.toSpliced(index, 0, pole) } : row)),
    unplaced,
  });
}

/** A pole is in no row any more: every pattern lights it. */
export function takenOut(edited: Edited, id: number): Edited {
  const pole = poleIn(edited, id);
  if (!pole) return edited;
  const { rows, unplaced } = without(edited, id);
  return filled({ rows, unplaced: [...unplaced, { ...pole, keep: false }] });
}

export const turned = (edited: Edited, id: number): Edited => ({
  ...edited,
  rows: edited.rows.map((row) => ({
    ...row,
    poles: row.poles.map((pole) => (pole.id === id ? { ...pole, keep: !pole.keep } : pole)),
  })),
});

/** What the server is sent. */
export const bodyOf = ({ rows }: Edited, version: number) => ({
  version,
  rows: rows.map(({ side, poles }) => ({ side, poleIds: poles.map(({ id }) => id) })),
  keep: rows.flatMap(({ poles }) => poles.flatMap(({ id, keep }) => (keep ? [id] : []))),
});

export const isSame = (a: Edited, b: Edited): boolean => JSON.stringify(bodyOf(a, 0)) === JSON.stringify(bodyOf(b, 0));
