import type { ReactNode } from 'react';
import type { ListRow } from './batch.ts';
import styles from './cards.module.css';

/** The rows of a list on a phone, each a card: what it is and its state, then lines. */
export function Cards<R extends ListRow>({ rows, render }: { rows: readonly R[]; render: (row: R) => ReactNode }) {
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>{render(row)}</li>
      ))}
    </ul>
  );
}

/** A line of a card, over its whole width. */
export function CardLine({ children }: { children: ReactNode }) {
  return <span className={styles.line}>{children}</span>;
}
