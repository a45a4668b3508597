import { Button, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon, toast } from '../../index.ts';
import { useLast } from '../../declared/use-last.ts';
import styles from './people.module.css';

export interface GivenPassword {
  username: string;
  password: string;
}

/** A random initial password, shown this once. Only its own button closes it: a stray click must not lose it. */
export function PasswordDialog({ given, onClose }: { given: GivenPassword | null; onClose: () => void }) {
  const { t } = useTranslation('users');
  const shown = useLast(given);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(shown?.password ?? '');
      toast.done(t('password.copied'));
    } catch {
      toast.warning(t('password.noCopy'), 6_000);
    }
  };
  return (
    <Modal
      open={given !== null}
      title={t('password.title', { name: shown?.username ?? '' })}
      width={460}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <Button type="primary" onClick={onClose}>
          {t('password.kept')}
        </Button>
      }
    >
      <p className={styles.once} role="status">
        {t('password.once')}
      </p>
      <div className={styles.secret}>
        <output className="code" aria-label={t('password.label')}>
          {given?.password ?? ''}
        </output>
        <Button icon={<Icon name="document" size={14} />} onClick={() => void copy()}>
          {t('password.copy')}
        </Button>
      </div>
      <p className={styles.valid}>{t('password.valid')}</p>
    </Modal>
  );
}
