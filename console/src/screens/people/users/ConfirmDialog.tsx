import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  endAccountSessions,
  listAccountSessions,
  setAccountDisabled,
} from '../../../../../contract/people/accounts.ts';
import { deleteUser, listUsers, resetUserPassword } from '../../../../../contract/specified/users.ts';
import { useSend } from '../../../api/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import type { GivenPassword } from '../../../parts/people/users/PasswordDialog.tsx';
import { rolesOf, type User } from '../../../parts/people/users/user.ts';
import styles from './users.module.css';

export type Confirmed = 'delete' | 'reset' | 'disable' | 'enable' | 'endAll';
export interface Asked {
  action: Confirmed;
  user: User;
}

const okKeys = {
  delete: 'action.delete',
  reset: 'action.reset',
  disable: 'action.disable',
  enable: 'action.enable',
  endAll: 'sessions.endAll',
} as const;

/** Does what was confirmed; a failure is thrown. */
function useConfirmed(onPassword: (given: GivenPassword) => void): (asked: Asked) => Promise<void> {
  const { t } = useTranslation('users');
  const quiet = { quiet: true };
  const remove = useSend(deleteUser, [listUsers], quiet);
  const reset = useSend(resetUserPassword, [listUsers, listAccountSessions], quiet);
  const disable = useSend(setAccountDisabled, [listUsers, listAccountSessions], quiet);
  const endAll = useSend(endAccountSessions, [listUsers, listAccountSessions], quiet);
  return async ({ action, user }) => {
    const params = { id: user.id };
    if (action === 'reset') {
      const { data } = await reset.mutateAsync({ params });
      return onPassword({ username: user.username, password: data.password });
    }
    if (action === 'delete') await remove.mutateAsync({ params });
    else if (action === 'endAll') await endAll.mutateAsync({ params });
    else await disable.mutateAsync({ params, body: { disabled: action === 'disable', version: user.version } });
    toast.done(t(`confirm.${action}.done`, { name: user.username }));
  };
}

function Lost({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const roles = rolesOf(user, t('list.separator'));
  return (
    <>
      <p>{t('confirm.delete.lost')}</p>
      <ul className={styles.lost}>
        <li>{t('confirm.delete.profile')}</li>
        {roles === null ? null : <li>{t('confirm.delete.roles', { roles })}</li>}
        {user.sessions > 0 ? <li>{t('confirm.delete.sessions', { n: user.sessions })}</li> : null}
      </ul>
      <p>{t('confirm.delete.final')}</p>
    </>
  );
}

/**
 * Asks before what cannot be taken back, or ends other people's work; names what is lost; a failure stays in the
 * dialog.
 */
export function ConfirmDialog({
  asked,
  onClose,
  onPassword,
}: {
  asked: Asked | null;
  onClose: () => void;
  onPassword: (given: GivenPassword) => void;
}) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const run = useConfirmed(onPassword);
  const shown = useLast(asked);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (asked === null) return;
    setRunning(true);
    setFailure(null);
    try {
      await run(asked);
      onClose();
    } catch (cause) {
      setFailure(cause);
    } finally {
      setRunning(false);
    }
  };
  if (shown === null) return null;
  const { action, user } = shown;
  return (
    <Modal
      open={asked !== null}
      title={t(`confirm.${action}.title`, { name: user.username })}
      width={440}
      onCancel={leave}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t(okKeys[action])}
      cancelText={t('dialog.cancel')}
      okButtonProps={{ danger: action !== 'enable' && action !== 'reset', loading: running, disabled: running }}
    >
      {action === 'delete' ? <Lost user={user} /> : <p>{t(`confirm.${action}.text`)}</p>}
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t(`confirm.${action}.failed`)} · {errorText(failure)}
          </span>
        </p>
      )}
    </Modal>
  );
}
