import type { putRows } from '../../../../contract/light/rows.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import type { RuleProblem, Sound } from '../../platform/http/index.ts';
import { rowTexts, type RowRule } from './texts.ts';

/** What is known of the poles that a form names. */
export interface KnownPoles {
  /** Of the road. */
  readonly here: ReadonlySet<number>;
  /** Of any road that the caller sees. */
  readonly anywhere: ReadonlySet<number>;
}

const worded = (field: string, rule: RowRule): RuleProblem => ({
  field,
  rule,
  say: (language) => rowTexts[language][rule],
});

/** Every pole that a form names, in its order. */
export const namedPoles = ({ rows, keep }: Sound<BodyOf<typeof putRows>>): number[] => [
  ...(rows ?? []).flatMap(({ poleIds }) => poleIds ?? []),
  ...(keep ?? []),
];

/** What is wrong with rows made by hand: everything at once, each by the place in the form. */
export function rowProblems(
  { rows, keep = [] }: Sound<BodyOf<typeof putRows>>,
  { here, anywhere }: KnownPoles,
): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const sides = new Set<string>();
  const placed = new Set<number>();
  for (const [i, { side, poleIds = [] }] of (rows ?? []).entries()) {
    if (side !== undefined && sides.has(side)) problems.push(worded(`rows.${i}.side`, 'sideTwice'));
    if (side !== undefined) sides.add(side);
    for (const [k, id] of poleIds.entries()) {
      const field = `rows.${i}.poleIds.${k}`;
      if (placed.has(id)) problems.push(worded(field, 'poleTwice'));
      else if (!here.has(id))
        problems.push(anywhere.has(id) ? worded(field, 'otherRoad') : { field, rule: 'notFound' });
      placed.add(id);
    }
  }
  keep.forEach((id, k) => {
    if (rows !== undefined && !placed.has(id)) problems.push(worded(`keep.${k}`, 'notInRow'));
  });
  return problems;
}
