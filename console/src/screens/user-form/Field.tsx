import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tied } from '../../fields/face.ts';
import { Icon } from '../../parts/index.ts';
import type { Problem } from './values.ts';
import styles from './user-form.module.css';

type Tie = ReturnType<typeof tied>;
interface Props {
  id: string;
  label: string;
  required?: boolean;
  hint?: ReactNode;
  /** Stands beside the label: the tooltip of a rule. */
  beside?: ReactNode;
  problem: Problem | undefined;
  wide?: boolean;
  children: (tie: Tie) => ReactNode;
}

export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('user-form');
  return (problem) => {
    if ('message' in problem) return problem.message;
    return problem.rule === 'length' ? t('rule.length', { min: problem.min, max: problem.max }) : t(`rule.${problem.rule}`);
  };
}

/** A label, its control, and below it the problem or else the hint, both read out with it. */
export function Field({ id, label, required = false, hint, beside, problem, wide = false, children }: Props) {
  const { t } = useTranslation('user-form');
  const textOf = useProblemText();
  const below = problem !== undefined || hint !== undefined ? `${id}-below` : undefined;
  return (
    <div className={wide ? `${styles.field} ${styles.wide}` : styles.field}>
      <span className={styles.label}><label htmlFor={id}>{label}{required ? <span className={styles.required} title={t('required')} aria-hidden>*</span> : null}</label>{beside}</span>
      {children(tied(id, problem !== undefined, below))}
      {problem !== undefined ? <span id={below} className={styles.error}><Icon name="warning" size={12} />{textOf(problem)}</span>
        : hint === undefined ? null : <span id={below} className={styles.hint}>{hint}</span>}
    </div>
  );
}
