import type { UseQueryResult } from '@tanstack/react-query';
import { Checkbox, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { exportPublicationLamps } from '../../../../../contract/desk/exports.ts';
import type { BodyOf } from '../../../../../contract/route.ts';
import type { ApiError } from '../../../api/index.ts';
import { useTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { LampDot } from '../../../parts/publishing/LampBar.tsx';
import { ExportMenu } from '../../../parts/tasks/ExportMenu.tsx';
import { usePublicationWords, type Phase, type PublicationLamp } from '../../../parts/publishing/words.ts';
import type { OpenPublication } from './index.tsx';
import styles from './publication.module.css';

type Row = PublicationLamp & { readonly id: number; readonly phase: Phase };

const missed: ReadonlySet<string> = new Set(['diverged', 'away', 'cannot']);

/** What every lamp proved, those with something to look at first: narrowed by the figures and roads above, and by text. */
export function Lamps({
  answer,
  address,
  asked,
}: {
  answer: UseQueryResult<OpenPublication, ApiError>;
  address: ListAddress;
  /** What the list is narrowed by; the file has the same. */
  asked: Omit<BodyOf<typeof exportPublicationLamps>, 'format' | 'publicationId'>;
}) {
  const { t } = useTranslation('publishing');
  const { data } = answer;
  const rows = data?.items.map((item): Row => ({ ...item, id: item.deviceId, phase: data.phase }));
  const road = data?.roads.find(({ roadId }) => String(roadId) === address.filters.road)?.name;
  return (
    <ListFrame<Row>
      name="publication-lamps"
      address={address}
      columns={columnsOf(t)}
      list={{
        data: rows && data && { data: rows, recordsTotal: data.recordsTotal },
        error: answer.error,
        isPending: answer.isPending,
        isFetching: answer.isFetching,
        isPlaceholderData: answer.isPlaceholderData,
        refetch: answer.refetch,
      }}
      texts={{ count: (n) => t('lamps.count', { n }), noMatch: t('lamps.noMatch'), empty: t('lamps.none') }}
      tools={
        <>
          {data ? (
            <ExportMenu
              call={exportPublicationLamps}
              body={(format) => ({ format, publicationId: data.id, ...asked })}
            />
          ) : null}
          {typeof road === 'string' ? (
            <Tag
              className={styles.tag ?? ''}
              closable={{ 'aria-label': t('roads.clear', { name: road }) }}
              onClose={(event) => {
                event.preventDefault();
                address.search({ ...address.filters, road: '' });
              }}
            >
              {road}
            </Tag>
          ) : null}
          {data?.canary ? (
            <Checkbox
              className={styles.canary ?? ''}
              checked={address.filters.canary === 'true'}
              onChange={(event) => address.search({ ...address.filters, canary: event.target.checked ? 'true' : '' })}
            >
              {t('lamps.canaryOnly')}
            </Checkbox>
          ) : null}
          <SearchBox
            className={styles.search}
            value={address.filters.q ?? ''}
            label={t('lamps.search')}
            maxLength={60}
            onSearch={(q) => address.search({ ...address.filters, q })}
          />
        </>
      }
      renderCards={(shown) => (
        <ul className={styles.cards}>
          {shown.map((row) => (
            <li key={row.id}>
              <LampLink row={row} />
              <State row={row} />
              <Why row={row} />
              {row.roadName === null ? null : <small>{row.roadName}</small>}
            </li>
          ))}
        </ul>
      )}
    />
  );
}

const columnsOf = (t: TFunction<'publishing'>): ListColumn<Row>[] => [
  { key: 'code', name: t('lamps.code'), always: true, cell: (row) => <LampLink row={row} /> },
  { key: 'name', name: t('lamps.name'), further: true, cell: (row) => row.name ?? '—' },
  { key: 'road', name: t('roads.road'), cell: (row) => row.roadName ?? '—' },
  { key: 'state', state: true, name: t('lamps.state'), always: true, cell: (row) => <State row={row} /> },
  { key: 'why', name: t('lamps.why'), className: styles.why, cell: (row) => <Why row={row} /> },
  { key: 'told', name: t('lamps.told'), further: true, cell: (row) => <At at={row.toldAt} /> },
  { key: 'reported', name: t('lamps.reported'), further: true, cell: (row) => <At at={row.reportedAt} /> },
  { key: 'proven', name: t('lamps.proven'), further: true, cell: (row) => <At at={row.provenAt} /> },
  { key: 'heard', name: t('lamps.heard'), further: true, cell: (row) => <At at={row.heardAt} /> },
  {
    key: 'hash',
    name: t('lamps.hash'),
    further: true,
    cell: (row) => <code className="code">{row.reportedHash ?? '—'}</code>,
  },
  { key: 'canary', name: t('facts.canary'), further: true, cell: (row) => (row.canary ? t('lamps.canary') : '—') },
];

function At({ at }: { at: string | null }) {
  const time = useTime();
  return <>{time(at, 'dayTime')}</>;
}

/** The lamp's code, and its page where the account has it. */
function LampLink({ row: { deviceId, code } }: { row: Row }) {
  return (
    <PageLink to="lamp/device" options={{ params: { id: deviceId } }}>
      <span className="code">{code}</span>
    </PageLink>
  );
}

function State({ row }: { row: Row }) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  return (
    <span className={styles.state} data-missed={missed.has(row.state) || undefined}>
      <LampDot state={row.state} />
      {words.state(row.state)}
      {row.canary ? <small>{t('lamps.canary')}</small> : null}
    </span>
  );
}

function Why({ row }: { row: Row }) {
  const words = usePublicationWords();
  return <span className={styles.reason}>{words.why(row, row.phase)}</span>;
}
