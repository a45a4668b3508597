import type { Palette } from '../../../theme/tokens.ts';
import type { PublicationLampState } from '../../../parts/publishing/words.ts';

type Ink = keyof Palette;
interface Stroke {
  readonly ink: Ink;
  readonly width: number;
  /** Widths of the stroke. */
  readonly dash?: readonly number[];
  /** A thinner line within. */
  readonly inner?: { readonly ink: Ink; readonly width: number; readonly dash?: readonly number[] };
}

/** By colour and by form: each state is known from the others without seeing red or green. */
export const strokes: Readonly<Record<PublicationLampState, Stroke>> = {
  proven: { ink: 'c-text', width: 6 },
  reported: { ink: 'c-text-3', width: 6 },
  told: { ink: 'c-disabled', width: 6, inner: { ink: 'c-surface', width: 1.5 } },
  pending: { ink: 'c-line-strong', width: 6, dash: [1.6, 0.8] },
  waiting: { ink: 'c-line-strong', width: 6, dash: [0.7, 0.7] },
  superseded: { ink: 'c-line-strong', width: 6, inner: { ink: 'c-surface', width: 3.6 } },
  cannot: { ink: 'c-text-2', width: 6, inner: { ink: 'c-surface', width: 3.6 } },
  away: { ink: 's-alarm', width: 8, dash: [0.5, 0.5] },
  diverged: { ink: 's-alarm', width: 11, inner: { ink: 'c-surface', width: 3, dash: [1.6, 1.2] } },
};
/** From the lowest to what is seen above all others. */
export const strokeOrder = [
  'superseded',
  'waiting',
  'pending',
  'proven',
  'reported',
  'told',
  'cannot',
  'away',
  'diverged',
] as const satisfies readonly PublicationLampState[];
