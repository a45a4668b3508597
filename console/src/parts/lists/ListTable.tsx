import { Table, type TableColumnType, type TableColumnsType } from 'antd';
import type { SorterResult } from 'antd/es/table/interface';
import { useDeferredValue, useMemo, type HTMLAttributes, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from './use-list-address.ts';
import { formatNumber } from '../../locales/format-number.ts';
import type { ListRow } from './batch.ts';
import { ColumnEdge } from './ColumnEdge.tsx';
import type { ListColumn, Widths } from './columns.ts';
import type { Chosen } from './use-chosen.ts';
import styles from './list.module.css';

interface Props<R> {
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  address: ListAddress;
  /** The order the list has by itself, when it is that of a column: `time,desc`. */
  ownSort?: string | undefined;
  renderActions?: ((row: R) => ReactNode) | undefined;
  selection?: { chosen: Chosen<R>; nameOf: (row: R) => string } | undefined;
  rowClass: (row: R) => string;
  onRow: (row: R) => HTMLAttributes<HTMLElement>;
  widths: Widths;
  onWidth: (key: string, width: number | undefined) => void;
}

/** So many rows are drawn at once: more than a screen shows. */
const AT_FIRST = 30;
const ways = { asc: 'ascend', desc: 'descend' } as const;

/**
 * The same row gives the same element as long as the columns are the same: a tick in one row draws no other one anew.
 */
function kept<R extends ListRow>(cell: (row: R) => ReactNode): (row: R) => ReactNode {
  const drawn = new WeakMap<R, ReactNode>();
  return (row) => {
    if (!drawn.has(row)) drawn.set(row, cell(row));
    return drawn.get(row);
  };
}

/** A column that was given a width keeps it, whatever is in it: what does not fit ends in dots. */
function sized<R>(
  width: number | undefined,
  column: ListColumn<R>,
): Pick<TableColumnType<R>, 'className' | 'width' | 'onCell' | 'onHeaderCell'> {
  const style = width === undefined ? {} : { style: { width, minWidth: width, maxWidth: width } };
  return {
    className: (width === undefined ? column.className : styles.sized) ?? '',
    ...(width === undefined ? {} : { width, onCell: () => style }),
    onHeaderCell: () => ({ ...style, 'data-column': column.key }) as object,
  };
}

/** The rows as a table: index, the columns chosen, what can be done with each; the order stands in the address. */
export function ListTable<R extends ListRow>({
  rows,
  columns,
  address,
  ownSort,
  renderActions,
  selection,
  rowClass,
  onRow,
  widths,
  onWidth,
}: Props<R>) {
  const { t } = useTranslation('lists');
  const { t: words, i18n } = useTranslation('declared');
  const from = (address.page - 1) * address.size;
  // The name stays beside index and selection, unless the account put another column before it.
  const pinned = columns[0]?.always === true ? { fixed: 'start' as const } : {};
  const [sorted, way] = (address.sort ?? ownSort)?.split(',') ?? [];
  const cells = useMemo(() => columns.map((column) => ({ column, cell: kept(column.cell) })), [columns]);
  const actions = useMemo(() => renderActions && kept(renderActions), [renderActions]);
  // A long page is drawn without holding up the operator: what is in sight first, the rest when there is time.
  const whole = useDeferredValue(rows, rows.length > AT_FIRST ? rows.slice(0, AT_FIRST) : rows);
  const drawn: TableColumnsType<R> = [
    {
      key: '#',
      title: words('list.index'),
      width: 64,
      align: 'right',
      className: styles.index ?? '',
      ...pinned,
      render: (_: unknown, _row: R, index: number) => formatNumber(from + index + 1, i18n.language, 0),
    },
    ...cells.map(({ column, cell }, place): TableColumnType<R> => ({
      key: column.key,
      title: (
        <>
          {column.hint === undefined ? column.name : <span title={column.hint}>{column.name}</span>}
          <ColumnEdge onWidth={(width) => onWidth(column.key, width)} />
        </>
      ),
      align: column.align ?? 'left',
      ...sized(widths[column.key], column),
      ...(place === 0 ? pinned : {}),
      render: (_: unknown, row: R) => cell(row),
      ...(column.sortable === true
        ? {
            sorter: true,
            sortOrder: sorted === column.key ? ways[way === 'desc' ? 'desc' : 'asc'] : null,
            showSorterTooltip: false,
          }
        : {}),
    })),
    ...(actions
      ? [
          {
            key: 'actions',
            title: words('list.actions'),
            width: 1,
            fixed: 'end' as const,
            className: styles.actionCell ?? '',
            render: (_: unknown, row: R) => actions(row),
          },
        ]
      : []),
  ];
  const changed = (sorter: SorterResult<R> | SorterResult<R>[]): void => {
    const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
    const next = order ? `${String(columnKey)},${order === 'descend' ? 'desc' : 'asc'}` : undefined;
    address.sortBy(next === ownSort ? undefined : next);
  };
  return (
    <Table<R>
      className={styles.table ?? ''}
      rowKey="id"
      size="small"
      columns={drawn}
      dataSource={[...whole]}
      pagination={false}
      scroll={{ x: 'max-content' }}
      sticky
      sortDirections={ownSort === undefined ? ['ascend', 'descend'] : ['descend', 'ascend', 'descend']}
      onChange={(_pages, _filters, sorter) => changed(sorter)}
      rowClassName={rowClass}
      onRow={onRow}
      {...(selection
        ? {
            rowSelection: {
              columnWidth: 44,
              ...pinned,
              selectedRowKeys: selection.chosen.rows.map((row) => row.id),
              preserveSelectedRowKeys: true,
              onSelect: (row: R, on: boolean) => selection.chosen.change([row], on),
              onSelectAll: (on: boolean, _all: R[], some: R[]) => selection.chosen.change(some, on),
              getCheckboxProps: (row: R) =>
                ({ 'aria-label': t('batch.choose', { name: selection.nameOf(row) }) }) as object,
              getTitleCheckboxProps: () => ({ 'aria-label': t('batch.choosePage') }) as object,
            },
          }
        : {})}
    />
  );
}
