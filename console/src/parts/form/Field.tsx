import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tied } from '../../fields/face.ts';
import { Icon } from '../icons/Icon.tsx';
import styles from './form.module.css';

interface Props {
  id: string;
  label: string;
  required?: boolean;
  hint?: ReactNode;
  /** Stands beside the label: the tooltip of a rule. */
  beside?: ReactNode;
  /** What is wrong, in the operator's words. */
  problem: string | undefined;
  wide?: boolean;
  children: (tie: ReturnType<typeof tied>) => ReactNode;
}

/** A label, its control, and below it the problem or else the hint, both read out with it. */
export function Field({ id, label, required = false, hint, beside, problem, wide = false, children }: Props) {
  const { t } = useTranslation('declared');
  const below = problem !== undefined || hint !== undefined ? `${id}-below` : undefined;
  return (
    <div className={wide ? `${styles.field} ${styles.wide}` : styles.field}>
      <span className={styles.label}>
        <label id={`${id}-label`} htmlFor={id}>
          {label}
          {required ? (
            <span className={styles.required} title={t('form.required')} aria-hidden>
              *
            </span>
          ) : null}
        </label>
        {beside}
      </span>
      {children(tied(id, problem !== undefined, below))}
      {problem !== undefined ? (
        <span id={below} className={styles.error}>
          <Icon name="warning" size={12} />
          {problem}
        </span>
      ) : hint === undefined ? null : (
        <span id={below} className={styles.hint}>
          {hint}
        </span>
      )}
    </div>
  );
}
