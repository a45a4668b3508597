import { Button, Input, Modal } from 'antd';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  bindDeviceAccount,
  listDeviceAccounts,
  unbindDeviceAccount,
} from '../../../../contract/register/device-access.ts';
import { ApiError, useCall, useSend } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';
import { Affects } from '../dry-run/Affects.tsx';
import { Icon } from '../icons/Icon.tsx';
import { ErrorState, Skeleton } from '../notices/Notices.tsx';
import { useErrorText } from '../notices/error-text.ts';
import type { Row } from './source.ts';
import { useLast } from './use-last.ts';
import styles from './declared.module.css';

/** Accounts that see a device whatever their work areas: enter the account, add (specified 9.4). */
export function BindDialog({ row, codeField, onClose }: { row: Row | null; codeField: string; onClose: () => void }) {
  const { t } = useTranslation('declared');
  const shown = useLast(row);
  return (
    <Modal
      open={row !== null}
      title={t('bind.title', { code: String(shown?.[codeField] ?? '') })}
      onCancel={onClose}
      width={520}
      footer={<Button onClick={onClose}>{t('detail.close')}</Button>}
      destroyOnHidden
    >
      {shown ? <Bound id={shown.id} /> : null}
    </Modal>
  );
}

function Bound({ id }: { id: number }) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const field = useId();
  const [username, setUsername] = useState('');
  const accounts = useCall(listDeviceAccounts, { params: { id } }, { staleTime: 0 });
  const bind = useSend(bindDeviceAccount, [listDeviceAccounts], { quiet: true });
  const unbind = useSend(unbindDeviceAccount, [listDeviceAccounts], { quiet: true });
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (username.trim() === '') return;
    const bound = await bind.mutateAsync({ params: { id }, body: { username: username.trim() } }).catch(() => null);
    if (bound) setUsername('');
  };
  const failure = bind.error ?? unbind.error;
  const problem =
    failure instanceof ApiError && failure.fieldErrors['username'] !== undefined
      ? t('bind.unknown')
      : failure
        ? errorText(failure)
        : null;
  return (
    <>
      <p>{t('bind.about')}</p>
      <form className={styles.bindForm} onSubmit={(event) => void add(event)} noValidate>
        <label htmlFor={field}>{t('bind.account')}</label>
        <Input
          id={field}
          value={username}
          maxLength={64}
          autoComplete="off"
          placeholder={t('bind.enter')}
          onChange={(event) => {
            bind.reset();
            setUsername(event.target.value);
          }}
        />
        <Button
          type="primary"
          htmlType="submit"
          loading={bind.isPending}
          disabled={inPreview() || username.trim() === ''}
        >
          {t('bind.add')}
        </Button>
      </form>
      {problem === null ? (
        <Affects
          route={bindDeviceAccount}
          input={username.trim() === '' ? null : { params: { id }, body: { username: username.trim() } }}
          things={['deviceAccounts']}
        />
      ) : (
        <p className={styles.note} role="alert">
          {problem}
        </p>
      )}
      {accounts.error && !accounts.data ? (
        <ErrorState error={accounts.error} onRetry={accounts.refetch} />
      ) : !accounts.data ? (
        <Skeleton rows={2} />
      ) : accounts.data.data.length === 0 ? (
        <p>{t('bind.none')}</p>
      ) : (
        <ul className={styles.bound} aria-label={t('bind.list')}>
          {accounts.data.data.map((account) => (
            <li key={account.id}>
              <b>{account.username}</b>
              <span>{account.name}</span>
              <Button
                size="small"
                type="text"
                disabled={inPreview() || unbind.isPending}
                aria-label={`${t('bind.remove')} ${account.username}`}
                title={t('bind.remove')}
                icon={<Icon name="close" size={14} />}
                onClick={() => void unbind.mutateAsync({ params: { id, accountId: account.id } }).catch(() => null)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
