import { useTranslation } from 'react-i18next';
import { listTemplates, templateStates } from '../../../../../contract/light/templates.ts';
import { useCall } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { Page, PageBar } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { ItemList } from '../../../parts/versioned/ItemList.tsx';
import { templateKind } from '../../../parts/versioned/template-kind.ts';

const filterKeys = ['q', 'state'] as const;

/** Work parameter templates (工作参数模板): how controllers are set, in force on how many lamps. */
export default function Templates() {
  const { t } = useTranslation('templates');
  const { t: versioned } = useTranslation('versioned');
  const address = useListAddress(filterKeys);
  const mayEdit = usePermission('plan.template');
  const { q, state } = address.filters;
  const states = templateStates.filter((one) => one === state);
  const list = useCall(
    listTemplates,
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
            options: templateStates.map((value) => ({ itemName: versioned(`state.${value}`), itemValue: value })),
          }),
        ]}
        values={address.filters}
        onSearch={address.search}
      />
      <ItemList
        kind={templateKind}
        answer={list}
        address={address}
        screen="lamp-template"
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
