import { Select } from 'antd';
import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { families } from '../../../../../catalogue/families/index.ts';
import type { Names } from '../../../../../catalogue/names.ts';
import { listNewcomers } from '../../../../../contract/wires/provisioning.ts';
import { call, useAgain, useCall, useLive } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { RelativeTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { useClaims } from './ClaimSeveral.tsx';
import { plainAddress, type Batch, type Newcomer } from './newcomer.ts';
import { NewcomerDrawer } from './NewcomerDrawer.tsx';
import { State } from './State.tsx';
import styles from './inbox.module.css';

const filterKeys = ['state', 'batchId', 'family', 'q'] as const;
const states = ['waiting', 'claimed', 'blocked'] as const;
/** Asked again so often; the live line tells sooner. */
const everyMs = 15_000;

/** What of an address is asked of the server: those that wait, unless told otherwise. */
function queryOf(filters: Readonly<Record<string, string>>) {
  const batchId = Number(filters['batchId']);
  return {
    ...(filters['state'] === 'all'
      ? {}
      : { state: states.find((one) => one === filters['state']) ?? ('waiting' as const) }),
    ...(batchId > 0 && Number.isSafeInteger(batchId) ? { batchId } : {}),
    ...(filters['family'] === undefined ? {} : { family: filters['family'] }),
    ...(filters['q'] === undefined ? {} : { q: filters['q'] }),
  };
}

interface Control {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}
const stateInput = (control: Control): ReactNode => <StateChoice {...control} />;

/** Nothing chosen means those that wait. */
function StateChoice({ id, value, onChange }: Control) {
  const { t } = useTranslation('provisioning');
  return (
    <Select
      id={id}
      value={value === '' ? 'waiting' : value}
      options={[...states, 'all' as const].map((key) => ({ value: key, label: t(`state.${key}`) }))}
      onChange={(next) => onChange(next === 'waiting' ? '' : next)}
    />
  );
}

const columnsOf = (
  t: TFunction<'provisioning'>,
  names: Names,
  onOpen: (one: Newcomer) => void,
): ListColumn<Newcomer>[] => [
  {
    key: 'serial',
    name: t('list.serial'),
    always: true,
    cell: (one) => (
      <button type="button" className={`${styles.link} code`} onClick={() => onOpen(one)}>
        {one.serial}
      </button>
    ),
  },
  { key: 'state', state: true, name: t('list.state'), cell: (one) => <State one={one} /> },
  {
    key: 'family',
    name: t('list.family'),
    hint: t('list.familyHint'),
    cell: (one) => (one.family === null ? t('list.familyUnknown') : names.family(one.family)),
  },
  { key: 'model', name: t('list.model'), cell: (one) => [one.model, one.firmware].filter(Boolean).join(' · ') || '—' },
  { key: 'batch', name: t('list.batch'), cell: (one) => one.batchName },
  { key: 'work', name: t('list.work'), cell: (one) => one.workName },
  { key: 'messages', name: t('list.messages'), align: 'right', cell: (one) => one.messages },
  { key: 'lastAt', name: t('list.lastAt'), cell: (one) => <RelativeTime at={one.lastAt} /> },
  { key: 'firstAt', name: t('list.firstAt'), further: true, cell: (one) => <RelativeTime at={one.firstAt} /> },
  {
    key: 'address',
    name: t('list.address'),
    further: true,
    cell: (one) => <span className="code">{plainAddress(one.address)}</span>,
  },
  { key: 'device', name: t('list.device'), further: true, cell: (one) => one.deviceCode ?? '—' },
];

/** The list of newcomers, live; one opens beside it. */
export function NewcomerList({ batches }: { batches: readonly Batch[] }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const [, setParams] = useSearchParams();
  const address = useListAddress(filterKeys);
  const query = queryOf(address.filters);
  const list = useCall(
    listNewcomers,
    { query: { ...query, page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0, every: everyMs },
  );
  useLive('inbox', useAgain(list));
  const open = (one: Newcomer): void => address.show({ open: one.id });
  const fields = useMemo(() => {
    const option = (itemValue: string, itemName: string) => ({ itemValue, itemName });
    return [
      searchField({ key: 'q', label: t('search.q'), type: 'text' }),
      {
        key: 'state',
        label: t('list.state'),
        input: stateInput,
      },
      searchField({
        key: 'batchId',
        label: t('list.batch'),
        type: 'select',
        options: batches.map(({ id, name }) => option(String(id), name)),
      }),
      searchField({
        key: 'family',
        label: t('list.family'),
        type: 'select',
        options: families.filter((family) => family.report !== null).map(({ key }) => option(key, names.family(key))),
      }),
    ];
  }, [t, names, batches]);
  const actions = useClaims();
  const toBatches = (): void => setParams({ view: 'batches' });
  return (
    <>
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <ListFrame<Newcomer>
        name="newcomers"
        list={list}
        address={address}
        queryOf={queryOf}
        columns={columnsOf(t, names, open)}
        texts={{
          count: (n) => t('list.count', { n }),
          noMatch: t('list.noMatch'),
          empty: batches.length === 0 ? t('list.noBatch') : t('list.empty'),
          emptyText: batches.length === 0 ? t('list.noBatchText') : t('list.emptyText'),
        }}
        peek={{ id: address.open, show: open }}
        first={{ text: t('list.toBatches'), onClick: toBatches }}
        batch={{
          nameOf: (one) => one.serial,
          actions,
          page: async (page, size) =>
            (await call(listNewcomers, { query: { ...query, page, size } }, { quiet: true })).data,
          refreshes: [listNewcomers],
        }}
        renderCards={(rows, check) => (
          <ul className={styles.cards}>
            {rows.map((one) => (
              <NewcomerCard key={one.id} one={one} check={check(one)} onOpen={() => open(one)} />
            ))}
          </ul>
        )}
      />
      <NewcomerDrawer id={address.open} onClose={() => address.show({})} />
    </>
  );
}

/** A row of the list on a phone. */
function NewcomerCard({ one, check, onOpen }: { one: Newcomer; check: ReactNode; onOpen: () => void }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  return (
    <li className={styles.card}>
      {check}
      <button type="button" className={`${styles.link} code`} onClick={onOpen}>
        {one.serial}
      </button>
      <State one={one} />
      <span className={styles.cardLine}>
        {one.family === null ? t('list.familyUnknown') : names.family(one.family)} · {one.batchName} ·{' '}
        <RelativeTime at={one.lastAt} />
      </span>
    </li>
  );
}
