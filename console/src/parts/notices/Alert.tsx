import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Icon } from '../icons/Icon.tsx';
import { useErrorText } from './error-text.ts';
import styles from './Alert.module.css';

/** Something to know before going on: `problem` keeps from going on, `note` does not. */
export function Alert({
  kind = 'problem',
  title,
  children,
  action,
}: {
  kind?: 'problem' | 'note' | 'done';
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.alert} data-kind={kind} role={kind === 'problem' ? 'alert' : undefined}>
      <Icon name={kind === 'done' ? 'check' : kind === 'note' ? 'flag' : 'warning'} size={16} />
      <div className={styles.text}>
        <strong>{title}</strong>
        {children ? <div>{children}</div> : null}
      </div>
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}

/** What the server refused: what is wrong, what can be done about it, and what else is to be said. */
export function Refusal({ error, children }: { error: unknown; children?: ReactNode }) {
  const errorText = useErrorText();
  const what = error instanceof ApiError && error.message !== '' ? error.problem?.title : undefined;
  if (what === undefined || (error instanceof ApiError && what === error.message))
    return <Alert title={errorText(error)}>{children}</Alert>;
  return (
    <Alert title={what}>
      {errorText(error)}
      {children}
    </Alert>
  );
}
