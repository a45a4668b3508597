import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteLoginAppearance } from '../../../../../contract/people/login-appearances.ts';
import { useSend } from '../../../api/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { isGeneral, type Appearance } from './appearance.ts';
import { refreshed } from './use-appearance-form.ts';
import styles from './appearance.module.css';

/** Asks before a host's appearance is deleted, or the general one goes back to the product's own. */
export function RemoveDialog({
  one,
  onClose,
  onRemoved,
}: {
  one: Appearance | null;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const { t } = useTranslation('appearance');
  const errorText = useErrorText();
  const shown = useLast(one);
  const remove = useSend(deleteLoginAppearance, refreshed, { quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const general = shown !== null && isGeneral(shown);
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (one === null) return;
    setFailure(null);
    try {
      await remove.mutateAsync({ params: { id: one.id } });
      toast.done(t(general ? 'reset.done' : 'delete.done'));
      leave();
      onRemoved();
    } catch (cause) {
      setFailure(cause);
    }
  };
  return (
    <Modal
      open={one !== null}
      title={general ? t('reset.title') : t('delete.title', { host: shown?.host ?? '' })}
      width={440}
      onCancel={leave}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t(general ? 'reset' : 'delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: remove.isPending, disabled: remove.isPending }}
    >
      <p>{t(general ? 'reset.text' : 'delete.text')}</p>
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t('delete.failed')} · {errorText(failure)}
          </span>
        </p>
      )}
    </Modal>
  );
}
