import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './imports.module.css';

/** How a step goes on; stays in view below long ones. */
export function Foot({
  next,
  onNext,
  disabled = false,
  pending,
  note,
  danger = false,
  back,
}: {
  next: string;
  onNext: () => void;
  disabled?: boolean;
  pending: boolean;
  note?: ReactNode;
  danger?: boolean;
  back?: { text: string; onClick: () => void };
}) {
  return (
    <div className={styles.foot}>
      {note ? <span className={styles.footNote}>{note}</span> : null}
      {back ? <Button onClick={back.onClick}>{back.text}</Button> : null}
      <Button type="primary" danger={danger} disabled={disabled} loading={pending} onClick={onNext}>
        {next}
      </Button>
    </div>
  );
}
