import { useTranslation } from 'react-i18next';
import { useDeviceAddress, useOpen } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useConnectionWords, type Entry } from '../../../parts/connections/words.ts';
import { Lasted } from '../../../parts/episodes/Lasted.tsx';
import { markOf } from '../../../parts/episodes/words.ts';
import { formatNumber, StateMark, useTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import styles from './connections.module.css';

/** A device by its code; opens its page where there is one. */
function Code({ of }: { of: { readonly id: number; readonly family: string; readonly code: string } }) {
  const open = useOpen();
  const page = useDeviceAddress()(of.family, of.id);
  return page === undefined ? (
    <span className="code">{of.code}</span>
  ) : (
    <button type="button" className={`${styles.link} code`} onClick={() => open(page)}>
      {of.code}
    </button>
  );
}

function Kind({ row }: { row: Entry }) {
  const words = useConnectionWords();
  return <StateMark state={markOf(row)} word={words.kind(row.kind)} />;
}

/** When it ended; going on is said in words. */
function Ended({ row }: { row: Entry }) {
  const { t } = useTranslation('connections');
  const time = useTime();
  return row.endedAt === null ? (
    <span className={styles.open}>{t('open.true')}</span>
  ) : (
    <span className="num">{time(row.endedAt, 'dateTime')}</span>
  );
}

export function useColumns(): ListColumn<Entry>[] {
  const { t, i18n } = useTranslation('connections');
  const names = useNames();
  const words = useConnectionWords();
  const time = useTime();
  const now = Date.now();
  const { short } = styles;
  return [
    {
      key: 'beganAt',
      name: t('column.began'),
      className: short,
      always: true,
      cell: (row) => <span className="num">{time(row.beganAt, 'dateTime')}</span>,
    },
    {
      key: 'device',
      name: t('column.device'),
      className: short,
      always: true,
      cell: (row) => <Code of={row.device} />,
    },
    { key: 'family', name: t('filter.family'), cell: (row) => names.family(row.device.family) },
    { key: 'kind', state: true, name: t('column.kind'), className: short, cell: (row) => <Kind row={row} /> },
    { key: 'reason', name: t('column.reason'), className: styles.reason, cell: (row) => words.reason(row.reason) },
    { key: 'endedAt', name: t('column.ended'), className: short, cell: (row) => <Ended row={row} /> },
    {
      key: 'seconds',
      name: t('column.seconds'),
      className: short,
      align: 'right',
      cell: (row) => (row.seconds === 0 ? '—' : words.lasted(row, now)),
    },
    {
      key: 'times',
      name: t('column.times'),
      className: short,
      align: 'right',
      cell: (row) => formatNumber(row.times, i18n.language, 0),
    },
    {
      key: 'via',
      name: t('column.via'),
      className: short,
      cell: (row) => (row.via === null ? '—' : <Code of={row.via} />),
    },
    { key: 'area', name: t('column.area'), cell: (row) => row.device.workAreaName },
    { key: 'road', name: t('column.road'), cell: (row) => row.device.roadName ?? '—' },
    {
      key: 'address',
      name: t('column.address'),
      className: short,
      cell: (row) => <span className="code">{row.address ?? '—'}</span>,
    },
    { key: 'name', name: t('column.name'), further: true, cell: (row) => row.device.name ?? '—' },
    {
      key: 'noticedAt',
      name: t('column.noticed'),
      further: true,
      className: short,
      cell: (row) => <span className="num">{time(row.noticedAt, 'dateTime')}</span>,
    },
  ];
}

/** The same on a phone: one card a row. */
export function Cards({ rows }: { rows: readonly Entry[] }) {
  const names = useNames();
  const words = useConnectionWords();
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <div className={styles.cardHead}>
            <Kind row={row} />
          </div>
          <b>{words.reason(row.reason)}</b>
          <div className={styles.cardFoot}>
            <Code of={row.device} />
            <span>{names.family(row.device.family)}</span>
            {row.via === null ? null : <Code of={row.via} />}
          </div>
          <div className={styles.cardFoot}>
            <Lasted of={row} />
          </div>
        </li>
      ))}
    </ul>
  );
}
