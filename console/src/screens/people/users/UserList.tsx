import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listUsers } from '../../../../../contract/specified/users.ts';
import { useCall } from '../../../api/index.ts';
import { formatNumber, Icon, RelativeTime, useTime } from '../../../parts/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { isOffered, type Operator, type UserAction } from '../../../parts/people/users/actions.ts';
import { useLevels } from '../../../parts/people/users/levels.ts';
import { RowActions } from './RowActions.tsx';
import { StateMarks } from './StateMarks.tsx';
import { useBatch } from './use-batch.tsx';
import { queryOf, rolesOf, type User } from '../../../parts/people/users/user.ts';
import styles from './users.module.css';

export interface ListProps {
  operator: Operator;
  onAction: (action: UserAction, user: User) => void;
}
interface RowsProps extends ListProps {
  now: number;
}

/** The accounts: what is particular about each, what can be done with one and with several. */
export function UserList({
  address,
  operator,
  onAction,
  onAdd,
  onAddFull,
}: ListProps & { address: ListAddress; onAdd: () => void; onAddFull: () => void }) {
  const { t } = useTranslation('users');
  const list = useCall(listUsers, { query: queryOf(address) }, { keepPrevious: true });
  const rows: RowsProps = { operator, onAction, now: list.dataUpdatedAt };
  const mayAct = operator.edit || operator.del || operator.sessions || operator.preview;
  return (
    <ListFrame<User>
      name="users"
      list={list}
      address={address}
      queryOf={(filters) => queryOf({ ...address, filters })}
      columns={useColumns(rows)}
      batch={useBatch(address, operator, list.dataUpdatedAt)}
      texts={{
        count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }),
        failed: t('list.failed'),
        noMatch: t('list.noMatch'),
        empty: t('list.empty'),
      }}
      {...(operator.add && !operator.readOnly ? { first: { text: t('action.add'), onClick: onAdd } } : {})}
      tools={
        <>
          {operator.fullAdd ? (
            <Button disabled={operator.readOnly} onClick={onAddFull}>
              {t('action.addFull')}
            </Button>
          ) : null}
          {operator.add ? (
            <Button type="primary" disabled={operator.readOnly} icon={<Icon name="plus" size={14} />} onClick={onAdd}>
              {t('action.add')}
            </Button>
          ) : null}
        </>
      }
      {...(mayAct ? { renderActions: (user: User) => <RowActions user={user} {...rows} /> } : {})}
      renderCards={(users, check) => <Cards users={users} check={check} {...rows} />}
    />
  );
}

function SessionsLink({ user, operator, now, onAction }: { user: User; now: number } & ListProps) {
  const { t, i18n } = useTranslation('users');
  const count = t('list.sessions', { n: formatNumber(user.sessions, i18n.language, 0) });
  if (user.sessions === 0 || !isOffered('sessions', user, operator, now))
    return <span className={user.sessions === 0 ? styles.none : ''}>{user.sessions === 0 ? '—' : count}</span>;
  return (
    <button
      type="button"
      className={styles.link}
      aria-label={`${t('list.sessions.of', { name: user.username })} · ${count}`}
      onClick={() => onAction('sessions', user)}
    >
      {count}
    </button>
  );
}

function useColumns({ operator, onAction, now }: RowsProps): ListColumn<User>[] {
  const { t } = useTranslation('users');
  const levels = useLevels();
  const time = useTime();
  const [short, text] = [styles.short, styles.text];
  return [
    {
      key: 'username',
      name: t('field.username'),
      className: short,
      sortable: true,
      always: true,
      cell: (user) => <span className={styles.name}>{user.username}</span>,
    },
    {
      key: 'nickname',
      name: t('field.nickname'),
      className: text,
      sortable: true,
      cell: (user) => user.nickname || <span className={styles.none}>—</span>,
    },
    {
      key: 'roles',
      name: t('field.roles'),
      className: text,
      cell: (user) => rolesOf(user, t('list.separator')) ?? <span className={styles.none}>—</span>,
    },
    {
      key: 'treeLevel',
      name: t('field.treeLevel'),
      className: short,
      sortable: true,
      cell: (user) => levels.nameOf(user.treeLevel),
    },
    {
      key: 'state',
      state: true,
      name: t('field.state'),
      className: styles.stateCell,
      cell: (user) => <StateMarks user={user} now={now} />,
    },
    {
      key: 'sessions',
      name: t('field.sessions'),
      align: 'right',
      className: short,
      cell: (user) => <SessionsLink {...{ user, operator, now, onAction }} />,
    },
    {
      key: 'lastLogin',
      name: t('field.lastLogin'),
      className: short,
      sortable: true,
      cell: (user) =>
        user.lastLogin === null ? (
          <span className={styles.none}>{t('never')}</span>
        ) : (
          <RelativeTime at={user.lastLogin} />
        ),
    },
    {
      key: 'createTime',
      name: t('field.createTime'),
      className: short,
      sortable: true,
      cell: (user) => <span title={time(user.createTime, 'dateTime')}>{time(user.createTime, 'date')}</span>,
    },
  ];
}

/** The same on a phone: one card an account, every action within reach of a thumb. */
function Cards({
  operator,
  onAction,
  users,
  now,
  check,
}: RowsProps & { users: readonly User[]; check: (user: User) => ReactNode }) {
  const { t } = useTranslation('users');
  const levels = useLevels();
  return (
    <ul className={styles.cards}>
      {users.map((user) => (
        <li key={user.id}>
          <div className={styles.cardHead}>
            <b>
              {user.username}
              {user.nickname ? <small>{user.nickname}</small> : null}
            </b>
            <StateMarks user={user} now={now} />
            {check(user)}
          </div>
          <dl>
            <dt>{t('field.treeLevel')}</dt>
            <dd>{levels.nameOf(user.treeLevel)}</dd>
            <dt>{t('field.roles')}</dt>
            <dd>{rolesOf(user, t('list.separator')) ?? '—'}</dd>
            <dt>{t('field.lastLogin')}</dt>
            <dd>{user.lastLogin === null ? t('never') : <RelativeTime at={user.lastLogin} />}</dd>
            {user.sessions > 0 ? (
              <>
                <dt>{t('field.sessions')}</dt>
                <dd>
                  <SessionsLink {...{ user, operator, now, onAction }} />
                </dd>
              </>
            ) : null}
          </dl>
          <RowActions {...{ user, operator, now, onAction }} wide />
        </li>
      ))}
    </ul>
  );
}
