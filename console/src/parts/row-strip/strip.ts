import { litByPattern } from '../../../../catalogue/lighting/plan/pattern.ts';
import type { Pattern, Rotation } from '../../../../catalogue/lighting/plan/programme.ts';
import { keptBecause, roleAt, type Kept, type RowSide } from '../../../../catalogue/lighting/rows.ts';

/** A pole as the strip of a row shows it. */
export interface StripPole {
  readonly id: number;
  readonly code: string;
  readonly junction: boolean;
  /** Lit in every pattern, by hand. */
  readonly keep: boolean;
}
export interface StripRow<Pole extends StripPole = StripPole> {
  readonly side: RowSide;
  readonly poles: readonly Pole[];
}

/** What is lit: a pattern in the night of a lighting day. */
export interface Shown {
  readonly pattern: Pattern;
  readonly day: string;
  readonly rotation: Rotation;
}

export interface Place {
  readonly side: RowSide;
  readonly index: number;
}

export const keptAt = (row: StripRow, index: number): Kept | null => {
  const pole = row.poles[index];
  return pole === undefined ? null : keptBecause({ ...pole, position: index, rowLength: row.poles.length });
};

export function isLit(row: StripRow, index: number, { pattern, day, rotation }: Shown): boolean {
  const pole = row.poles[index];
  if (pole === undefined) return false;
  const role = roleAt({ ...pole, position: index, rowLength: row.poles.length }, row.side);
  return litByPattern(pattern, { ...role, rotation }, day);
}

/** Where a pole stands; undefined: in no row. */
export function placeOf(rows: readonly StripRow[], id: number): Place | undefined {
  for (const { side, poles } of rows) {
    const index = poles.findIndex((pole) => pole.id === id);
    if (index >= 0) return { side, index };
  }
  return undefined;
}

/** The place beside a place that an arrow key means: along the row, or in the row that faces it. */
export function beside(rows: readonly StripRow[], { side, index }: Place, key: string): Place | undefined {
  const at = rows.findIndex((row) => row.side === side);
  const row = rows[at];
  if (!row) return undefined;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step !== undefined) return row.poles[index + step] ? { side, index: index + step } : undefined;
  if (key === 'Home') return { side, index: 0 };
  if (key === 'End') return { side, index: row.poles.length - 1 };
  const facing = rows[at + ({ ArrowUp: -1, ArrowDown: 1 }[key] ?? Number.NaN)];
  if (!facing) return undefined;
  const share = row.poles.length > 1 ? index / (row.poles.length - 1) : 0;
  return { side: facing.side, index: Math.round(share * (facing.poles.length - 1)) };
}
