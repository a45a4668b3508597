import type { ReactNode } from 'react';
import { AsOf } from './Freshness.tsx';
import styles from './PageBar.module.css';

/**
 * The head of a page: its title (the one h1), a line of context beside it, of when its rows are, actions at the end.
 */
export function PageBar({ title, note, actions }: { title: ReactNode; note?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      {note ? <div className={styles.note}>{note}</div> : null}
      <AsOf />
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

/** The usual frame of a page: 24 px padding (16 on a phone), gaps of 16. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/** A surface with a hairline; `title` is an h2. */
export function Card({
  title,
  extra,
  children,
  flush = false,
}: {
  title?: ReactNode;
  extra?: ReactNode;
  children: ReactNode;
  flush?: boolean;
}) {
  return (
    <section className={flush ? `${styles.card} ${styles.flush}` : styles.card}>
      {title || extra ? (
        <div className={styles.head}>
          {title ? <h2>{title}</h2> : null}
          {extra ? <div className={styles.extra}>{extra}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
