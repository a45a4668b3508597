import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { listNightLamps } from '../../../../../contract/light/nights.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { NightLink } from '../../../parts/nights/NightLink.tsx';
import { useNightWords, type NightLamp, type OpenNight } from '../../../parts/nights/words.ts';
import { askedOf } from './asked.ts';
import styles from './night.module.css';

type Row = NightLamp & { readonly id: number };

/** Lamps of a night with why: those that failed, or those that a figure above asks for. */
export function Lamps({ night, address }: { night: OpenNight; address: ListAddress }) {
  const { t } = useTranslation('nights');
  const asked = askedOf(address.filters);
  const list = useCall(
    listNightLamps,
    { params: { day: night.day }, query: { ...asked, page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  useLive('nights', useAgain(list));
  const columns = useColumns();
  const rows = list.data?.data.map((row): Row => ({ ...row, id: row.deviceId }));
  return (
    <ListFrame<Row>
      name="night-lamps"
      address={address}
      columns={columns}
      list={{
        data: rows && list.data && { data: rows, recordsTotal: list.data.recordsTotal },
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
    />
  );
}

function useColumns(): ListColumn<Row>[] {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const time = useTime();
  return useMemo(
    () => [
      { key: 'code', name: t('lamps.code'), always: true, cell: (row) => <LampLink row={row} /> },
      { key: 'name', name: t('lamps.name'), further: true, cell: (row) => row.name ?? '—' },
      { key: 'road', name: t('lamps.road'), cell: (row) => row.roadName ?? '—' },
      { key: 'area', name: t('area'), further: true, cell: (row) => row.areaName },
      { key: 'outcome', name: t('lamps.outcome'), always: true, cell: (row) => words.outcome(row.outcome) },
      {
        key: 'why',
        name: t('lamps.why'),
        className: styles.why,
        cell: (row) => (
          <>
            {row.reason === null ? '—' : words.reason(row.reason)} <small>{words.detail(row)}</small>
          </>
        ),
      },
      {
        key: 'step',
        name: t('lamps.step'),
        cell: (row) => (row.stepAt === null ? '—' : `${time(row.stepAt, 'dayTime')} ${words.level(row.expected ?? 0)}`),
      },
      {
        key: 'observed',
        name: t('lamps.observed'),
        cell: (row) => (row.observed === null ? '—' : `${words.level(row.observed)} ${time(row.readingAt, 'dayTime')}`),
      },
      {
        key: 'misses',
        name: t('lamps.misses'),
        align: 'right',
        further: true,
        cell: (row) => words.number(row.misses),
      },
    ],
    [t, words, time],
  );
}

/** The lamp's page, with why at the step that it missed. */
function LampLink({ row }: { row: Row }) {
  const at = row.readingAt ?? row.stepAt;
  const past = row.outcome === 'dark' ? null : at;
  return (
    <NightLink
      to="lamp/device"
      options={{
        params: { id: row.deviceId },
        ...(past === null ? {} : { search: `?whyAt=${encodeURIComponent(past)}` }),
      }}
    >
      <span className="code">{row.code}</span>
    </NightLink>
  );
}
