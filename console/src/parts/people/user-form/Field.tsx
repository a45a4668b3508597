import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Field as AnyField } from '../../form/index.ts';
import type { Problem } from './values.ts';

type Props = Omit<ComponentProps<typeof AnyField>, 'problem'> & { problem: Problem | undefined };

export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('user-form');
  return (problem) => {
    if ('message' in problem) return problem.message;
    return problem.rule === 'length'
      ? t('rule.length', { min: problem.min, max: problem.max })
      : t(`rule.${problem.rule}`);
  };
}

/** A field of an account, its problem in words. */
export function Field({ problem, ...field }: Props) {
  const textOf = useProblemText();
  return <AnyField {...field} problem={problem === undefined ? undefined : textOf(problem)} />;
}
