import type { getRows } from '../../../../../contract/light/rows.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { rowSides } from '../../../../../catalogue/lighting/rows.ts';
import { placeOf, type Place } from '../../../parts/row-strip/strip.ts';

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

/** A pole comes next after a place, wherever it stood. */
export function placedAfter(edited: Edited, id: number, place: Place): Edited {
  const from = placeOf(edited.rows, id);
  // Taken out before the place, it draws the place one back.
  const shift = from?.side === place.side && from.index < place.index ? 0 : 1;
  return moved(edited, id, { side: place.side, index: place.index + shift });
}

const metres = (a: Pole, b: Pole): number =>
  a.latitude === null || a.longitude === null || b.latitude === null || b.longitude === null
    ? Number.POSITIVE_INFINITY
    : Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180)) *
      111_320;

/** All other poles of the road as who stands at a place may find them next: the one after it, then by distance. */
export function comingNext({ rows, unplaced }: Edited, place: Place): Pole[] {
  const poles = rows.find(({ side }) => side === place.side)?.poles ?? [];
  const here = poles[place.index];
  if (!here) return [];
  const next = poles[place.index + 1];
  const walked = new Set(poles.slice(0, place.index).map(({ id }) => id));
  const others = [...rows.flatMap((row) => row.poles), ...unplaced].filter(
    ({ id }) => id !== here.id && id !== next?.id,
  );
  const far = new Map(others.map((pole) => [pole.id, metres(here, pole)]));
  const nearest = others.toSorted(
    (a, b) =>
      Number(walked.has(a.id)) - Number(walked.has(b.id)) ||
      // Without coordinates both are infinitely far: their difference is no number.
      (far.get(a.id) ?? 0) - (far.get(b.id) ?? 0) ||
      0,
  );
  return next ? [next, ...nearest] : nearest;
}

/** What the server is sent. */
export const bodyOf = ({ rows }: Edited, version: number) => ({
  version,
  rows: rows.map(({ side, poles }) => ({ side, poleIds: poles.map(({ id }) => id) })),
  keep: rows.flatMap(({ poles }) => poles.flatMap(({ id, keep }) => (keep ? [id] : []))),
});

export const isSame = (a: Edited, b: Edited): boolean => JSON.stringify(bodyOf(a, 0)) === JSON.stringify(bodyOf(b, 0));
