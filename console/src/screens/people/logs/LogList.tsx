import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { formatNumber, Icon } from '../../../parts/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { inPreview } from '../../../session/index.ts';
import { Result, Time } from './cells.tsx';
import type { LogKind, LogRow } from './log.ts';
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

/** The rows of a log, newest first unless told; each opens its details. */
export function LogList({ kind, address, list, openId, onOpen, onExport }: Props) {
  const { t } = useTranslation('logs');
  const { t: words } = useTranslation('declared');
  const { page } = list;
  const preview = inPreview();
  return (
    <ListFrame<LogRow>
      name={`logs/${kind}`}
      address={address}
      columns={useColumns(kind, onOpen)}
      ownSort="time,desc"
      list={{
        data: page && { data: page.rows, recordsTotal: page.total, recordsTotalExact: page.exact },
        error: list.error,
        isPending: list.isPending,
        isFetching: list.isFetching,
        isPlaceholderData: list.isEarlier,
        refetch: list.refetch,
      }}
      texts={{
        count: (n, about) => (about ? t('list.countAbout', { n }) : words('list.count', { n })),
        failed: t('list.failed'),
        noMatch: t('list.noMatch'),
        empty: t('list.empty'),
        emptyText: t('list.empty.text'),
      }}
      tools={
        <Button
          icon={<Icon name="download" size={14} />}
          disabled={preview}
          {...(preview ? { title: t('export.preview') } : {})}
          onClick={onExport}
        >
          {t('list.export')}
        </Button>
      }
      peek={{ id: openId, show: onOpen }}
      renderCards={(rows) => <Cards rows={rows} kind={kind} onOpen={onOpen} />}
    />
  );
}

interface RowsProps {
  kind: LogKind;
  rows: readonly LogRow[];
  onOpen: (row: LogRow) => void;
}

/** The one button of a row: its time, which opens the details. */
function Opener({ row, onOpen }: { row: LogRow; onOpen: (row: LogRow) => void }) {
  return (
    <button type="button" className={styles.link} onClick={() => onOpen(row)}>
      <Time at={row.time} />
    </button>
  );
}

function useColumns(kind: LogKind, onOpen: (row: LogRow) => void): ListColumn<LogRow>[] {
  const { t } = useTranslation('logs');
  const number = useNumber();
  const { short } = styles;
  return [
    {
      key: 'time',
      name: t('field.time'),
      className: short,
      sortable: true,
      always: true,
      cell: (row) => <Opener row={row} onOpen={onOpen} />,
    },
    { key: 'username', name: t('field.username'), className: styles.name, cell: (row) => row.username },
    {
      key: 'message',
      name: t(kind === 'operation' ? 'field.operation' : 'field.message'),
      className: styles.text,
      cell: (row) => row.message,
    },
    ...(kind === 'operation'
      ? [
          {
            key: 'uri',
            name: t('field.uri'),
            className: styles.uri,
            cell: (row: LogRow) => <span className="code">{row.uri}</span>,
          },
        ]
      : []),
    { key: 'ip', name: t('field.ip'), className: short, cell: (row) => <span className="code">{row.ip}</span> },
    { key: 'result', state: true, name: t('field.result'), className: short, cell: (row) => <Result row={row} /> },
    {
      key: 'times',
      name: t('field.times'),
      hint: t('list.repeated'),
      align: 'right',
      className: short,
      cell: (row) => number(row.times),
    },
  ];
}

/** The same on a phone: one card a row, all of it a button. */
function Cards({ rows, kind, onOpen }: RowsProps) {
  const { t } = useTranslation('logs');
  const number = useNumber();
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <div className={styles.cardHead}>
            <b>{row.message}</b>
            <Result row={row} />
          </div>
          {kind === 'operation' ? <div className={`code ${styles.cardUri ?? ''}`}>{row.uri}</div> : null}
          <div className={styles.cardFoot}>
            <Opener row={row} onOpen={onOpen} />
            <span>{row.username}</span>
            <span className="code">{row.ip}</span>
            {row.times > 1 ? (
              <span title={t('list.repeated')}>
                {t('field.times')} {number(row.times)}
              </span>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
