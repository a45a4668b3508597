import { useSyncExternalStore } from 'react';
import { Table, type TableProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { LevelMeter, Quantity, RelativeTime, StateMark } from '../../../parts/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { placeOf, type Lamp } from '../../../parts/lamp/lamp.ts';
import type { LampNews } from './lamp-news.ts';
import styles from './monitor.module.css';
import { pageSizes } from './view-state.ts';

export interface LampListProps {
  lamps: readonly Lamp[];
  total: number;
  page: number;
  size: number;
  sort: string;
  loading: boolean;
  news: LampNews;
  /** Absent: nothing may be selected. */
  selected?: ReadonlySet<number> | undefined;
  onSelect: (ids: readonly number[], on: boolean) => void;
  onTurn: (values: { page: number; size: number; sort: string }) => void;
  onOpen: (id: number) => void;
  empty: React.ReactNode;
}

const sorter = (name: string, sort: string) => {
  const [column, direction] = sort.split(',');
  return {
    sorter: true,
    sortOrder: column === name ? (direction === 'desc' ? ('descend' as const) : ('ascend' as const)) : null,
  };
};

/** The list: words left, numbers right with units, state as shape and word, level as a bar of light. */
export function LampList({
  lamps,
  total,
  page,
  size,
  sort,
  loading,
  news,
  selected,
  onSelect,
  onTurn,
  onOpen,
  empty,
}: LampListProps) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  useSyncExternalStore(news.subscribe, news.version);
  const columns: TableProps<Lamp>['columns'] = [
    {
      key: 'index',
      title: '#',
      width: 52,
      align: 'right',
      className: styles.index ?? '',
      render: (_value, _lamp, index) => (page - 1) * size + index + 1,
    },
    {
      key: 'code',
      title: t('list.code'),
      width: 118,
      ...sorter('code', sort),
      render: (_value, lamp) => (
        <button type="button" className={styles.code} onClick={() => onOpen(lamp.id)}>
          {lamp.code}
        </button>
      ),
    },
    {
      key: 'poleCode',
      title: t('list.pole'),
      width: 110,
      ellipsis: true,
      render: (_value, lamp) => (lamp.poleCode === null ? '—' : <span className="code">{lamp.poleCode}</span>),
    },
    {
      key: 'roadName',
      title: t('list.place'),
      width: 184,
      ellipsis: true,
      ...sorter('roadName', sort),
      render: (_value, lamp) => placeOf(lamp),
    },
    {
      key: 'state',
      title: t('list.state'),
      width: 140,
      ...sorter('state', sort),
      render: (_value, lamp) => (
        <StateMark state={lamp.state} word={lamp.fault === null ? undefined : names.fault(lamp.fault)} />
      ),
    },
    {
      key: 'level',
      title: t('list.level'),
      width: 120,
      ...sorter('level', sort),
      render: (_value, lamp) => <LevelMeter level={lamp.online ? lamp.level : null} />,
    },
    {
      key: 'power',
      title: names.quantity('power'),
      width: 100,
      align: 'right',
      ...sorter('power', sort),
      render: (_value, lamp) => <Quantity value={lamp.power} unit="W" decimals={1} stale={!lamp.online} />,
    },
    {
      key: 'voltage',
      title: names.quantity('voltage'),
      width: 100,
      align: 'right',
      ...sorter('voltage', sort),
      render: (_value, lamp) => <Quantity value={lamp.voltage} unit="V" decimals={1} stale={!lamp.online} />,
    },
    {
      key: 'energy',
      title: t('energyTonight'),
      width: 110,
      align: 'right',
      render: (_value, lamp) => <Quantity value={lamp.energyTonight} unit="kWh" decimals={2} stale={!lamp.online} />,
    },
    {
      key: 'at',
      title: t('list.reported'),
      width: 116,
      align: 'right',
      ...sorter('at', sort),
      render: (_value, lamp) => <RelativeTime at={lamp.at} />,
    },
  ];
  return (
    <Table<Lamp>
      className={styles.table ?? ''}
      rowKey="id"
      columns={columns}
      dataSource={lamps.map((lamp) => news.over(lamp))}
      loading={loading}
      locale={{ emptyText: empty }}
      size="small"
      scroll={{ x: 1194 }}
      showSorterTooltip={false}
      {...(selected === undefined
        ? {}
        : {
            rowSelection: {
              columnWidth: 44,
              selectedRowKeys: [...selected],
              preserveSelectedRowKeys: true,
              onSelect: (lamp: Lamp, on: boolean) => onSelect([lamp.id], on),
              onSelectAll: (on: boolean, _rows: Lamp[], changed: Lamp[]) =>
                onSelect(
                  changed.map((lamp) => lamp.id),
                  on,
                ),
              getCheckboxProps: (lamp: Lamp) => ({ 'aria-label': t('list.select', { code: lamp.code }) }) as object,
              getTitleCheckboxProps: () => ({ 'aria-label': t('list.selectPage') }) as object,
            },
          })}
      pagination={{
        current: page,
        pageSize: size,
        total,
        pageSizeOptions: pageSizes.map(String),
        showSizeChanger: { 'aria-label': t('list.pageSize') },
        size: 'small',
        showTotal: (count, [from, to]) => t('list.range', { from, to, count }),
      }}
      onChange={(turned, _filters, order) => {
        const one = Array.isArray(order) ? order[0] : order;
        const next = one?.order ? `${String(one.columnKey)},${one.order === 'descend' ? 'desc' : 'asc'}` : '';
        onTurn({ page: next === sort ? (turned.current ?? 1) : 1, size: turned.pageSize ?? size, sort: next });
      }}
    />
  );
}
