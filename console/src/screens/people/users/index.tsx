import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unlockAccount } from '../../../../../contract/people/accounts.ts';
import { getUserDetails, listUsers } from '../../../../../contract/specified/users.ts';
import { useOpen } from '../../../frame/index.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { Page, PageBar, toast, useErrorText } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { SearchPanel, type SearchField } from '../../../parts/search-fields/SearchPanel.tsx';
import { reasonAgainst, useOperator, type UserAction } from '../../../parts/people/users/actions.ts';
import { ConfirmDialog, type Asked } from './ConfirmDialog.tsx';
import { useLevels } from '../../../parts/people/users/levels.ts';
import { PasswordDialog, type GivenPassword } from '../../../parts/people/users/PasswordDialog.tsx';
import { SessionsDrawer } from './SessionsDrawer.tsx';
import { usePreviewAs } from './use-preview-as.ts';
import { queryOf, type User } from '../../../parts/people/users/user.ts';
import { UserDialog } from './UserDialog.tsx';
import { UserList } from './UserList.tsx';

const filterKeys = ['q', 'treeLevel'] as const;

function useSearchFields(): SearchField[] {
  const { t } = useTranslation('users');
  const levels = useLevels();
  return [
    { key: 'q', label: t('search.text') },
    {
      key: 'treeLevel',
      label: t('field.treeLevel'),
      input: ({ id, value, onChange }) => (
        <Select
          id={id}
          style={{ width: '100%' }}
          allowClear
          placeholder={t('level.any')}
          loading={levels.isPending}
          value={value === '' ? null : value}
          onChange={(level: string | null | undefined) => onChange(level ?? '')}
          options={levels.options.map(({ value: level, label }) => ({ value: String(level), label }))}
        />
      ),
    },
  ];
}

function useUnlock(): (user: User) => void {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const unlock = useSend(unlockAccount, [listUsers], { quiet: true });
  return (user) =>
    unlock.mutate(
      { params: { id: user.id } },
      {
        onSuccess: () => void toast.done(t('unlock.done', { name: user.username })),
        onError: (error) => void toast.failed(`${t('unlock.failed')} · ${errorText(error)}`),
      },
    );
}

/**
 * User management (specified 3.1): search, list, dialog; and what an administrator does with accounts. Filters, page,
 * dialog and sessions stand in the address.
 */
export default function UserManagement() {
  const { t } = useTranslation('menu');
  const address = useListAddress(filterKeys);
  const operator = useOperator();
  const open = useOpen();
  const unlock = useUnlock();
  const previewAs = usePreviewAs();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [given, setGiven] = useState<GivenPassword | null>(null);
  const shown = useCall(listUsers, { query: queryOf(address) }, { enabled: false }).data?.data.find(
    (user) => user.id === address.open,
  );
  // A link may lead to the sessions of somebody on another page.
  const other = useCall(
    getUserDetails,
    { query: { userId: address.open ?? 1 } },
    { enabled: address.open !== null && shown === undefined },
  ).data;
  const mayOpen = address.form === 'new' ? operator.add : operator.edit;
  const act = (action: UserAction, user: User): void => {
    switch (action) {
      case 'edit':
        return address.show({ form: user.id });
      case 'fullScreen':
        return open('user-edit', { handOver: { id: user.id } });
      case 'sessions':
        return address.show({ open: user.id });
      case 'unlock':
        return unlock(user);
      case 'preview':
        return void previewAs(user);
      default:
        return setAsked({ action, user });
    }
  };
  return (
    <Page list>
      <PageBar title={t('user-management')} />
      <SearchPanel fields={useSearchFields()} values={address.filters} onSearch={address.search} />
      <UserList
        address={address}
        operator={operator}
        onAction={act}
        onAdd={() => address.show({ form: 'new' })}
        onAddFull={() => open('user-add')}
      />
      <UserDialog
        form={mayOpen ? address.form : null}
        operator={operator}
        onClose={() => address.show({})}
        onPassword={setGiven}
      />
      <ConfirmDialog asked={asked} onClose={() => setAsked(null)} onPassword={setGiven} />
      <PasswordDialog given={given} onClose={() => setGiven(null)} />
      <SessionsDrawer
        id={address.open}
        name={shown?.username ?? other?.username ?? ''}
        mayEnd={
          operator.edit &&
          !operator.readOnly &&
          (shown === undefined || reasonAgainst('edit', shown, operator) === undefined)
        }
        onClose={() => address.show({})}
        {...(shown ? { onEndAll: () => setAsked({ action: 'endAll', user: shown }) } : {})}
      />
    </Page>
  );
}
