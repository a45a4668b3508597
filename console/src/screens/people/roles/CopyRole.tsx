import { Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyRole, listRoleSummaries } from '../../../../../contract/people/roles.ts';
import { listRoleOptions, listRoles, roleLimits, type RoleDetail } from '../../../../../contract/specified/roles.ts';
import { useSend } from '../../../api/index.ts';
import { FirstFocus } from '../../../parts/form/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import styles from './roles.module.css';

/** Asks for the name of a copy; menus, icon, extent and parent come along. */
export function CopyRole({
  role,
  onClose,
  onCopied,
}: {
  role: RoleDetail | null;
  onClose: () => void;
  onCopied: (id: number) => void;
}) {
  const { t } = useTranslation('roles');
  const errorText = useErrorText();
  const id = useId();
  const shown = useLast(role);
  const copy = useSend(copyRole, [listRoles, listRoleOptions, listRoleSummaries], { quiet: true });
  const [name, setName] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const value = name ?? [...t('copy.name', { name: shown?.name ?? '' })].slice(0, roleLimits.name.max).join('');
  const leave = (): void => {
    setName(undefined);
    setFailure(null);
    onClose();
  };
  const submit = async (): Promise<void> => {
    if (role === null) return;
    if (value.trim() === '') return setFailure(t('rule.required'));
    try {
      const made = await copy.mutateAsync({ params: { id: role.id }, body: { name: value.trim() } });
      toast.done(t('copy.done', { name: made.name }));
      leave();
      onCopied(made.id);
    } catch (cause) {
      setFailure(errorText(cause));
    }
  };
  return (
    <Modal
      open={role !== null}
      title={t('copy.title', { name: shown?.name ?? '' })}
      width={440}
      onCancel={leave}
      onOk={() => void submit()}
      destroyOnHidden
      okText={t('copy.ok')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: copy.isPending, disabled: copy.isPending }}
    >
      <div className={styles.field}>
        <label htmlFor={id}>{t('field.name')}</label>
        <FirstFocus>
          <Input
            id={id}
            value={value}
            maxLength={roleLimits.name.max}
            onChange={(event) => {
              setName(event.target.value);
              setFailure(null);
            }}
            onPressEnter={() => void submit()}
            aria-invalid={failure !== null || undefined}
            {...(failure === null ? {} : { 'aria-describedby': `${id}-below`, status: 'error' as const })}
          />
        </FirstFocus>
        {failure === null ? (
          <span className={styles.hint}>{t('copy.hint')}</span>
        ) : (
          <span id={`${id}-below`} className={styles.failure} role="alert">
            <Icon name="warning" size={12} />
            {failure}
          </span>
        )}
      </div>
    </Modal>
  );
}
