import { families, familyOf } from '../../../../catalogue/index.ts';

/** Families whose devices report by themselves: only those can come in. */
export const reporting: readonly string[] = families
  .filter((family) => family.report !== null)
  .map((family) => family.key);

/** Whether a batch takes devices of a family; an empty list takes every one that reports. */
export const takes = (allowed: readonly string[], family: string): boolean =>
  reporting.includes(family) && (allowed.length === 0 || allowed.includes(family));

/**
 * The family a newcomer seems to be of: the one it names, else the only one that knows all its values best; null:
 * cannot be told.
 */
export function guessFamily(allowed: readonly string[], said: string | null, keys: readonly string[]): string | null {
  if (said !== null && takes(allowed, said)) return said;
  const fits = reporting
    .filter((family) => takes(allowed, family))
    .map((family) => ({ family, known: keys.filter((key) => familyOf(family)?.quantity.has(key)).length }));
  const [best, second] = fits.sort((a, b) => b.known - a.known);
  if (!best || best.known === 0 || best.known * 2 < keys.length)
    return fits.length === 1 ? (best?.family ?? null) : null;
  return second && second.known === best.known ? null : best.family;
}
