import { Button, Pagination, Table, type TableColumnsType } from 'antd';
import type { SorterResult } from 'antd/es/table/interface';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Card, Empty, ErrorState, formatNumber, Icon, RefreshBar, Skeleton } from '../../parts/index.ts';
import { pageSizes, type ListAddress } from '../../parts/declared/use-list-address.ts';
import { useNarrow } from '../../parts/use-narrow.ts';
import { inPreview } from '../../session/index.ts';
import { Result, Time } from './cells.tsx';
import { sortOf, type LogKind, type LogPage, type LogRow } from './log.ts';
import type { LogList as Asked } from './use-log.ts';
import styles from './logs.module.css';

interface Props {
  kind: LogKind;
  address: ListAddress;
  list: Asked;
  openId: number | null;
  onOpen: (row: LogRow) => void;
  onExport: () => void;
}

const useNumber = (): ((n: number) => string) => {
  const { i18n } = useTranslation('logs');
  return (n) => formatNumber(n, i18n.language, 0);
};

/** The rows of a log: count line, table or cards, pages; and every state the list can be in. */
export function LogList({ kind, address, list, openId, onOpen, onExport }: Props) {
  const { t } = useTranslation('logs');
  const { t: words } = useTranslation('declared');
  const number = useNumber();
  const page = list.page;
  return (
    <Card flush>
      <RefreshBar active={list.isFetching && !list.isPending} />
      <div className={styles.bar}>
        <span className={styles.count} role="status">{page ? (page.exact ? words('list.count', { n: number(page.total) }) : t('list.countAbout', { n: number(page.total) })) : ' '}</span>
        <span className={styles.tools}>
          <Button type="text" aria-label={words('list.refresh')} title={words('list.refresh')} icon={<Icon name="retry" />} onClick={() => void list.refetch()} />
          <Button icon={<Icon name="download" size={14} />} disabled={inPreview()} {...(inPreview() ? { title: t('export.preview') } : {})} onClick={onExport}>{t('list.export')}</Button>
        </span>
      </div>
      {list.isPending ? <Skeleton rows={10} height={460} /> : list.error && !page ? <ErrorState title={t('list.failed')} error={list.error} onRetry={list.refetch} />
        : page ? <Found {...{ kind, address, page, openId, onOpen }} isEarlier={list.isEarlier} /> : null}
    </Card>
  );
}

function Found({ kind, address, page, openId, onOpen, isEarlier }: Omit<Props, 'list' | 'onExport'> & { page: LogPage; isEarlier: boolean }) {
  const { t } = useTranslation('logs');
  const { t: words } = useTranslation('declared');
  const narrow = useNarrow();
  const number = useNumber();
  const from = (address.page - 1) * address.size;
  const conditions = Object.keys(address.filters).length;
  // The address asks for more than there is.
  const beyond = !isEarlier && page.rows.length === 0 && page.total > 0 && address.page > 1;
  const back = useEffectEvent(() => address.turn(Math.max(1, Math.ceil(page.total / address.size)), address.size));
  const mayJump = beyond && page.exact;
  useEffect(() => { if (mayJump) back(); }, [mayJump]);
  if (page.total === 0) {
    return conditions > 0
      ? <Empty title={t('list.noMatch')} text={words('list.empty.conditions', { n: conditions })} action={{ text: words('list.empty.clear'), onClick: () => address.search({}) }} />
      : <Empty title={t('list.empty')} text={t('list.empty.text')} />;
  }
  // An estimate leads nowhere in particular: the operator decides.
  if (beyond && !page.exact) return <Empty title={t('list.beyond')} text={t('list.beyond.text')} action={{ text: t('list.beyond.first'), onClick: () => address.turn(1, address.size) }} />;
  const range = { from: number(from + 1), to: number(from + page.rows.length), n: number(page.total) };
  return (
    <>
      {narrow ? <Cards rows={page.rows} kind={kind} onOpen={onOpen} /> : <Rows {...{ kind, address, onOpen, openId, from }} rows={page.rows} />}
      <div className={styles.bar}>
        <span className={styles.count}>{page.exact ? words('list.range', range) : t('list.rangeAbout', range)}</span>
        <span className={styles.tools}>
          <Pagination
            current={address.page} pageSize={address.size} total={page.total} showSizeChanger showQuickJumper={page.total > address.size && !narrow} responsive size="small"
            pageSizeOptions={[...pageSizes]} onChange={(to, size) => address.turn(size === address.size ? to : 1, size)}
          />
        </span>
      </div>
    </>
  );
}

