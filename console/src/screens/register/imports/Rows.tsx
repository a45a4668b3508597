import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family, Field } from '../../../../../catalogue/index.ts';
import { listImportRows } from '../../../../../contract/register/imports.ts';
import type { QueryOf, ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { useReferenceOptions } from '../../../fields/reference-options.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import {
  Card,
  Empty,
  ErrorState,
  formatNumber,
  RefreshBar,
  Skeleton,
  StateMark,
  type MarkState,
} from '../../../parts/index.ts';
import type { Import } from './plan.ts';
import styles from './imports.module.css';

type Reply = ReplyOf<typeof listImportRows>;
type Row = Reply['data'][number];
export type RowFilter = Pick<QueryOf<typeof listImportRows>, 'outcome' | 'rule' | 'field' | 'notUndone'>;

const PAGE = 50;
const marks: Record<Row['outcome'], MarkState> = { new: 'on', update: 'partial', unchanged: 'off', error: 'alarm' };

/** Rows of the file by what becomes of them, in its order, a page at a time. */
export function Rows({
  one,
  family,
  filter,
  title,
  onAll,
}: {
  one: Import;
  family: Family;
  filter: RowFilter;
  title?: string;
  onAll?: () => void;
}) {
  const { t, i18n } = useTranslation('imports');
  // Where each page that was turned begins: the next one is asked for by the last row seen.
  const [starts, setStarts] = useState<readonly number[]>([0]);
  const after = starts.at(-1) ?? 0;
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useCall(
    listImportRows,
    { params: { id: one.id }, query: { ...filter, after, size: PAGE } },
    { staleTime: 0, keepPrevious: true },
  );
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const rows = data?.data ?? [];
  const last = rows.at(-1)?.row ?? after;
  const seen = (starts.length - 1) * PAGE + rows.length;
  const filtered = Object.keys(filter).length > 0;
  return (
    <Card
      flush
      title={title ?? t('rows.title')}
      extra={
        <span className={styles.rowsHead}>
          <span role="status" className="num">
            {data ? t('rows', { n: number(data.recordsTotal) }) : ' '}
          </span>
          {filtered && onAll ? (
            <Button size="small" onClick={onAll}>
              {t('rows.all')}
            </Button>
          ) : null}
        </span>
      }
    >
      <RefreshBar active={isFetching && !isPending} />
      {isPending ? (
        <Skeleton rows={8} height={320} />
      ) : error && !data ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : rows.length === 0 && starts.length === 1 ? (
        <Empty title={t('rows.none')} />
      ) : (
        <>
          <ul className={styles.list}>
            {rows.map((row) => (
              <RowItem key={row.row} row={row} family={family} />
            ))}
          </ul>
          {data && data.recordsTotal > PAGE ? (
            <div className={styles.pages}>
              <span className="num">
                {t('rows.seen', {
                  from: number((starts.length - 1) * PAGE + 1),
                  to: number(seen),
                  n: number(data.recordsTotal),
                })}
              </span>
              <Button
                size="small"
                disabled={starts.length === 1 || isPlaceholderData}
                onClick={() => setStarts(starts.slice(0, -1))}
              >
                {t('rows.previous')}
              </Button>
              <Button
                size="small"
                disabled={isPlaceholderData || seen >= data.recordsTotal}
                onClick={() => setStarts([...starts, last])}
              >
                {t('rows.next')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Card>
  );
}

function RowItem({ row, family }: { row: Row; family: Family }) {
  const { t, i18n } = useTranslation('imports');
  const names = useNames();
  return (
    <li className={styles.item}>
      <span className={styles.rowNumber}>{t('row', { n: formatNumber(row.row, i18n.language, 0) })}</span>
      <span className={`${styles.rowCode} code`}>{row.code ?? '—'}</span>
      <StateMark
        state={row.undone === false ? 'maintenance' : marks[row.outcome]}
        word={row.undone === false ? t('outcome.kept') : t(`outcome.${row.outcome}`)}
      />
      {row.problems.length > 0 || row.changes.length > 0 ? (
        <ul className={styles.details}>
          {row.problems.map(({ field, rule, message, text }) => (
            <li key={`${field} ${rule}`}>
              <b>{names.field(field, family.key)}</b>
              {t('colon')}
              {message}
              {text === null ? null : (
                <>
                  {' '}
                  <code className={styles.cell} title={text}>
                    {text}
                  </code>
                </>
              )}
            </li>
          ))}
          {row.changes.map(({ field, from, to }) => (
            <li key={field}>
              <b>{names.field(field, family.key)}</b>
              {t('colon')}
              <Said field={family.field.get(field)} value={from} />{' '}
              <span aria-label={t('rows.becomes')} role="img">
                →
              </span>{' '}
              <Said field={family.field.get(field)} value={to} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

/** A value of the register in words. */
function Said({ field, value }: { field: Field | undefined; value: unknown }) {
  const { t } = useTranslation('imports');
  const names = useNames();
  if (value === null || value === undefined || value === '')
    return <em className={styles.nothing}>{t('rows.emptied')}</em>;
  if (field?.kind === 'secret') return <>••••</>;
  if (field?.kind === 'reference' && typeof value === 'number') return <Referred field={field} id={value} />;
  return <span className={styles.value}>{(field && names.value(field, value)) ?? String(value)}</span>;
}

/** What an id refers to, by name. */
function Referred({ field, id }: { field: Extract<Field, { kind: 'reference' }>; id: number }) {
  const { options } = useReferenceOptions(field.to, { search: '', workId: null, ids: String(id), enabled: true });
  return <span className={styles.value}>{options.find(({ value }) => value === id)?.label ?? `#${id}`}</span>;
}
