import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { approvalOutcomes } from '../../../../../contract/light/commands.ts';
import { listExceptions } from '../../../../../contract/light/exceptions.ts';
import { listPublications } from '../../../../../contract/light/publications.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import styles from '../../../parts/commands/task-list.module.css';
import { useExceptionWords, type Exception } from '../../../parts/exceptions/words.ts';
import { RelativeTime, StateMark, useTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { useListAddress, type ListAddress } from '../../../parts/lists/use-list-address.ts';
import { usePublicationWords, type Publication } from '../../../parts/publishing/words.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';

export const decided = approvalOutcomes.filter((outcome) => outcome !== 'pending');
export const allDecided = decided.join(',');

const filterKeys = ['approval', 'q'] as const;
const everyMs = 30_000;
const conditionsOf = ({ approval = allDecided, q }: ListAddress['filters']) => ({
  approval,
  ...(q === undefined ? {} : { q }),
});
const queryOf = ({ filters, page, size }: ListAddress) => ({ ...conditionsOf(filters), page, size });

/** Publications that a second person decided about, or nobody in time; newest first. */
export function DecidedPublications() {
  const { t } = useTranslation('publishing');
  const address = useListAddress(filterKeys);
  const list = useCall(listPublications, { query: queryOf(address) }, { keepPrevious: true, every: everyMs });
  useLive('publications', useAgain(list));
  const words = usePublicationWords();
  return (
    <Decided<Publication>
      name="decided-publications"
      search={t('search.q')}
      {...{ address, list }}
      title={publicationTitle}
      scope={words.scope}
    />
  );
}

/** Exceptions that a second person decided about, or nobody in time; newest first. */
export function DecidedExceptions() {
  const { t } = useTranslation('exceptions');
  const address = useListAddress(filterKeys);
  const list = useCall(listExceptions, { query: queryOf(address) }, { keepPrevious: true, every: everyMs });
  useLive('plans', useAgain(list));
  const words = useExceptionWords();
  return (
    <Decided<Exception>
      name="decided-exceptions"
      search={t('search.q')}
      {...{ address, list }}
      title={(row) => `${words.effect(row)} · ${words.when(row)}`}
      scope={words.scope}
    />
  );
}

const publicationTitle = (of: Publication): ReactNode => <PublicationLink of={of} />;

function PublicationLink({ of }: { of: Publication }) {
  const open = useOpen();
  const words = usePublicationWords();
  const title = (
    <>
      {words.title(of)} <small>#{of.id}</small>
    </>
  );
  return usePageExists()('lamp/publication') ? (
    <button type="button" className={styles.link} onClick={() => open('lamp/publication', { params: { id: of.id } })}>
      {title}
    </button>
  ) : (
    <span>{title}</span>
  );
}

type Row = Pick<Publication, 'id' | 'actorName' | 'createdAt' | 'reason' | 'approval'>;
type Words<Of> = { title: (row: Of) => ReactNode; scope: (row: Of) => string };

function Decided<Of extends Row>({
  name,
  search,
  address,
  list,
  title,
  scope,
}: {
  name: string;
  search: string;
  address: ListAddress;
  list: Parameters<typeof ListFrame<Of>>[0]['list'];
} & Words<Of>) {
  const { t } = useTranslation('commands');
  const fields = useMemo(
    () => [
      searchField({
        key: 'approval',
        label: t('approvals.outcome'),
        type: 'select',
        multiple: true,
        options: decided.map((outcome) => ({ itemValue: outcome, itemName: t(`outcome.${outcome}`) })),
      }),
      { key: 'q', label: search },
    ],
    [t, search],
  );
  return (
    <>
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <ListFrame<Of>
        name={name}
        list={list}
        address={address}
        queryOf={conditionsOf}
        columns={columnsOf<Of>(t, { title, scope })}
        texts={{
          count: (n) => t('list.count', { n }),
          noMatch: t('list.noMatch'),
          empty: t('approvals.noneDecided'),
          emptyText: t('approvals.decidedText'),
        }}
        renderCards={(rows) => (
          <ul className={styles.cards}>
            {rows.map((row) => (
              <li key={row.id}>
                {title(row)}
                <Outcome of={row} />
                <span className={styles.cardLine}>{scope(row)}</span>
                <span className={styles.cardLine}>
                  {row.actorName} · <RelativeTime at={row.createdAt} />
                  {row.reason === null ? '' : ` · ${row.reason}`}
                </span>
                <span className={styles.cardLine}>
                  {row.approval?.decision?.by ?? ''} <At of={row} />
                </span>
              </li>
            ))}
          </ul>
        )}
      />
    </>
  );
}

function Outcome({ of: { approval } }: { of: Row }) {
  const { t } = useTranslation('commands');
  return approval === null ? null : (
    <StateMark state={approval.outcome === 'agreed' ? 'on' : 'offline'} word={t(`outcome.${approval.outcome}`)} />
  );
}

/** When it was decided; of what expired its end. */
function At({ of: { approval } }: { of: Row }) {
  const time = useTime();
  return <>{time(approval?.decision?.at ?? approval?.expiresAt ?? null, 'dateTime')}</>;
}

const columnsOf = <Of extends Row>(t: TFunction<'commands'>, { title, scope }: Words<Of>): ListColumn<Of>[] => [
  { key: 'what', name: t('list.what'), always: true, cell: title },
  { key: 'outcome', state: true, name: t('approvals.outcome'), cell: (row) => <Outcome of={row} /> },
  { key: 'target', name: t('list.target'), className: styles.target, cell: scope },
  { key: 'asker', name: t('approvals.asker'), cell: (row) => row.actorName },
  { key: 'asked', name: t('approvals.asked'), cell: (row) => <RelativeTime at={row.createdAt} /> },
  { key: 'reason', name: t('reason'), className: styles.target, cell: (row) => row.reason ?? '—' },
  { key: 'by', name: t('approvals.by'), cell: (row) => row.approval?.decision?.by ?? '—' },
  { key: 'at', name: t('approvals.at'), cell: (row) => <At of={row} /> },
  {
    key: 'why',
    name: t('approvals.why'),
    className: styles.target,
    cell: (row) => row.approval?.decision?.reason ?? '—',
  },
];
