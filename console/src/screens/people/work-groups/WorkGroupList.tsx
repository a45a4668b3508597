import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../../contract/route.ts';
import {
  deleteWorkGroup,
  listWorkGroupOptions,
  listWorkGroups,
} from '../../../../../contract/specified/work-groups.ts';
import { call, useCall } from '../../../api/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber, Icon } from '../../../parts/index.ts';
import type { Batch } from '../../../parts/lists/batch.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import styles from './work-groups.module.css';

export type Row = ReplyOf<typeof listWorkGroups>['data'][number];
interface Actions {
  may: { add: boolean; edit: boolean; del: boolean; readOnly: boolean };
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
}
interface Props extends Actions {
  address: ListAddress;
  onAdd: () => void;
}

const queryOf = ({ filters: { q }, sort, page, size }: Pick<ListAddress, 'filters' | 'sort' | 'page' | 'size'>) => ({
  ...(q === undefined ? {} : { groupName: q, description: q }),
  sort: sort ?? 'id',
  page,
  size,
});

function useColumns(): ListColumn<Row>[] {
  const { t, i18n } = useTranslation('work-groups');
  const text = styles.text ?? '';
  return [
    {
      key: 'groupName',
      name: t('field.groupName'),
      className: text,
      sortable: true,
      always: true,
      cell: (row) => <b className={styles.name}>{row.groupName}</b>,
    },
    { key: 'description', name: t('field.description'), className: text, cell: (row) => row.description || '—' },
    { key: 'workName', name: t('field.workId'), className: text, sortable: true, cell: (row) => row.workName },
    {
      key: 'members',
      name: t('field.userDetail'),
      align: 'right',
      cell: (row) => t('list.members', { n: formatNumber(row.members, i18n.language, 0) }),
    },
  ];
}

/** Deleting several groups; a row that cannot be is told with its reason. */
function useBatch(address: ListAddress, { may }: Actions): Batch<Row> {
  const { t, i18n } = useTranslation('work-groups');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  return {
    nameOf: (row) => row.groupName,
    refreshes: [listWorkGroups, listWorkGroupOptions],
    page: async (page, size) =>
      (await call(listWorkGroups, { query: { ...queryOf(address), page, size } }, { quiet: true })).data,
    actions: may.del
      ? [
          {
            key: 'delete',
            label: t('action.delete'),
            danger: true,
            title: (n) => t('delete.several', { n }),
            about: (rows) => (
              <p>
                {t('delete.severalLost', {
                  n: number(rows.reduce((sum, row) => sum + row.members, 0)),
                  areas: number(new Set(rows.map((row) => row.workId)).size),
                })}
              </p>
            ),
            run: (row) => call(deleteWorkGroup, { params: { id: row.id } }, { quiet: true }),
          },
        ]
      : [],
  };
}

/** The groups of the work area: table, on a phone cards. */
export function WorkGroupList({ address, onAdd, ...actions }: Props) {
  const { t } = useTranslation('work-groups');
  const list = useCall(listWorkGroups, { query: queryOf(address) }, { keepPrevious: true });
  const add = { text: t('action.add'), onClick: onAdd };
  const mayAdd = actions.may.add && !actions.may.readOnly;
  return (
    <ListFrame<Row>
      name="work-groups"
      list={list}
      address={address}
      queryOf={(filters) => queryOf({ ...address, filters })}
      columns={useColumns()}
      batch={useBatch(address, actions)}
      {...(mayAdd ? { first: add } : {})}
      texts={{
        count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }),
        failed: t('failed.load'),
        noMatch: t('list.noMatch'),
        empty: t('list.empty'),
        doing: t('loading'),
      }}
      tools={
        actions.may.add ? (
          <Button type="primary" disabled={actions.may.readOnly} icon={<Icon name="plus" size={14} />} onClick={onAdd}>
            {add.text}
          </Button>
        ) : null
      }
      {...(actions.may.edit || actions.may.del
        ? { renderActions: (row: Row) => <RowButtons row={row} {...actions} /> }
        : {})}
      renderCards={(rows, check) => <Cards rows={rows} check={check} {...actions} />}
    />
  );
}

function RowButtons({ row, may, onEdit, onDelete, wide = false }: Actions & { row: Row; wide?: boolean }) {
  const { t } = useTranslation('work-groups');
  const look = wide ? {} : { size: 'small' as const, type: 'text' as const };
  const label = (action: 'action.edit' | 'action.delete') => ({
    'aria-label': t('list.actionOf', { action: t(action), name: row.groupName }),
    title: may.readOnly ? t('preview') : t(action),
  });
  return (
    <span className={wide ? styles.wide : styles.actions}>
      {may.edit ? (
        <Button {...look} {...label('action.edit')} icon={<Icon name="edit" size={14} />} onClick={() => onEdit(row)}>
          {wide ? t('action.edit') : null}
        </Button>
      ) : null}
      {may.del ? (
        <Button
          {...look}
          {...label('action.delete')}
          danger={wide}
          disabled={may.readOnly}
          icon={<Icon name="trash" size={14} />}
          onClick={() => onDelete(row)}
        >
          {wide ? t('action.delete') : null}
        </Button>
      ) : null}
    </span>
  );
}

function Cards({ rows, check, ...actions }: Actions & { rows: readonly Row[]; check: (row: Row) => ReactNode }) {
  const { t, i18n } = useTranslation('work-groups');
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <div className={styles.cardHead}>
            <b className={styles.name}>{row.groupName}</b>
            {check(row)}
          </div>
          <p>{row.description}</p>
          <dl>
            <dt>{t('field.workId')}</dt>
            <dd>{row.workName}</dd>
            <dt>{t('field.userDetail')}</dt>
            <dd>{t('list.members', { n: formatNumber(row.members, i18n.language, 0) })}</dd>
          </dl>
          <RowButtons row={row} {...actions} wide />
        </li>
      ))}
    </ul>
  );
}
