import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { ProblemOf } from './problems.tsx';

/** Paths of times: empty, they have words of their own. */
const isTime = (field: string): boolean => /\.(at|notBefore|notAfter)$/.test(field);

/** Problems by their path, in the operator's words. */
export function useProblemWords(): (problems: readonly Problem[]) => Record<string, string> {
  const { t } = useTranslation('plan');
  const names = useNames();
  return (problems) =>
    Object.fromEntries(
      // Of several at one path the first: an empty time is not also said to be taken.
      problems
        .toReversed()
        .map(({ field, rule, params }) => [
          field,
          rule === 'required' && isTime(field) ? t('problem.timeEmpty') : names.rule(rule, params),
        ]),
    );
}

export const problemIn =
  (words: Readonly<Record<string, string>>): ProblemOf =>
  (path) =>
    words[path];
