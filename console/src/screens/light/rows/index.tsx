import { Button } from 'antd';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { listRowRoads } from '../../../../../contract/light/rows.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { useTabTitle } from '../../../frame/index.ts';
import { formatNumber, Page, PageBar, useFirstStep } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import { useListAddress, type ListAddress } from '../../../parts/lists/use-list-address.ts';
import { RoadOf } from './RoadOf.tsx';
import styles from './rows.module.css';

type Road = ReplyOf<typeof listRowRoads>['data'][number];
const filterKeys = ['q'] as const;

/** 灯序: the roads with how far their poles are in rows, and the rows of one road. */
export default function LampRows() {
  const { t } = useTranslation('rows');
  const address = useListAddress(filterKeys);
  useTabTitle(t('title'));
  return (
    <Page list={address.open === null}>
      {address.open === null ? (
        <>
          <PageBar title={t('title')} note={t('note')} />
          <RoadList address={address} />
        </>
      ) : (
        <RoadOf key={address.open} id={address.open} onClose={() => address.show({})} />
      )}
    </Page>
  );
}

function RoadName({ road: { id, name }, open }: { road: Road; open: (id: number) => void }) {
  return (
    <Button type="link" className={styles.road ?? ''} onClick={() => open(id)}>
      {name}
    </Button>
  );
}

function columnsOf(
  t: TFunction<'rows'>,
  number: (n: number) => string,
  open: (id: number) => void,
): ListColumn<Road>[] {
  return [
    { key: 'name', name: t('road'), always: true, cell: (road) => <RoadName road={road} open={open} /> },
    { key: 'code', name: t('code'), cell: (road) => <span className="code">{road.code}</span> },
    { key: 'poles', name: t('poles'), align: 'right', cell: (road) => number(road.poles) },
    { key: 'placed', name: t('placed'), align: 'right', cell: (road) => number(road.placed) },
    { key: 'unplaced', name: t('unplaced'), align: 'right', cell: (road) => number(road.unplaced) },
    { key: 'byHand', name: t('byHand'), align: 'right', cell: (road) => number(road.byHand) },
  ];
}

function RoadList({ address }: { address: ListAddress }) {
  const { t, i18n } = useTranslation('rows');
  const { q } = address.filters;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const list = useCall(
    listRowRoads,
    { query: { ...(q === undefined ? {} : { q }), page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  const { action } = useFirstStep();
  const open = (id: number) => address.show({ open: id });
  const columns = columnsOf(t, number, open);
  return (
    <ListFrame<Road>
      name="row-roads"
      list={list}
      address={address}
      columns={columns}
      onOpen={({ id }) => open(id)}
      texts={{
        count: (n) => t('count', { n }),
        failed: t('failed'),
        noMatch: t('noMatch'),
        empty: t('empty'),
        emptyText: t('emptyText'),
      }}
      {...(action ? { first: action } : {})}
      tools={
        <SearchBox
          className={styles.search}
          value={q ?? ''}
          label={t('search')}
          maxLength={60}
          onSearch={(text) => address.search({ q: text })}
        />
      }
      renderCards={(roads) => (
        <ul className={styles.cards}>
          {roads.map((road) => (
            <li key={road.id}>
              <RoadName road={road} open={open} />
              <span>{t('card', { poles: number(road.poles), unplaced: number(road.unplaced) })}</span>
            </li>
          ))}
        </ul>
      )}
    />
  );
}
