import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { carriesOthers } from '../../../../catalogue/capabilities.ts';
import { useDeviceAddress, useOpen, usePermission } from '../../frame/index.ts';
import { inPreview } from '../../session/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { Icon } from '../icons/Icon.tsx';
import { ListFrame } from '../lists/ListFrame.tsx';
import { RowActions, type RowAction } from '../lists/RowActions.tsx';
import { columnsOf } from './columns.tsx';
import { ExportButton } from './ExportButton.tsx';
import { ImportButton } from './ImportButton.tsx';
import type { Below, Row, Source } from './source.ts';
import { usePlaceFigures } from './use-place-figures.tsx';
import { useSeveral } from './use-several.tsx';
import { useRows } from './use-source.ts';
import type { ListAddress } from '../lists/use-list-address.ts';

interface Props {
  source: Source;
  address: ListAddress;
  onDelete: (row: Row) => void;
  below?: Below | undefined;
}

/** What the address asks of a source's list. */
const queryOf = ({ filters, page, size, sort }: ListAddress) => ({
  ...filters,
  page,
  size,
  ...(sort === undefined ? {} : { sort }),
});

/** Its filters go by their names on the wire. */
const asTheyAre = (filters: ListAddress['filters']): object => filters;

/**
 * The list of a family or record: its columns, row actions and what can be done with several come from the declaration.
 */
export function DeclaredTable({ source, address, onDelete, below }: Props) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const [mayAdd, mayEdit, mayDelete] = [
    usePermission(source.codes.add),
    usePermission(source.codes.edit),
    usePermission(source.codes.del),
  ];
  const list = useRows(source, queryOf(address));
  const figures = usePlaceFigures(source, list.data?.data);
  const batch = useSeveral(source, address, { edit: mayEdit, del: mayDelete });
  const what = source.kind === 'device' ? names.family(source.key) : names.record(source.key);
  const open = useOpen();
  const pageOf = useDeviceAddress();
  const pageText = t(carriesOthers(source.key) ? 'detail.polePage' : 'detail.page');
  const hasPage = source.kind === 'device' && pageOf(source.key, 0) !== undefined;
  const add = (): void => address.show({ form: 'new' });
  const actionsOf = (row: Row): RowAction[] => [
    ...(hasPage
      ? [
          {
            key: 'page',
            label: pageText,
            icon: 'open',
            onClick: () => open(pageOf(source.key, row.id) ?? ''),
          } as const,
        ]
      : []),
    ...figures.actionsOf(row),
    ...(below ? [{ key: 'below', label: below.label, icon: 'list', onClick: () => below.open(row) } as const] : []),
    ...(mayEdit
      ? [{ key: 'edit', label: t('list.edit'), icon: 'edit', onClick: () => address.show({ form: row.id }) } as const]
      : []),
    ...(mayDelete
      ? [{ key: 'delete', label: t('list.delete'), icon: 'trash', danger: true, onClick: () => onDelete(row) } as const]
      : []),
  ];
  const renderActions = (row: Row): React.ReactNode => (
    <RowActions of={String(row[source.codeField])} actions={actionsOf(row)} />
  );
  const show = (row: Row): void => address.show({ open: row.id });
  return (
    <ListFrame<Row>
      name={source.key}
      ofProjects={source.ofProjects}
      list={list}
      address={address}
      queryOf={asTheyAre}
      columns={figures.columns(columnsOf({ source, names, onOpen: show }))}
      peek={{ id: address.form === null ? address.open : null, show }}
      batch={batch}
      texts={{
        count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }),
        noMatch: t('list.empty.filtered', { what }),
        empty: t('list.empty', { what }),
        ...(source.kind === 'device' ? { emptyText: t('list.empty.order') } : {}),
      }}
      {...(mayAdd && !inPreview() ? { first: { text: t('list.empty.add'), onClick: add } } : {})}
      {...(mayEdit || mayDelete || below || hasPage || figures.hasActions ? { renderActions } : {})}
      tools={
        <>
          {source.kind === 'device' ? (
            <>
              <ImportButton family={source.key} />
              <ExportButton family={source.key} filters={address.filters} empty={list.data?.recordsTotal === 0} />
            </>
          ) : null}
          {mayAdd ? (
            <Button type="primary" icon={<Icon name="plus" size={14} />} onClick={add}>
              {t('list.add')}
            </Button>
          ) : null}
        </>
      }
    />
  );
}
