import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WideTable } from '../../../parts/lists/WideTable.tsx';
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
        <WideTable
          label={t('parts')}
          className={styles.table}
          heads={(['part', 'size', 'rows', 'days', 'tables'] as const).map((column) => t(`column.${column}`))}
          rows={parts.map(({ part, rows, bytes, from, to, tables }) => ({
            key: part,
            cells: [
              <span key="part">
                <b>{t(`part.${part}`)}</b>
                <small>{t(`part.${part}.about`)}</small>
              </span>,
              size(bytes),
              estimated(rows),
              from === null || to === null ? '—' : days(from, to),
              tables.length === 0 ? (
                '0'
              ) : (
                <Button
                  key="tables"
                  className={styles.more ?? ''}
                  type="link"
                  size="small"
                  aria-expanded={open === part}
                  onClick={() => setOpen(open === part ? null : part)}
                >
                  {t('tables.show', { n: number(tables.length) })}
                </Button>
              ),
            ],
          }))}
        />
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
        <WideTable
          label={t('tables.of', { part: t(`part.${part}`) })}
          className={styles.table}
          heads={(['days', 'size', 'rows', 'fate'] as const).map((column) => t(`column.${column}`))}
          rows={(all ? newest : newest.slice(0, shownFirst)).map(({ from, to, rows, bytes, drops }) => ({
            key: from,
            cells: [
              days(from, to),
              size(bytes),
              estimated(rows),
              drops ? (
                <span key="drops" className={styles.drops}>
                  {t('drops')}
                </span>
              ) : (
                t('stays')
              ),
            ],
          }))}
        />
      </div>
      {tables.length > shownFirst ? (
        <Button type="text" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('tables.fewer') : t('tables.all', { n: number(tables.length) })}
        </Button>
      ) : null}
    </div>
  );
}
