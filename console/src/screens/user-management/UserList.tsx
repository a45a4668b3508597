import { Button, Pagination, Table, type TableColumnsType } from 'antd';
import type { SorterResult } from 'antd/es/table/interface';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listUsers } from '../../../../contract/specified/users.ts';
import { useCall } from '../../api/index.ts';
import { Card, Empty, ErrorState, formatNumber, Icon, RefreshBar, RelativeTime, Skeleton, useTime } from '../../parts/index.ts';
import { pageSizes, type ListAddress } from '../../parts/declared/use-list-address.ts';
import { isOffered, type Operator, type UserAction } from './actions.ts';
import { useLevels } from './levels.ts';
import { RowActions } from './RowActions.tsx';
import { StateMarks } from './StateMarks.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import { rolesOf, type User } from './user.ts';
import styles from './users.module.css';

export interface ListProps { operator: Operator; onAction: (action: UserAction, user: User) => void }
interface RowsProps extends ListProps { address: ListAddress; users: readonly User[]; now: number }

/** What the address asks for, as the call takes it: the text goes into both names, an unreadable level is none. */
export function queryOf(address: Pick<ListAddress, 'filters' | 'sort' | 'page' | 'size'>) {
  const { q, treeLevel } = address.filters;
  return {
    ...(q === undefined ? {} : { username: q, nickname: q }), ...(treeLevel !== undefined && /^[0-5]$/.test(treeLevel) ? { treeLevel: Number(treeLevel) } : {}),
    sort: address.sort ?? 'user_id', page: address.page, size: address.size,
  };
}

/** The accounts: count line, index, sortable columns, what can be done with each, pages; and every state the list can be in. */
export function UserList({ address, operator, onAction, onAdd, onAddFull }: ListProps & { address: ListAddress; onAdd: () => void; onAddFull: () => void }) {
  const { t, i18n } = useTranslation('users');
  const { t: words } = useTranslation('declared');
  const narrow = useNarrow();
  const list = useCall(listUsers, { query: queryOf(address) }, { keepPrevious: true, quiet: true });
  const users = list.data?.data ?? [];
  const total = list.data?.recordsTotal ?? 0;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const conditions = Object.keys(address.filters).length;
  const from = (address.page - 1) * address.size;
  const rows: RowsProps = { address, operator, onAction, users, now: list.dataUpdatedAt };
  // The last row of the last page was deleted, or the address asks for more than there is.
  const beyond = list.data !== undefined && !list.isPlaceholderData && users.length === 0 && total > 0 && address.page > 1;
  const back = useEffectEvent(() => address.turn(Math.max(1, Math.ceil(total / address.size)), address.size));
  useEffect(() => { if (beyond) back(); }, [beyond]);
  return (
    <Card flush>
      <RefreshBar active={list.isFetching && !list.isPending} />
      <div className={styles.bar}>
        <span className={styles.count} role="status">{list.data ? t(list.data.recordsTotalExact === false ? 'list.countAbout' : 'list.count', { n: number(total) }) : ' '}</span>
        <span className={styles.tools}>
          <Button type="text" aria-label={words('list.refresh')} title={words('list.refresh')} icon={<Icon name="retry" />} onClick={() => void list.refetch()} />
          {operator.fullAdd ? <Button disabled={operator.readOnly} onClick={onAddFull}>{t('action.addFull')}</Button> : null}
          {operator.add ? <Button type="primary" disabled={operator.readOnly} icon={<Icon name="plus" size={14} />} onClick={onAdd}>{t('action.add')}</Button> : null}
        </span>
      </div>
      {list.isPending ? <Skeleton rows={10} height={460} /> : list.error && !list.data ? <ErrorState title={t('list.failed')} error={list.error} onRetry={list.refetch} /> : total === 0 ? (
        conditions > 0
          ? <Empty title={t('list.noMatch')} text={words('list.empty.conditions', { n: conditions })} action={{ text: words('list.empty.clear'), onClick: () => address.search({}) }} />
          : <Empty title={t('list.empty')} {...(operator.add && !operator.readOnly ? { action: { text: t('action.add'), onClick: onAdd } } : {})} />
      ) : (
        <>
          {narrow ? <Cards {...rows} /> : <Rows {...rows} />}
          <div className={styles.bar}>
            <span className={styles.count}>{words('list.range', { from: number(from + 1), to: number(Math.min(from + address.size, total)), n: number(total) })}</span>
            <span className={styles.tools}>
              <Pagination
                current={address.page} pageSize={address.size} total={total} showSizeChanger showQuickJumper={total > address.size && !narrow} responsive size="small"
                pageSizeOptions={[...pageSizes]} onChange={(page, size) => address.turn(size === address.size ? page : 1, size)}
              />
            </span>
          </div>
        </>
      )}
    </Card>
  );
}

