import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../catalogue/lighting/plan/canonical.ts';
import type { ExceptionPreview } from '../../../../contract/light/exceptions.ts';
import type { Static } from 'typebox';
import type { BelowFloor, Ending, StoredState, Weighed } from './exceptions.store.ts';

/** Of an end that was asked for: what that does. */
export const weighedOf = (
  row: Pick<StoredState, 'darkens' | 'belowFloor'>,
  ending: Pick<Ending, 'darkens' | 'belowFloor'> | null,
): Weighed =>
  ending
    ? { darkens: ending.darkens, belowFloor: ending.belowFloor ?? [] }
    : { darkens: row.darkens, belowFloor: row.belowFloor };

/** Names what a second person looks at: who asks, for how many lamps, until when, and what it does. */
export function digestOf(
  { id, actorId, total, from, to }: Pick<StoredState, 'id' | 'actorId' | 'total' | 'from' | 'to'>,
  ending: Pick<Ending, 'askedById' | 'askedAt' | 'why'> | null,
  { darkens, belowFloor }: Weighed,
): string {
  const asked = ending && { by: ending.askedById, at: ending.askedAt, why: ending.why };
  const below = belowFloor.toSorted((a, b) => (a.roadClass < b.roadClass ? -1 : 1));
  return createHash('sha256')
    .update(
      canonicalJson({
        ...{ id, actorId, total, darkens, below, asked },
        ...{ from: from.toISOString(), to: to.toISOString() },
      }),
    )
    .digest('hex');
}

/** Names lamps: other ones in the same number have another name. */
export const nameOfLamps = (ids: ReadonlySet<number>): string =>
  createHash('sha256').update(Float64Array.from(ids).sort()).digest('hex').slice(0, 16);

/** More lamps get darker than those, or a class of road has other lamps below its floor, or darker ones. */
export const isOther = (found: Weighed, than: Weighed): boolean =>
  found.darkens > than.darkens ||
  found.belowFloor.some(({ roadClass, lamps, level, which }) => {
    const known = than.belowFloor.find((one) => one.roadClass === roadClass);
    // One that was stored before lamps had a name is compared by their number.
    return !known || level < known.level || (known.which ? which !== known.which : lamps > known.lamps);
  });

/** What a client reads of it. */
export const readable = (below: readonly BelowFloor[]): Static<typeof ExceptionPreview>['belowFloor'] =>
  below.map(({ which: _, ...one }) => one);
