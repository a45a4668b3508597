import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { listNights } from '../../../../../contract/light/nights.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen } from '../../../frame/index.ts';
import { Page, PageBar, useFirstStep, useTime } from '../../../parts/index.ts';
import { CardLine, Cards } from '../../../parts/lists/Cards.tsx';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { failedOf, useNightWords, type NightRow } from '../../../parts/nights/words.ts';

type Row = NightRow & { readonly id: number };
const filterKeys = [] as const;
/** The live line tells sooner. */
const everyMs = 60_000;

/** Nights (每晚核验), the latest first: who ran the plan, and who was expected not to light. */
export default function Nights() {
  const { t } = useTranslation('nights');
  const address = useListAddress(filterKeys);
  const list = useCall(
    listNights,
    { query: { page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0, every: everyMs },
  );
  useLive('nights', useAgain(list));
  const columns = useColumns();
  const open = useOpen();
  const { action } = useFirstStep();
  const { data } = list;
  // The same rows as long as the answer is the same: the table draws others when there is time.
  const shown = useMemo(
    () =>
      data && {
        data: data.data.map((row): Row => ({ ...row, id: Number(row.day.replaceAll('-', '')) })),
        recordsTotal: data.recordsTotal,
      },
    [data],
  );
  return (
    <Page list>
      <PageBar title={t('title')} note={t('note')} />
      <ListFrame<Row>
        name="nights"
        list={{
          data: shown,
          error: list.error,
          isPending: list.isPending,
          isFetching: list.isFetching,
          isPlaceholderData: list.isPlaceholderData,
          refetch: list.refetch,
        }}
        address={address}
        columns={columns}
        onOpen={({ day }) => open('lamp/night', { params: { day } })}
        ofProjects
        {...(action ? { first: action } : {})}
        texts={{
          count: (n) => t('list.count', { n }),
          failed: t('list.notLoaded'),
          noMatch: t('list.empty'),
          empty: t('list.empty'),
          emptyText: t('list.emptyText'),
        }}
        renderCards={(rows) => <Cards rows={rows} render={(row) => <NightCard row={row} />} />}
      />
    </Page>
  );
}

/** A night on a phone. */
function NightCard({ row }: { row: Row }) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const { day, report, counts } = row;
  return (
    <>
      <PageLink to="lamp/night" options={{ params: { day } }}>
        {words.day(day)}
      </PageLink>
      {report === 'done' && failedOf(counts) > 0 ? (
        <b>{t('tonight.failed', { n: words.number(failedOf(counts)) })}</b>
      ) : null}
      <CardLine>{report === 'done' ? words.ran(counts) : t(`report.${report}`)}</CardLine>
      <CardLine>
        {t('rehearsal')} · <RehearsalLink row={row} />
      </CardLine>
    </>
  );
}

/** Who was expected not to light, and the list of them; before there is one, where the rehearsal stands. */
function RehearsalLink({ row }: { row: Row }) {
  const words = useNightWords();
  const { day, rehearsal } = row;
  return words.isListed(rehearsal) ? (
    <PageLink to="lamp/night" options={{ params: { day }, search: '?part=rehearsal' }}>
      {words.dark(rehearsal)}
    </PageLink>
  ) : (
    words.phase(row)
  );
}

function useColumns(): ListColumn<Row>[] {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const time = useTime();
  return useMemo(
    () => [
      {
        key: 'day',
        name: t('list.day'),
        always: true,
        cell: (row) => (
          <PageLink to="lamp/night" options={{ params: { day: row.day } }}>
            {words.day(row.day)}
          </PageLink>
        ),
      },
      {
        key: 'report',
        name: t('report'),
        cell: (row) => (row.report === 'done' ? words.ran(row.counts) : t(`report.${row.report}`)),
      },
      {
        key: 'failed',
        name: t('list.failed'),
        align: 'right',
        cell: (row) =>
          row.report === 'done' && failedOf(row.counts) > 0 ? (
            <PageLink to="lamp/night" options={{ params: { day: row.day } }}>
              {words.number(failedOf(row.counts))}
            </PageLink>
          ) : row.report === 'done' ? (
            '0'
          ) : (
            '—'
          ),
      },
      {
        key: 'rehearsal',
        name: t('rehearsal'),
        cell: (row) => <RehearsalLink row={row} />,
      },
      { key: 'areas', name: t('areas'), align: 'right', further: true, cell: (row) => words.number(row.areas) },
      { key: 'at', name: t('list.at'), further: true, cell: (row) => time(row.reportedAt, 'dayTime') },
    ],
    [t, words, time],
  );
}