function SessionsLink({ user, operator, now, onAction }: { user: User; now: number } & ListProps) {
  const { t, i18n } = useTranslation('users');
  const count = t('list.sessions', { n: formatNumber(user.sessions, i18n.language, 0) });
  if (user.sessions === 0 || !isOffered('sessions', user, operator, now)) return <span className={user.sessions === 0 ? styles.none : ''}>{user.sessions === 0 ? '—' : count}</span>;
  return <button type="button" className={styles.link} aria-label={`${t('list.sessions.of', { name: user.username })} · ${count}`} onClick={() => onAction('sessions', user)}>{count}</button>;
}

function Rows({ address, operator, onAction, users, now }: RowsProps) {
  const { t } = useTranslation('users');
  const { t: words } = useTranslation('declared');
  const levels = useLevels();
  const time = useTime();
  const [sorted, direction] = address.sort?.split(',') ?? [];
  const sortable = (key: string) => ({ sorter: true, sortOrder: sorted === key ? (direction === 'desc' ? 'descend' as const : 'ascend' as const) : null, showSorterTooltip: false });
  const from = (address.page - 1) * address.size;
  const columns: TableColumnsType<User> = [
    { key: '#', title: words('list.index'), width: 64, align: 'right', className: styles.short ?? '', render: (_: unknown, _user: User, index: number) => from + index + 1 },
    { key: 'username', title: t('field.username'), className: styles.short ?? '', ...sortable('username'), render: (_: unknown, user: User) => <span className={styles.name}>{user.username}</span> },
    { key: 'nickname', title: t('field.nickname'), className: styles.text ?? '', ...sortable('nickname'), render: (_: unknown, user: User) => user.nickname || <span className={styles.none}>—</span> },
    { key: 'roles', title: t('field.roles'), className: styles.text ?? '', render: (_: unknown, user: User) => rolesOf(user, t('list.separator')) ?? <span className={styles.none}>—</span> },
    { key: 'treeLevel', title: t('field.treeLevel'), className: styles.short ?? '', ...sortable('treeLevel'), render: (_: unknown, user: User) => levels.nameOf(user.treeLevel) },
    { key: 'state', title: t('field.state'), className: styles.stateCell ?? '', render: (_: unknown, user: User) => <StateMarks user={user} now={now} /> },
    { key: 'sessions', title: t('field.sessions'), align: 'right', className: styles.short ?? '', render: (_: unknown, user: User) => <SessionsLink {...{ user, operator, now, onAction }} /> },
    { key: 'lastLogin', title: t('field.lastLogin'), className: styles.short ?? '', ...sortable('lastLogin'), render: (_: unknown, user: User) => user.lastLogin === null ? <span className={styles.none}>{t('never')}</span> : <RelativeTime at={user.lastLogin} /> },
    { key: 'createTime', title: t('field.createTime'), className: styles.short ?? '', ...sortable('createTime'), render: (_: unknown, user: User) => <span title={time(user.createTime, 'dateTime')}>{time(user.createTime, 'date')}</span> },
    ...(operator.edit || operator.del || operator.sessions || operator.preview ? [{
      key: 'actions', title: words('list.actions'), fixed: 'end' as const, width: 1, render: (_: unknown, user: User) => <RowActions {...{ user, operator, now, onAction }} />,
    }] : []),
  ];
  const changed = (sorter: SorterResult<User> | SorterResult<User>[]): void => {
    const { columnKey, order } = Array.isArray(sorter) ? sorter[0] ?? {} : sorter;
    address.sortBy(order ? `${String(columnKey)},${order === 'descend' ? 'desc' : 'asc'}` : undefined);
  };
  return (
    <Table<User>
      className={styles.table ?? ''} rowKey="id" size="small" columns={columns} dataSource={[...users]} pagination={false} scroll={{ x: 'max-content' }} sticky
      sortDirections={['ascend', 'descend']} onChange={(_pages, _filters, sorter) => changed(sorter)}
    />
  );
}

/** The same on a phone: one card an account, every action within reach of a thumb. */
function Cards({ operator, onAction, users, now }: RowsProps) {
  const { t } = useTranslation('users');
  const levels = useLevels();
  return (
    <ul className={styles.cards}>
      {users.map((user) => (
        <li key={user.id}>
          <div className={styles.cardHead}><b>{user.username}{user.nickname ? <small>{user.nickname}</small> : null}</b><StateMarks user={user} now={now} /></div>
          <dl>
            <dt>{t('field.treeLevel')}</dt><dd>{levels.nameOf(user.treeLevel)}</dd>
            <dt>{t('field.roles')}</dt><dd>{rolesOf(user, t('list.separator')) ?? '—'}</dd>
            <dt>{t('field.lastLogin')}</dt><dd>{user.lastLogin === null ? t('never') : <RelativeTime at={user.lastLogin} />}</dd>
            {user.sessions > 0 ? <><dt>{t('field.sessions')}</dt><dd><SessionsLink {...{ user, operator, now, onAction }} /></dd></> : null}
          </dl>
          <RowActions {...{ user, operator, now, onAction }} wide />
        </li>
      ))}
    </ul>
  );
}
