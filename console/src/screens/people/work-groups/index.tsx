import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { useMenu } from '../../../frame/menu/menu-context.ts';
import { Page, PageBar } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { inPreview } from '../../../session/index.ts';
import { DeleteWorkGroup } from './DeleteWorkGroup.tsx';
import { LoadedWorkGroup } from './LoadedWorkGroup.tsx';
import { WorkGroupList, type Row } from './WorkGroupList.tsx';

const filterKeys = ['q'] as const;

/** Work groups (specified 6.1): one search box for name and description, the list, what may be done with each row. */
export default function WorkGroups() {
  const { t } = useTranslation('work-groups');
  const { t: menu } = useTranslation('menu');
  const address = useListAddress(filterKeys);
  const open = useOpen();
  const { pages } = useMenu();
  const [deleting, setDeleting] = useState<Row | null>(null);
  const opens = (name: string): boolean => pages.some((page) => page.name === name);
  const group = [usePermission('cscp.wg.add'), usePermission('cscp.wg.edit'), usePermission('cscp.wg.del')] as const;
  const user = [usePermission('cscp.user.edit'), usePermission('cscp.user.del')] as const;
  const may = {
    add: group[0] && opens('workgroup-add'),
    edit: group[1] || user[0],
    del: group[2] || user[1],
    readOnly: inPreview(),
  };
  // Whoever edits groups by his right on accounts need not hold the page of its own: the form then opens here.
  const edit = (row: Row): void =>
    opens('workgroup-edit') ? open('workgroup-edit', { handOver: { id: row.id } }) : address.show({ form: row.id });
  if (may.edit && typeof address.form === 'number')
    return <LoadedWorkGroup key={address.form} id={address.form} onLeave={() => address.show({})} />;
  return (
    <Page list>
      <PageBar title={menu('workgroup-management')} />
      <SearchPanel
        fields={[{ key: 'q', label: t('search.name') }]}
        values={address.filters}
        onSearch={address.search}
      />
      <WorkGroupList
        address={address}
        may={may}
        onAdd={() => open('workgroup-add')}
        onEdit={edit}
        onDelete={setDeleting}
      />
      <DeleteWorkGroup row={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}
