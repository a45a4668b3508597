import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDeclared } from '../../../../catalogue/families/index.ts';
import type { FamilyPageName } from '../../../../contract/family-pages.ts';
import { recordOf } from '../../../../catalogue/records/index.ts';
import { canFilter, FieldFilter } from '../../fields/index.tsx';
import { useNames } from '../../locales/catalogue-names.ts';
import { BindDialog } from './BindDialog.tsx';
import { CredentialsDialog } from './CredentialsDialog.tsx';
import { DeclaredTable } from './DeclaredTable.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DetailDrawer } from './DetailDrawer.tsx';
import { FormDrawer } from './FormDrawer.tsx';
import { OnlineFilter } from './OnlineFilter.tsx';
import { recordSource, type Below, type Row, type Source } from './source.ts';
import { useListAddress } from '../lists/use-list-address.ts';
import { Page, PageBar } from '../page/PageBar.tsx';
import { SearchPanel, type SearchField } from '../search-fields/SearchPanel.tsx';

/** The screen's key of the area `menu`: its title is the same word as in the menu. */
export type ScreenName =
  | FamilyPageName
  | 'asset/work-areas'
  | 'asset/roads'
  | 'asset/loops'
  | 'asset/groups'
  | 'asset/channels'
  | 'asset/dictionaries'
  | 'asset/dictionary-items';

/** The screen of plain master data: search, list, form, deletion; all from the record's declaration. */
export function RecordScreen({ record: key, screen, below }: { record: string; screen: ScreenName; below?: Below }) {
  const record = recordOf(key);
  const source = useMemo(() => (record ? recordSource(record) : undefined), [record]);
  if (!source) throw new Error(`the catalogue has no record ${key}`);
  return <DeclaredScreen source={source} screen={screen} {...(below ? { below } : {})} />;
}

function useSearchFields(source: Source): SearchField[] {
  const { t } = useTranslation('declared');
  const names = useNames();
  return [
    { key: 'q', label: t('search.text') },
    ...(source.reports
      ? [
          {
            key: 'online',
            label: t('filter.online'),
            input: (control: Parameters<NonNullable<SearchField['input']>>[0]) => <OnlineFilter {...control} />,
          },
        ]
      : []),
    ...source.fields
      .filter((field) => canFilter(field) && (field.kind !== 'reference' || isDeclared(field.to)))
      .map((field): SearchField => ({
        key: field.key,
        label: names.field(field.key, source.key),
        input: (control) => <FieldFilter field={field} {...control} />,
      })),
  ];
}

/**
 * Search panel, list and what opens from it, for any declared source; filters and open drawers stand in the address.
 */
export function DeclaredScreen({ source, screen, below }: { source: Source; screen: ScreenName; below?: Below }) {
  const { t } = useTranslation('menu');
  const fields = useSearchFields(source);
  const keys = useMemo(
    () => ['q', ...(source.reports ? ['online'] : []), ...source.fields.filter(canFilter).map((field) => field.key)],
    [source],
  );
  const address = useListAddress(keys);
  const [deleting, setDeleting] = useState<Row | null>(null);
  const [binding, setBinding] = useState<Row | null>(null);
  const [issuing, setIssuing] = useState<Row | null>(null);
  return (
    <Page list>
      <PageBar title={t(screen)} />
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <DeclaredTable source={source} address={address} onDelete={setDeleting} below={below} />
      <DetailDrawer
        source={source}
        id={address.form === null ? address.open : null}
        onClose={() => address.show({})}
        onEdit={(row) => address.show({ form: row.id })}
        onDelete={setDeleting}
        onCredentials={setIssuing}
        onBind={setBinding}
        below={below}
      />
      <FormDrawer source={source} id={address.form} onClose={() => address.show({})} />
      <DeleteDialog
        source={source}
        row={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          setDeleting(null);
          address.show({});
        }}
      />
      <BindDialog row={binding} codeField={source.codeField} onClose={() => setBinding(null)} />
      <CredentialsDialog row={issuing} codeField={source.codeField} onClose={() => setIssuing(null)} />
    </Page>
  );
}
