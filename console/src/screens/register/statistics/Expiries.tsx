import { Segmented } from 'antd';
import { useMemo } from 'react';
import type { Static } from 'typebox';
import { useTranslation } from 'react-i18next';
import { exportExpiries } from '../../../../../contract/desk/exports.ts';
import { expiringFields, expirySpans, listExpiries, type Expiry } from '../../../../../contract/register/statistics.ts';
import { useCall } from '../../../api/index.ts';
import { useDeviceAddress, useOpen } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { useAddress } from '../../../parts/page/use-address.ts';
import type { Filters } from './filters.tsx';
import styles from './statistics.module.css';

type Row = Static<typeof Expiry>;
type Field = (typeof expiringFields)[number];
type Span = (typeof expirySpans)[number];
const noFilters: readonly string[] = [];
const usual: Span = '90';
/** From here on somebody has to see to it. */
const soonDays = 30;

/** Which list is looked at, kept in the address beside the page's filters. */
function useChoice() {
  const [params, put] = useAddress();
  const field: Field = expiringFields.find((one) => one === params.get('ends')) ?? 'warrantyUntil';
  const within: Span = expirySpans.find((one) => one === params.get('within')) ?? usual;
  // What is chosen from the start does not stand in the address.
  const choose = ({ ends = field, within: span = within }: { ends?: Field; within?: Span }): void =>
    put({ ends: ends === 'warrantyUntil' ? null : ends, within: span === usual ? null : span, 'ends.page': null });
  return { field, within, choose };
}

/** Warranties and SIM cards that end soon or have ended, the nearest day first. */
export function Expiries({ filters }: { filters: Filters }) {
  const { t, i18n } = useTranslation('statistics');
  const { field, within, choose } = useChoice();
  const address = useListAddress(noFilters, 'ends.');
  const list = useCall(
    listExpiries,
    { query: { ...filters, field, within, page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  const columns = useColumns(field);
  const counts = list.data?.counts;
  const said = (span: Span): string => {
    const n = counts ? formatNumber(counts[span], i18n.language, 0) : '';
    return (span === 'past' ? t('expiries.past', { n }) : t('expiries.days', { days: span, n })).trim();
  };
  return (
    <section className={styles.controllers} aria-labelledby="expiry-statistics">
      <div className={styles.controllersHead}>
        <h2 id="expiry-statistics">{t('expiries')}</h2>
        <p>{t('expiries.note')}</p>
      </div>
      <div className={styles.expiryBar}>
        <Segmented<Field>
          aria-label={t('expiries.field')}
          value={field}
          onChange={(ends) => choose({ ends })}
          options={expiringFields.map((value) => ({ value, label: t(`expiries.${value}`) }))}
        />
        <Segmented<Span>
          aria-label={t('expiries.within')}
          value={within}
          onChange={(span) => choose({ within: span })}
          options={expirySpans.map((value) => ({ value, label: said(value) }))}
        />
      </div>
      <ListFrame<Row>
        name={`expiries-${field}`}
        list={list}
        address={address}
        columns={columns}
        tools={
          <ExportButton
            call={exportExpiries}
            body={{ ...filters, field, within }}
            text={t('expiries.export')}
            empty={!list.data?.recordsTotal}
          />
        }
        texts={{
          count: (n) => t('expiries.count', { n }),
          noMatch: t('expiries.none'),
          empty: t(within === 'past' ? 'expiries.nonePast' : 'expiries.none'),
          emptyText: t('expiries.noneText'),
        }}
      />
    </section>
  );
}

function useColumns(field: Field): ListColumn<Row>[] {
  const { t, i18n } = useTranslation('statistics');
  const names = useNames();
  const open = useOpen();
  const pageOf = useDeviceAddress();
  return useMemo(() => {
    const code = ({ family, id, code: text }: Row) => {
      const page = pageOf(family, id);
      return page === undefined ? (
        <span className="code">{text}</span>
      ) : (
        <button type="button" className={`${styles.link} code`} onClick={() => open(page)}>
          {text}
        </button>
      );
    };
    const left = ({ days }: Row) => {
      const n = formatNumber(Math.abs(days), i18n.language, 0);
      return (
        <span className={days < 0 ? styles.over : days <= soonDays ? styles.soon : ''}>
          {days === 0 ? t('expiries.today') : t(days < 0 ? 'expiries.over' : 'expiries.in', { n })}
        </span>
      );
    };
    return [
      { key: 'code', name: t('column.code'), always: true, cell: code },
      { key: 'day', name: names.field(field), cell: (row) => <span className="num">{row.day}</span> },
      { key: 'days', name: t('expiries.left'), cell: left },
      { key: 'name', name: t('column.name'), cell: (row) => row.name ?? '—' },
      { key: 'family', name: t('families'), cell: (row) => names.family(row.family) },
      ...(field === 'simExpiry'
        ? [
            {
              key: 'simNum',
              name: names.field('simNum'),
              cell: (row: Row) => <span className="code">{row.simNum ?? '—'}</span>,
            },
          ]
        : []),
      { key: 'workArea', name: t('workAreas'), cell: (row) => row.workAreaName },
      { key: 'road', name: t('roads'), cell: (row) => row.roadName ?? '—' },
      { key: 'manufacturer', name: t('vendors'), cell: (row) => row.manufacturer ?? '—' },
      { key: 'model', name: names.field('model'), cell: (row) => row.model ?? '—' },
    ];
  }, [t, i18n.language, names, open, pageOf, field]);
}
