import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page, PageBar, useTime, useZone } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel, type SearchField } from '../../../parts/search-fields/SearchPanel.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { LogList } from './LogList.tsx';
import { RowDrawer } from './RowDrawer.tsx';
import { useLog } from './use-log.ts';
import { useOpened } from './use-opened.ts';
import { filterKeys, queryOf, results, type LogKind } from './log.ts';

function useSearchFields(): SearchField[] {
  const { t } = useTranslation('logs');
  const today = useTime()(new Date(), 'date');
  return [
    searchField({ type: 'text', key: 'username', label: t('field.username') }),
    searchField({ type: 'datetimerange', key: 'days', label: t('field.days'), last: today }),
    searchField({
      type: 'select',
      key: 'status',
      label: t('field.result'),
      options: results.map((result) => ({ itemName: t(`result.${result}`), itemValue: result })),
    }),
  ];
}

/**
 * Login log or operation log (specified 8.3): search, list, details, export. Filters, page, order and the open row
 * stand in the address.
 */
export function LogScreen({ kind }: { kind: LogKind }) {
  const { t } = useTranslation('menu');
  const address = useListAddress(filterKeys);
  const list = useLog(kind, address.filters['username'], queryOf(address, useZone()));
  const opened = useOpened(kind, list.page?.rows);
  const [exporting, setExporting] = useState(false);
  return (
    <Page list>
      <PageBar title={t(`logging-${kind}`)} />
      <SearchPanel fields={useSearchFields()} values={address.filters} onSearch={address.search} />
      <LogList
        kind={kind}
        address={address}
        list={list}
        openId={opened.id}
        onOpen={opened.open}
        onExport={() => setExporting(true)}
      />
      <RowDrawer kind={kind} opened={opened} />
      <ExportDialog kind={kind} open={exporting} onClose={() => setExporting(false)} />
    </Page>
  );
}
