import { useTranslation } from 'react-i18next';
import { planModes } from '../../../../../catalogue/lighting/plan/programme.ts';
import { listSchemes, schemeStates } from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { Page, PageBar } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
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
      },
    },
    { keepPrevious: true },
  );
  const mode: ListColumn<Row> = {
    key: 'mode',
    name: plan('mode'),
    cell: (row) => {
      const known = planModes.find((one) => one === row.mode);
      return known === undefined ? '—' : plan(`mode.${known}`);
    },
  };
  return (
    <Page>
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
        own={[mode]}
        mayEdit={mayEdit}
        texts={{
          count: (n) => t('count', { n }),
          noMatch: t('noMatch'),
          empty: t('empty'),
          emptyText: t('empty.text'),
          add: t('add'),
        }}
      />
    </Page>
  );
}
