import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { listNightLamps } from '../../../../../contract/light/nights.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { StateMark, type MarkState } from '../../../parts/index.ts';
import { CardLine, Cards } from '../../../parts/lists/Cards.tsx';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { useNightWords, type NightLamp, type OpenNight } from '../../../parts/nights/words.ts';
import type { Asked } from './asked.ts';
import styles from './night.module.css';

type Row = NightLamp & { readonly id: number };

/** Lamps of a night with why: those that failed, or those that a figure above asks for. */
export function Lamps({ night, address, asked }: { night: OpenNight; address: ListAddress; asked: Asked }) {
  const { t } = useTranslation('nights');
  const list = useCall(
    listNightLamps,
    { params: { day: night.day }, query: { ...asked, page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  useLive('nights', useAgain(list));
  const columns = useColumns();
  const { data } = list;
  // The same rows as long as the answer is the same: the table draws others when there is time.
  const shown = useMemo(
    () =>
      data && { data: data.data.map((row): Row => ({ ...row, id: row.deviceId })), recordsTotal: data.recordsTotal },
    [data],
  );
  return (
    <ListFrame<Row>
      name="night-lamps"
      address={address}
      columns={columns}
      list={{
        data: shown,
        error: list.error,
        isPending: list.isPending,
        isFetching: list.isFetching,
        isPlaceholderData: list.isPlaceholderData,
        refetch: list.refetch,
      }}
      texts={{ count: (n) => t('lamps.count', { n }), noMatch: t('lamps.none'), empty: t('lamps.none') }}
      tools={
        <SearchBox
          className={styles.search}
          value={address.filters['q'] ?? ''}
          label={t('lamps.search')}
          maxLength={60}
          onSearch={(q) => address.search({ ...address.filters, q })}
        />
      }
      renderCards={(rows) => <Cards rows={rows} render={(row) => <LampCard row={row} />} />}
    />
  );
}

function useColumns(): ListColumn<Row>[] {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  return useMemo(
    () => [
      { key: 'code', name: t('lamps.code'), always: true, cell: (row) => <LampLink row={row} /> },
      { key: 'name', name: t('lamps.name'), further: true, cell: (row) => row.name ?? '—' },
      { key: 'road', name: t('lamps.road'), cell: (row) => row.roadName ?? '—' },
      { key: 'area', name: t('area'), further: true, cell: (row) => row.areaName },
      { key: 'outcome', state: true, name: t('lamps.outcome'), always: true, cell: (row) => <Outcome of={row} /> },
      {
        key: 'why',
        name: t('lamps.why'),
        className: styles.why,
        cell: (row) => <Why of={row} />,
      },
      {
        key: 'step',
        name: t('lamps.step'),
        cell: words.step,
      },
      {
        key: 'observed',
        name: t('lamps.observed'),
        cell: words.observed,
      },
      {
        key: 'misses',
        name: t('lamps.misses'),
        align: 'right',
        further: true,
        cell: (row) => words.number(row.misses),
      },
    ],
    [t, words],
  );
}

/** A lamp of the night on a phone. */
function LampCard({ row }: { row: Row }) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  return (
    <>
      <LampLink row={row} />
      <Outcome of={row} />
      <CardLine>
        <Why of={row} />
      </CardLine>
      {row.stepAt === null ? null : (
        <CardLine>
          {t('lamps.step')} {words.step(row)} · {t('lamps.observed')} {words.observed(row)}
        </CardLine>
      )}
      {row.roadName === null ? null : <CardLine>{row.roadName}</CardLine>}
    </>
  );
}

const marks: Readonly<Record<NightLamp['outcome'], MarkState>> = {
  ran: 'on',
  diverged: 'alarm',
  away: 'offline',
  silent: 'unknown',
  plannedDark: 'off',
  notJudged: 'unknown',
  dark: 'degraded',
};

function Outcome({ of: { outcome } }: { of: Row }) {
  const words = useNightWords();
  return <StateMark state={marks[outcome]} word={words.outcome(outcome)} />;
}

function Why({ of }: { of: Row }) {
  const words = useNightWords();
  return (
    <>
      {of.reason === null ? '—' : words.reason(of.reason)} <small>{words.detail(of)}</small>
    </>
  );
}

/** The lamp's page, with why at the step that it missed. */
function LampLink({ row }: { row: Row }) {
  const at = row.readingAt ?? row.stepAt;
  const past = row.outcome === 'dark' ? null : at;
  return (
    <PageLink
      to="lamp/device"
      options={{
        params: { id: row.deviceId },
        ...(past === null ? {} : { search: `?whyAt=${encodeURIComponent(past)}` }),
      }}
    >
      <span className="code">{row.code}</span>
    </PageLink>
  );
}
