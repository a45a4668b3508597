import { useTranslation } from 'react-i18next';
import type { Batch } from '../list/batch.ts';
import type { Row, Source } from './source.ts';
import type { ListAddress } from './use-list-address.ts';
import { deleteRow, fetchRows, touched } from './use-source.ts';

/** Deleting several rows of a source; the server refuses those on which others hang, and says which. */
export function useDeleteSeveral(source: Source, { filters, sort }: ListAddress, mayDelete: boolean): Batch<Row> {
  const { t } = useTranslation('declared');
  const nameOf = (row: Row): string => String(row[source.codeField] ?? row.id);
  return {
    nameOf, refreshes: touched(source), page: (page, size) => fetchRows(source, { ...filters, page, size, ...(sort === undefined ? {} : { sort }) }),
    actions: mayDelete ? [{
      key: 'delete', label: t('list.delete'), danger: true, title: (n) => t('delete.several', { n }),
      about: () => <p>{t(source.kind === 'device' ? 'delete.several.devices' : 'delete.several.records')}</p>,
      run: (row) => deleteRow(source, row.id),
    }] : [],
  };
}
