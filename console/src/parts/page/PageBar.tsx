import { use, useMemo, useState, type ReactNode } from 'react';
import { AsOf } from './Freshness.tsx';
import { ListHeadContext } from './list-head.ts';
import styles from './PageBar.module.css';

/**
 * The head of a page: its title (the one h1), a line of context beside it, of when its rows are, actions at the end. On
 * a list page the count and the tools of the list stand in the same line.
 */
export function PageBar({ title, note, actions }: { title: ReactNode; note?: ReactNode; actions?: ReactNode }) {
  const list = use(ListHeadContext);
  const { setCount, setViews, setTools } = list ?? {};
  return (
    <div className={list ? `${styles.bar} ${styles.oneLine}` : styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      {list ? <div ref={setCount} className={styles.count} /> : null}
      {note ? (
        <div className={styles.note} {...(list && typeof note === 'string' ? { title: note } : {})}>
          {note}
        </div>
      ) : null}
      {list ? <div ref={setViews} className={styles.views} /> : null}
      <AsOf />
      {actions || list ? (
        <div className={styles.actions}>
          {actions}
          {list ? <div ref={setTools} className={styles.tools} /> : null}
        </div>
      ) : null}
    </div>
  );
}

/**
 * The usual frame of a page: 24 px padding (16 on a phone), gaps of 16. `list`: a page of one list, whose rows begin as
 * high as they can.
 */
export function Page({ children, list = false }: { children: ReactNode; list?: boolean }) {
  const [count, setCount] = useState<HTMLElement | null>(null);
  const [views, setViews] = useState<HTMLElement | null>(null);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const head = useMemo(
    () => (list ? { count, views, tools, setCount, setViews, setTools } : null),
    [list, count, views, tools],
  );
  return (
    <ListHeadContext value={head}>
      <div className={list ? `${styles.page} ${styles.listPage}` : styles.page} data-list-page={list || undefined}>
        {children}
      </div>
    </ListHeadContext>
  );
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
