import { Button, Table, type TableColumnsType } from 'antd';
import type { SorterResult } from 'antd/es/table/interface';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../contract/route.ts';
import { listWorkGroups } from '../../../../contract/specified/work-groups.ts';
import { useCall } from '../../api/index.ts';
import type { ListAddress } from '../../parts/declared/use-list-address.ts';
import { formatNumber, Icon } from '../../parts/index.ts';
import { ListFrame } from '../../parts/list/ListFrame.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import styles from './work-groups.module.css';

export type Row = ReplyOf<typeof listWorkGroups>['data'][number];
interface Actions { may: { add: boolean; edit: boolean; del: boolean; readOnly: boolean }; onEdit: (row: Row) => void; onDelete: (row: Row) => void }
interface Props extends Actions { address: ListAddress; onAdd: () => void }

/** The groups of the work area: table, on a phone cards. */
export function WorkGroupList({ address, onAdd, ...actions }: Props) {
  const { t } = useTranslation('work-groups');
  const narrow = useNarrow();
  const { q } = address.filters;
  const both = q === undefined ? {} : { groupName: q, description: q };
  const list = useCall(listWorkGroups, { query: { ...both, sort: address.sort ?? 'id', page: address.page, size: address.size } }, { keepPrevious: true, quiet: true });
  const add = { text: t('action.add'), onClick: onAdd };
  const mayAdd = actions.may.add && !actions.may.readOnly;
  const rows = list.data?.data ?? [];
  return (
    <ListFrame
      list={list} address={address} {...(mayAdd ? { first: add } : {})}
      texts={{ count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }), failed: t('failed.load'), noMatch: t('list.noMatch'), empty: t('list.empty'), doing: t('loading') }}
      tools={actions.may.add ? <Button type="primary" disabled={actions.may.readOnly} icon={<Icon name="plus" size={14} />} onClick={onAdd}>{add.text}</Button> : null}
    >
      {narrow ? <Cards rows={rows} {...actions} /> : <Rows rows={rows} address={address} {...actions} />}
    </ListFrame>
  );
}

function RowButtons({ row, may, onEdit, onDelete, wide = false }: Actions & { row: Row; wide?: boolean }) {
  const { t } = useTranslation('work-groups');
  const look = wide ? {} : { size: 'small' as const, type: 'text' as const };
  const label = (action: 'action.edit' | 'action.delete') => ({ 'aria-label': t('list.actionOf', { action: t(action), name: row.groupName }), title: may.readOnly ? t('preview') : t(action) });
  return (
    <span className={wide ? styles.wide : styles.actions}>
      {may.edit ? <Button {...look} {...label('action.edit')} icon={<Icon name="edit" size={14} />} onClick={() => onEdit(row)}>{wide ? t('action.edit') : null}</Button> : null}
      {may.del ? <Button {...look} {...label('action.delete')} danger={wide} disabled={may.readOnly} icon={<Icon name="trash" size={14} />} onClick={() => onDelete(row)}>{wide ? t('action.delete') : null}</Button> : null}
    </span>
  );
}

function Rows({ rows, address, ...actions }: Actions & { rows: readonly Row[]; address: ListAddress }) {
  const { t, i18n } = useTranslation('work-groups');
  const { t: words } = useTranslation('declared');
  const [sorted, direction] = address.sort?.split(',') ?? [];
  const sortable = (key: string) => ({ sorter: true, sortOrder: sorted === key ? (direction === 'desc' ? 'descend' as const : 'ascend' as const) : null, showSorterTooltip: false });
  const from = (address.page - 1) * address.size;
  const columns: TableColumnsType<Row> = [
    { key: '#', title: words('list.index'), width: 64, align: 'right', render: (_: unknown, _row: Row, index: number) => from + index + 1 },
    { key: 'groupName', title: t('field.groupName'), className: styles.text ?? '', ...sortable('groupName'), render: (_: unknown, row: Row) => <b className={styles.name}>{row.groupName}</b> },
    { key: 'description', title: t('field.description'), className: styles.text ?? '', render: (_: unknown, row: Row) => row.description || '—' },
    { key: 'workName', title: t('field.workId'), className: styles.text ?? '', ...sortable('workName'), render: (_: unknown, row: Row) => row.workName },
    { key: 'members', title: t('field.userDetail'), align: 'right', width: 112, render: (_: unknown, row: Row) => t('list.members', { n: formatNumber(row.members, i18n.language, 0) }) },
    ...(actions.may.edit || actions.may.del ? [{ key: 'actions', title: words('list.actions'), width: 1, fixed: 'end' as const, render: (_: unknown, row: Row) => <RowButtons row={row} {...actions} /> }] : []),
  ];
  const changed = (sorter: SorterResult<Row> | SorterResult<Row>[]): void => {
    const { columnKey, order } = Array.isArray(sorter) ? sorter[0] ?? {} : sorter;
    address.sortBy(order ? `${String(columnKey)},${order === 'descend' ? 'desc' : 'asc'}` : undefined);
  };
  return (
    <Table<Row>
      className={styles.table ?? ''} rowKey="id" size="small" columns={columns} dataSource={[...rows]} pagination={false} scroll={{ x: 'max-content' }} sticky
      sortDirections={['ascend', 'descend']} onChange={(_pages, _filters, sorter) => changed(sorter)}
    />
  );
}

function Cards({ rows, ...actions }: Actions & { rows: readonly Row[] }) {
  const { t, i18n } = useTranslation('work-groups');
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <b className={styles.name}>{row.groupName}</b>
          <p>{row.description}</p>
          <dl>
            <dt>{t('field.workId')}</dt><dd>{row.workName}</dd>
            <dt>{t('field.userDetail')}</dt><dd>{t('list.members', { n: formatNumber(row.members, i18n.language, 0) })}</dd>
          </dl>
          <RowButtons row={row} {...actions} wide />
        </li>
      ))}
    </ul>
  );
}
