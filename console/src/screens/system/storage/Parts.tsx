import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Storage } from './retention.ts';
import { useAmounts } from './words.ts';
import styles from './storage.module.css';

type Part = Storage['parts'][number];
const shownFirst = 12;

/** What each part of the history takes, and on demand table by table. */
export function Parts({ parts }: { parts: readonly Part[] }) {
  const { t } = useTranslation('storage');
  const { size, number, rows: estimated, days } = useAmounts();
  const [open, setOpen] = useState<Part['part'] | null>(null);
  const shown = parts.find(({ part }) => part === open);
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={t('parts')}>
          <thead><tr>{(['part', 'size', 'rows', 'days', 'tables'] as const).map((column) => <th key={column} scope="col">{t(`column.${column}`)}</th>)}</tr></thead>
          <tbody>
            {parts.map(({ part, rows, bytes, from, to, tables }) => (
              <tr key={part}>
                <th scope="row"><b>{t(`part.${part}`)}</b><small>{t(`part.${part}.about`)}</small></th>
                <td data-head={t('column.size')}>{size(bytes)}</td>
                <td data-head={t('column.rows')}>{estimated(rows)}</td>
                <td data-head={t('column.days')}>{from === null || to === null ? '—' : days(from, to)}</td>
                <td data-head={t('column.tables')}>{tables.length === 0 ? '0' : <Button className={styles.more ?? ''} type="link" size="small" aria-expanded={open === part} onClick={() => setOpen(open === part ? null : part)}>{t('tables.show', { n: number(tables.length) })}</Button>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown ? <Tables key={shown.part} part={shown} /> : null}
    </>
  );
}

function Tables({ part: { part, tables } }: { part: Part }) {
  const { t } = useTranslation('storage');
  const { size, number, rows: estimated, days } = useAmounts();
  const [all, setAll] = useState(false);
  const newest = tables.toReversed();
  return (
    <div className={styles.tables}>
      <h3>{t(`part.${part}`)}</h3>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={t('tables.of', { part: t(`part.${part}`) })}>
          <thead><tr>{(['days', 'size', 'rows', 'fate'] as const).map((column) => <th key={column} scope="col">{t(`column.${column}`)}</th>)}</tr></thead>
          <tbody>
            {(all ? newest : newest.slice(0, shownFirst)).map(({ from, to, rows, bytes, drops }) => (
              <tr key={from}>
                <th scope="row">{days(from, to)}</th><td data-head={t('column.size')}>{size(bytes)}</td><td data-head={t('column.rows')}>{estimated(rows)}</td>
                <td data-head={t('column.fate')}>{drops ? <span className={styles.drops}>{t('drops')}</span> : t('stays')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {tables.length > shownFirst ? <Button type="text" size="small" aria-expanded={all} onClick={() => setAll(!all)}>{all ? t('tables.fewer') : t('tables.all', { n: number(tables.length) })}</Button> : null}
    </div>
  );
}
