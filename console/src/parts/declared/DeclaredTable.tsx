import { Button, Pagination, Table, type TableColumnsType } from 'antd';
import type { SorterResult } from 'antd/es/table/interface';
import { useTranslation } from 'react-i18next';
import { usePermission, usePreference } from '../../app/index.ts';
import { useNames } from '../catalogue-names.ts';
import { Icon } from '../icon/Icon.tsx';
import { Empty, ErrorState, RefreshBar, Skeleton } from '../Notices.tsx';
import { Card } from '../PageBar.tsx';
import { formatNumber } from '../Quantity.tsx';
import { columnChoices, columnsOf } from './columns.tsx';
import { ColumnPicker } from './ColumnPicker.tsx';
import type { Below, Row, Source } from './source.ts';
import { useRows } from './use-source.ts';
import { pageSizes, type ListAddress } from './use-list-address.ts';
import styles from './declared.module.css';

interface Props { source: Source; address: ListAddress; onDelete: (row: Row) => void; below?: Below | undefined }

const readColumns = (stored: unknown, known: ReadonlySet<string>, code: string, own: readonly string[]): readonly string[] => {
  const kept = Array.isArray(stored) ? stored.filter((key): key is string => typeof key === 'string' && known.has(key)) : [];
  return kept.length === 0 ? own : kept.includes(code) ? kept : [code, ...kept];
};

/** The list of a family or record: count line, index, sortable columns, row actions, pages; and every state it can be in. */
export function DeclaredTable({ source, address, onDelete, below }: Props) {
  const { t, i18n } = useTranslation('declared');
  const names = useNames();
  const [mayAdd, mayEdit, mayDelete] = [usePermission(source.codes.add), usePermission(source.codes.edit), usePermission(source.codes.del)];
  const choices = columnChoices(source, names);
  const known = new Set(choices.map((choice) => choice.key));
  const [chosen, choose] = usePreference<readonly string[] | null>(`columns:${source.key}`, null);
  const shown = readColumns(chosen, known, source.codeField, source.listColumns);
  const list = useRows(source, { ...address.filters, page: address.page, size: address.size, ...(address.sort === undefined ? {} : { sort: address.sort }) });
  const total = list.data?.recordsTotal ?? 0;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const from = (address.page - 1) * address.size;
  const what = source.kind === 'device' ? names.family(source.key) : names.record(source.key);
  const conditions = Object.keys(address.filters).length;

  const columns: TableColumnsType<Row> = [
    { key: '#', title: t('list.index'), width: 64, align: 'right' as const, className: styles.short ?? '', render: (_: unknown, _row: Row, index: number) => from + index + 1 },
    ...columnsOf(shown, { source, names, sort: address.sort, onOpen: (row) => address.show({ open: row.id }) }),
    ...(mayEdit || mayDelete || below ? [{
      key: 'actions', title: t('list.actions'), fixed: 'end' as const, width: 1, render: (_: unknown, row: Row) => (
        <span className={styles.actions}>
          {below ? <Button size="small" type="text" title={below.label} aria-label={`${below.label} ${String(row[source.codeField])}`} icon={<Icon name="list" size={14} />} onClick={() => below.open(row)} /> : null}
          {mayEdit ? <Button size="small" type="text" title={t('list.edit')} aria-label={`${t('list.edit')} ${String(row[source.codeField])}`} icon={<Icon name="edit" size={14} />} onClick={() => address.show({ form: row.id })} /> : null}
          {mayDelete ? <Button size="small" type="text" title={t('list.delete')} aria-label={`${t('list.delete')} ${String(row[source.codeField])}`} icon={<Icon name="trash" size={14} />} onClick={() => onDelete(row)} /> : null}
        </span>
      ),
    }] : []),
  ];
  const changed = (sorter: SorterResult<Row> | SorterResult<Row>[]): void => {
    const { columnKey, order } = Array.isArray(sorter) ? sorter[0] ?? {} : sorter;
    address.sortBy(order ? `${String(columnKey)},${order === 'descend' ? 'desc' : 'asc'}` : undefined);
  };

  return (
    <Card flush>
      <RefreshBar active={list.isFetching && !list.isPending} />
      <div className={styles.bar}>
        <span className={styles.count} role="status">{list.data ? t('list.count', { n: number(total) }) : ' '}</span>
        <span className={styles.tools}>
          <ColumnPicker choices={choices} shown={shown} fixed={source.codeField} onChange={choose} />
          <Button type="text" aria-label={t('list.refresh')} title={t('list.refresh')} icon={<Icon name="retry" />} onClick={() => void list.refetch()} />
          {mayAdd ? <Button type="primary" icon={<Icon name="plus" size={14} />} onClick={() => address.show({ form: 'new' })}>{t('list.add')}</Button> : null}
        </span>
      </div>
      {list.isPending ? <Skeleton rows={10} height={460} /> : list.error && !list.data ? <ErrorState error={list.error} onRetry={list.refetch} /> : total === 0 ? (
        conditions > 0
          ? <Empty title={t('list.empty.filtered', { what })} text={t('list.empty.conditions', { n: conditions })} action={{ text: t('list.empty.clear'), onClick: () => address.search({}) }} />
          : <Empty title={t('list.empty', { what })} {...(mayAdd ? { action: { text: t('list.empty.add'), onClick: () => address.show({ form: 'new' }) } } : {})} />
      ) : (
        <>
          <Table<Row>
            className={styles.table ?? ''} rowKey="id" size="small" columns={columns} dataSource={[...(list.data?.data ?? [])]} pagination={false} scroll={{ x: 'max-content' }} sticky
            sortDirections={['ascend', 'descend']} onChange={(_pages, _filters, sorter) => changed(sorter)}
          />
          <div className={styles.bar}>
            <span className={styles.count}>{t('list.range', { from: number(from + 1), to: number(Math.min(from + address.size, total)), n: number(total) })}</span>
            <span className={styles.tools}>
              <Pagination
                current={address.page} pageSize={address.size} total={total} showSizeChanger showQuickJumper={total > address.size} responsive size="small"
                pageSizeOptions={[...pageSizes]} onChange={(page, size) => address.turn(size === address.size ? page : 1, size)}
              />
            </span>
          </div>
        </>
      )}
    </Card>
  );
}
