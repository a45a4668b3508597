import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { ProblemOf } from './problems.tsx';

/** Problems by their path, in the operator's words. */
export function useProblemWords(): (problems: readonly Problem[]) => Record<string, string> {
  const names = useNames();
  return (problems) =>
    Object.fromEntries(
      // Of several at one path the first: an empty time is not also said to be taken.
      problems.toReversed().map(({ field, rule, params }) => [field, names.rule(rule, params)]),
    );
}

export const problemIn =
  (words: Readonly<Record<string, string>>): ProblemOf =>
  (path) =>
    words[path];
