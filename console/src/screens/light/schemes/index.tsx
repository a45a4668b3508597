import { useTranslation } from 'react-i18next';
import { planModes } from '../../../../../catalogue/lighting/plan/programme.ts';
import { listSchemes, schemeStates } from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { formatNumber, formatPercent, Page, PageBar } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { ItemList } from '../../../parts/versioned/ItemList.tsx';
import { schemeKind } from '../../../parts/versioned/scheme-kind.ts';

type Row = ReplyOf<typeof listSchemes>['data'][number];
const filterKeys = ['q', 'state'] as const;

/** Energy-saving schemes (节能方案): what is planned, in force on how many lamps, and what waits as a draft. */
export default function Schemes() {
  const { t } = useTranslation('schemes');
  const { t: plan } = useTranslation('plan');
  const { t: versioned } = useTranslation('versioned');
  const address = useListAddress(filterKeys);
  const mayEdit = usePermission('plan.edit');
  const { q, state } = address.filters;
  const states = schemeStates.filter((one) => one === state);
  const list = useCall(
    listSchemes,
    {
      query: {
        ...(q === undefined ? {} : { q }),
        ...(states[0] === undefined ? {} : { state: states[0] }),
        ...(address.sort === undefined ? {} : { sort: address.sort }),
        page: address.page,
        size: address.size,
        outlook: true,
      },
    },
    { keepPrevious: true },
  );
  const outlook = useOutlook();
  const mode: ListColumn<Row> = {
    key: 'mode',
    name: plan('mode'),
    cell: (row) => {
      const known = planModes.find((one) => one === row.mode);
      return known === undefined ? '—' : plan(`mode.${known}`);
    },
  };
  const own = [mode, ...outlook];
  return (
    <Page list>
      <PageBar title={t('title')} note={t('note')} />
      <SearchPanel
        fields={[
          { key: 'q', label: t('search.q') },
          searchField({
            key: 'state',
            label: versioned('field.state'),
            type: 'select',
            options: schemeStates.map((value) => ({ itemName: versioned(`state.${value}`), itemValue: value })),
          }),
        ]}
        values={address.filters}
        onSearch={address.search}
      />
      <ItemList
        kind={schemeKind}
        answer={list}
        address={address}
        screen="lamp-scheme"
        own={own}
        mayEdit={mayEdit}
        texts={{
          count: (n) => t('count', { n }),
          failed: t('failed'),
          noMatch: t('noMatch'),
          empty: t('empty'),
          emptyText: t('empty.text'),
          add: t('add'),
        }}
      />
    </Page>
  );
}

/** What the scheme takes this month, against the version before, and when its calendar changes. */
function useOutlook(): ListColumn<Row>[] {
  const { t, i18n } = useTranslation('schemes');
  const names = useDayNames();
  const number = (value: number): string => formatNumber(value, i18n.language, 0);
  return [
    {
      key: 'month',
      name: t('month'),
      hint: t('month.hint'),
      align: 'right',
      cell: ({ outlook }) => {
        if (outlook === null) return '—';
        const { kwh, base } = outlook.month;
        const share = base === null || base.kwh === 0 ? null : (kwh / base.kwh - 1) * 100;
        return (
          <>
            {t('month.kwh', { kwh: number(kwh) })}
            {base === null || share === null ? null : (
              <small>
                {' '}
                {Math.abs(share) < 0.5
                  ? t('month.same', { n: number(base.number) })
                  : t('month.against', { share: signed(share, i18n.language), n: number(base.number) })}
              </small>
            )}
          </>
        );
      },
    },
    {
      key: 'next',
      name: t('next'),
      cell: ({ outlook }) => {
        const next = outlook?.nextChange;
        return next ? t('next.from', { day: names.day(next.day), programme: next.programme }) : '—';
      },
    },
  ];
}

const signed = (percent: number, language: string): string =>
  `${percent > 0 ? '+' : '−'}${formatPercent(Math.abs(percent), language)}`;