interface RowsProps { kind: LogKind; rows: readonly LogRow[]; onOpen: (row: LogRow) => void }

/** The one button of a row: its time, which opens the details. */
function Opener({ row, onOpen }: { row: LogRow; onOpen: (row: LogRow) => void }) {
  return <button type="button" className={styles.link} onClick={() => onOpen(row)}><Time at={row.time} /></button>;
}

function Rows({ kind, rows, address, from, openId, onOpen }: RowsProps & { address: ListAddress; from: number; openId: number | null }) {
  const { t } = useTranslation('logs');
  const { t: words } = useTranslation('declared');
  const number = useNumber();
  const short = styles.short ?? '';
  const columns: TableColumnsType<LogRow> = [
    { key: '#', title: words('list.index'), width: 64, align: 'right', className: short, render: (_: unknown, _row: LogRow, index: number) => number(from + index + 1) },
    {
      key: 'time', title: t('field.time'), className: short, sorter: true, sortOrder: sortOf(address.sort) === 'time,asc' ? 'ascend' : 'descend', showSorterTooltip: false,
      render: (_: unknown, row: LogRow) => <Opener row={row} onOpen={onOpen} />,
    },
    { key: 'username', title: t('field.username'), className: styles.name ?? '', render: (_: unknown, row: LogRow) => row.username },
    { key: 'message', title: t(kind === 'operation' ? 'field.operation' : 'field.message'), className: styles.text ?? '', render: (_: unknown, row: LogRow) => row.message },
    ...(kind === 'operation' ? [{ key: 'uri', title: t('field.uri'), className: styles.uri ?? '', render: (_: unknown, row: LogRow) => <span className="code">{row.uri}</span> }] : []),
    { key: 'ip', title: t('field.ip'), className: short, render: (_: unknown, row: LogRow) => <span className="code">{row.ip}</span> },
    { key: 'result', title: t('field.result'), className: short, render: (_: unknown, row: LogRow) => <Result row={row} /> },
    { key: 'times', title: <span title={t('list.repeated')}>{t('field.times')}</span>, align: 'right', className: short, render: (_: unknown, row: LogRow) => number(row.times) },
  ];
  const changed = (sorter: SorterResult<LogRow> | SorterResult<LogRow>[]): void => {
    const { order } = Array.isArray(sorter) ? sorter[0] ?? {} : sorter;
    address.sortBy(order === 'ascend' ? 'time,asc' : undefined);
  };
  return (
    <Table<LogRow>
      className={styles.table ?? ''} rowKey="id" size="small" columns={columns} dataSource={[...rows]} pagination={false} scroll={{ x: 'max-content' }} sticky
      rowClassName={(row) => (row.id === openId ? styles.open ?? '' : '')} sortDirections={['descend', 'ascend', 'descend']} onChange={(_pages, _filters, sorter) => changed(sorter)}
    />
  );
}

/** The same on a phone: one card a row, all of it a button. */
function Cards({ rows, kind, onOpen }: RowsProps) {
  const { t } = useTranslation('logs');
  const number = useNumber();
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <div className={styles.cardHead}><b>{row.message}</b><Result row={row} /></div>
          {kind === 'operation' ? <div className={`code ${styles.cardUri ?? ''}`}>{row.uri}</div> : null}
          <div className={styles.cardFoot}>
            <Opener row={row} onOpen={onOpen} /><span>{row.username}</span><span className="code">{row.ip}</span>
            {row.times > 1 ? <span title={t('list.repeated')}>{t('field.times')} {number(row.times)}</span> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
