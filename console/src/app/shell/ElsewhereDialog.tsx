import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { storedToken, storedUsername } from '../../session/index.ts';

/** What another tab did to the session. Nothing is thrown away here: what was typed can still be copied. */
export default function ElsewhereDialog({ change, onClose }: { change: 'ended' | 'replaced'; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const go = (): void => {
    if (change === 'ended' && storedToken() === undefined) window.location.assign('/login');
    else window.location.reload();
  };
  return (
    <Modal
      open
      title={t(`elsewhere.${change}.title`)}
      width={420}
      onOk={go}
      onCancel={onClose}
      mask={{ closable: false }}
      okText={t(change === 'ended' ? 'elsewhere.signIn' : 'reload')}
      cancelText={t('close')}
    >
      {change === 'ended' ? t('elsewhere.ended.text') : t('elsewhere.replaced.text', { name: storedUsername() })}
    </Modal>
  );
}
