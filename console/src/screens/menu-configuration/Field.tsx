import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tied } from '../../fields/face.ts';
import { Icon } from '../../parts/index.ts';
import type { FieldError } from './use-node-form.ts';
import styles from './menus.module.css';

export type Tie = ReturnType<typeof tied>;
interface Props { id: string; label: string; required?: boolean; wide?: boolean; hint?: ReactNode; error?: FieldError | undefined; children: (tie: Tie) => ReactNode }

/** A label, its control, and below it the problem or else the hint, both read out with it. */
export function Field({ id, label, required = false, wide = false, hint, error, children }: Props) {
  const { t } = useTranslation('menus');
  const below = error !== undefined || hint !== undefined ? `${id}-below` : undefined;
  return (
    <div className={styles.field} data-wide={wide || undefined}>
      <label id={`${id}-label`} htmlFor={id}>{label}{required ? <span className={styles.required} title={t('dialog.required')} aria-hidden>*</span> : null}</label>
      {children(tied(id, error !== undefined, below))}
      {error !== undefined ? <span id={below} className={styles.error}><Icon name="warning" size={12} />{'rule' in error ? t(error.rule, { limit: error.limit }) : error.message}</span>
        : hint === undefined ? null : <span id={below} className={styles.hint}>{hint}</span>}
    </div>
  );
}
