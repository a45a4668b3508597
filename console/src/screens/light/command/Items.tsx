import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { UseQueryResult } from '@tanstack/react-query';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import type { ApiError } from '../../../api/index.ts';
import { useDeviceAddress, useOpen, usePageExists } from '../../../frame/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber, Icon, RelativeTime, StateShape, useTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import { isMissed, secondsBetween, type Item } from '../../../parts/commands/commands.ts';
import { Ticks } from '../../../parts/commands/Ticks.tsx';
import { useCommandWords } from '../../../parts/commands/words.ts';
import { MainValues, useReadColumns } from './ReadValues.tsx';
import type { OpenTask } from './use-task.ts';
import styles from './command.module.css';

/** A row of the list: a device's part of the task. */
export type Row = Item & { readonly id: number };

/** What became of each device, failures first: narrowed by the figures above and by text. */
export function Items({ task, address }: { task: UseQueryResult<OpenTask, ApiError>; address: ListAddress }) {
  const { t } = useTranslation('commands');
  const rows = task.data?.items.map((item): Row => ({ ...item, id: item.deviceId }));
  const columns = useColumns(task.data?.command === 'read', rows);
  return (
    <ListFrame<Row>
      name={task.data?.command === 'read' ? 'read-items' : 'command-items'}
      address={address}
      columns={columns}
      list={{
        data: rows && task.data && { data: rows, recordsTotal: task.data.recordsTotal },
        error: task.error,
        isPending: task.isPending,
        isFetching: task.isFetching,
        isPlaceholderData: task.isPlaceholderData,
        refetch: task.refetch,
      }}
      texts={{ count: (n) => t('items.count', { n }), noMatch: t('items.noMatch'), empty: t('items.none') }}
      tools={
        <SearchBox
          className={styles.search}
          value={address.filters.q ?? ''}
          label={t('items.search')}
          maxLength={60}
          onSearch={(q) => address.search({ ...address.filters, q })}
        />
      }
      renderCards={(shown) => (
        <ul className={styles.cards}>
          {shown.map((row) => (
            <ItemCard key={row.id} row={row} read={task.data?.command === 'read'} />
          ))}
        </ul>
      )}
    />
  );
}

function useColumns(read: boolean, rows: readonly Row[] | undefined): ListColumn<Row>[] {
  const { t, i18n } = useTranslation('commands');
  const readColumns = useReadColumns(rows);
  const since = (row: Row, at: string | null): string => {
    const seconds = secondsBetween(row.queuedAt, at);
    return seconds === null
      ? '—'
      : t('items.after', { seconds: formatNumber(seconds, i18n.language, seconds < 10 ? 1 : 0) });
  };
  return [
    {
      key: 'code',
      name: t('items.code'),
      always: true,
      cell: (row) =>
        read ? (
          <span className={styles.placed}>
            <DeviceLink row={row} />
            <small>{row.name}</small>
          </span>
        ) : (
          <DeviceLink row={row} />
        ),
    },
    { key: 'name', name: t('items.name'), further: true, cell: (row) => row.name ?? '—' },
    {
      key: 'result',
      state: true,
      name: t('items.result'),
      always: true,
      cell: (row) => <Result row={row} read={read} />,
    },
    ...(read ? readColumns : timeColumns(t, since)),
    { key: 'steps', name: t('items.steps'), further: read, cell: (row) => <Ticks item={row} read={read} /> },
  ];
}

const timeColumns = (t: TFunction<'commands'>, since: (row: Row, at: string | null) => string): ListColumn<Row>[] => [
  { key: 'queued', name: t('items.queued'), further: true, cell: (row) => <At at={row.queuedAt} /> },
  { key: 'sent', name: t('items.sent'), align: 'right', cell: (row) => since(row, row.sentAt) },
  {
    key: 'tries',
    name: t('items.tries'),
    align: 'right',
    further: true,
    cell: (row) => (row.tries > 0 ? row.tries : '—'),
  },
  { key: 'acknowledged', name: t('items.acknowledged'), align: 'right', cell: (row) => since(row, row.acknowledgedAt) },
  { key: 'ended', name: t('items.ended'), align: 'right', cell: (row) => since(row, row.endedAt) },
  { key: 'until', name: t('list.until'), further: true, cell: (row) => <At at={row.until} /> },
  { key: 'canary', name: t('fact.canary'), further: true, cell: (row) => (row.canary ? t('items.canary') : '—') },
];

function At({ at }: { at: string | null }) {
  const time = useTime();
  return <>{time(at, 'dateTime')}</>;
}

/** The device's code, and its page where the account has it. */
function DeviceLink({ row }: { row: Row }) {
  const open = useOpen();
  const pageOf = useDeviceAddress();
  const exists = usePageExists();
  const lampPage = isLamp(row.family) && exists('lamp/device');
  const page = lampPage ? 'lamp/device' : pageOf(row.family, row.deviceId);
  if (page === undefined) return <span className="code">{row.code}</span>;
  return (
    <button
      type="button"
      className={`${styles.link} code`}
      onClick={() => open(page, lampPage ? { params: { id: row.deviceId } } : {})}
    >
      {row.code}
    </button>
  );
}

/** How it ended or what is waited for, in words; what reading back showed afterwards stands below. */
function Result({ row, read }: { row: Row; read: boolean }) {
  const { t } = useTranslation('commands');
  const words = useCommandWords();
  const { verification } = row;
  const missed = isMissed(row.state);
  return (
    <span className={styles.result} data-missed={missed || undefined} data-read={read || undefined}>
      <span className={styles.mark}>
        {missed ? (
          <StateShape state="alarm" />
        ) : row.state === 'confirmed' ? (
          <Icon name="check" size={14} />
        ) : (
          <i className={styles.dot} />
        )}
      </span>
      <span>
        {words.outcome(row, read)}
        {verification === null ? null : (
          <small data-outcome={verification.outcome}>
            {t(`items.verified.${verification.outcome}`, { reading: words.reading(verification) ?? '—' })}
          </small>
        )}
      </span>
    </span>
  );
}

/** A row on a phone. */
function ItemCard({ row, read }: { row: Row; read: boolean }) {
  const { t } = useTranslation('commands');
  return (
    <li>
      <DeviceLink row={row} />
      {read ? null : <Ticks item={row} read={read} />}
      <Result row={row} read={read} />
      {read && row.reading ? (
        <>
          <span className={styles.age}>
            {t('read.age')} <RelativeTime at={row.reading.at} />
          </span>
          <MainValues row={row} />
        </>
      ) : null}
    </li>
  );
}
