import { Button } from 'antd';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { exportPublications } from '../../../../../contract/desk/exports.ts';
import { listPublications, publicationPhases } from '../../../../../contract/light/publications.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen, usePageExists, usePageKeys, usePermission } from '../../../frame/index.ts';
import { Icon, Page, PageBar, RelativeTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { LampBar } from '../../../parts/publishing/LampBar.tsx';
import { PhaseMark } from '../../../parts/publishing/PhaseMark.tsx';
import { usePublicationWords, type Publication } from '../../../parts/publishing/words.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { ExportMenu } from '../../../parts/tasks/ExportMenu.tsx';
import { inPreview } from '../../../session/index.ts';
import styles from './publications.module.css';

const filterKeys = ['q', 'state'] as const;
/** The live line tells sooner. */
const everyMs = 15_000;

const queryOf = ({ q, state = '' }: Readonly<Record<string, string>>) => {
  const phases = publicationPhases.filter((one) => state.split(',').includes(one));
  return { ...(q === undefined ? {} : { q }), ...(phases.length === 0 ? {} : { state: phases.join(',') }) };
};

/** Publications, newest first and live: what is published to how many lamps, and how many have proven it. */
export default function Publications() {
  const { t } = useTranslation('publishing');
  const open = useOpen();
  const exists = usePageExists();
  const words = usePublicationWords();
  const address = useListAddress(filterKeys);
  const may = usePermission('plan.publish') && exists('lamp/publish') && !inPreview();
  const filters = queryOf(address.filters);
  const list = useCall(
    listPublications,
    {
      query: { ...filters, page: address.page, size: address.size },
    },
    { keepPrevious: true, staleTime: 0, every: everyMs },
  );
  useLive('publications', useAgain(list));
  const begin = (): void => open('lamp/publish');
  usePageKeys({ P: () => (may ? begin() : false) });
  const fields = useMemo(
    () => [
      { key: 'q', label: t('search.q') },
      searchField({
        key: 'state',
        label: t('list.phase'),
        type: 'select',
        multiple: true,
        options: publicationPhases.map((one) => ({ itemName: t(`phase.${one}`), itemValue: one })),
      }),
    ],
    [t],
  );
  return (
    <Page list>
      <PageBar title={t('title')} note={t('note')} />
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <ListFrame<Publication>
        name="publications"
        list={list}
        address={address}
        queryOf={queryOf}
        columns={columnsOf(t, words.scope)}
        ofProjects
        onOpen={({ id }) => open('lamp/publication', { params: { id } })}
        texts={{
          count: (n) => t('list.count', { n }),
          failed: t('list.failed'),
          noMatch: t('list.noMatch'),
          empty: t('list.empty'),
          emptyText: t('list.emptyText'),
        }}
        {...(may ? { first: { text: t('publish'), onClick: begin } } : {})}
        tools={
          <>
            {may ? (
              <Button type="primary" icon={<Icon name="upload" size={14} />} title={t('publish.key')} onClick={begin}>
                {t('publish')}
              </Button>
            ) : null}
            <ExportMenu
              call={exportPublications}
              body={(format) => ({ format, ...filters })}
              empty={list.data?.recordsTotal === 0}
            />
          </>
        }
        renderCards={(rows) => (
          <ul className={styles.cards}>
            {rows.map((row) => (
              <li key={row.id}>
                <PublicationTitle of={row} />
                <PhaseMark of={row} />
                <span className={styles.line}>{words.scope(row)}</span>
                <Progress of={row} />
                <span className={styles.line}>
                  {row.actorName} · <RelativeTime at={row.createdAt} />
                  {row.reason === null ? '' : ` · ${row.reason}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      />
    </Page>
  );
}

const columnsOf = (t: TFunction<'publishing'>, scope: (of: Publication) => string): ListColumn<Publication>[] => [
  {
    key: 'what',
    name: t('list.what'),
    always: true,
    className: styles.what,
    cell: (row) => <PublicationTitle of={row} />,
  },
  { key: 'phase', state: true, name: t('list.phase'), cell: (row) => <PhaseMark of={row} /> },
  { key: 'scope', name: t('facts.scope'), className: styles.scope, cell: scope },
  { key: 'progress', name: t('list.progress'), cell: (row) => <Progress of={row} /> },
  { key: 'from', name: t('facts.from'), cell: (row) => row.effectiveFrom },
  { key: 'actor', name: t('list.actor'), cell: (row) => row.actorName },
  { key: 'time', name: t('list.time'), cell: (row) => <RelativeTime at={row.createdAt} /> },
  { key: 'reason', name: t('facts.reason'), further: true, className: styles.scope, cell: (row) => row.reason ?? '—' },
];

/** What it is called and its number: opens its page. */
function PublicationTitle({ of }: { of: Publication }) {
  const open = useOpen();
  const words = usePublicationWords();
  return (
    <button type="button" className={styles.link} onClick={() => open('lamp/publication', { params: { id: of.id } })}>
      {words.title(of)} <small>#{of.id}</small>
    </button>
  );
}

/** How far it got: the bar, how many of how many are proven, and how many do otherwise. */
function Progress({ of: { states, total } }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const { number } = usePublicationWords();
  const diverged = states['diverged'] ?? 0;
  return (
    <span className={styles.progress}>
      <LampBar states={states} />
      <span>
        {t('list.proven', { n: number(states['proven'] ?? 0), total: number(total) })}
        {diverged > 0 ? <b> {t('list.diverged', { n: number(diverged) })}</b> : null}
      </span>
    </span>
  );
}
