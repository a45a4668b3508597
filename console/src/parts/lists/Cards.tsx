import type { ReactNode } from 'react';
import type { ListRow } from './batch.ts';
import type { ListColumn } from './columns.ts';
import { isEmptyIn } from './empty-columns.ts';
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

/** Values on a card when the columns do not say which. */
const MOST = 3;

interface ColumnCardsProps<R> {
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  check: (row: R) => ReactNode;
  actions?: ((row: R) => ReactNode) | undefined;
  onPeek: (row: R) => void;
}

/** Cards out of the columns of a list: its name, its state, and the two or three values that matter. */
export function ColumnCards<R extends ListRow>({ rows, columns, check, actions, onPeek }: ColumnCardsProps<R>) {
  const title = columns.find(({ always }) => always === true) ?? columns[0];
  const states = columns.filter(({ state }) => state === true);
  const rest = columns.filter((column) => column !== title && !states.includes(column));
  const named = rest.filter(({ inCard }) => inCard === true);
  const valuesOf = (row: R): readonly ListColumn<R>[] => {
    const filled = (named.length > 0 ? named : rest).filter((column) => !isEmptyIn(column, row));
    return named.length > 0 ? filled : filled.slice(0, MOST);
  };
  return (
    <Cards
      rows={rows}
      render={(row) => (
        <div
          className={styles.card}
          role="presentation"
          onClick={({ target }) => {
            if (target instanceof Element && target.closest('a, button, input, label, [role="dialog"]') === null)
              onPeek(row);
          }}
        >
          <b>{title?.cell(row)}</b>
          {states.map((column) => (
            <span key={column.key}>{column.cell(row)}</span>
          ))}
          <span className={styles.check}>{check(row)}</span>
          <dl className={styles.values}>
            {valuesOf(row).map((column) => (
              <div key={column.key}>
                <dt className="visually-hidden">{column.name}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {actions ? <span className={styles.actions}>{actions(row)}</span> : null}
        </div>
      )}
    />
  );
}
