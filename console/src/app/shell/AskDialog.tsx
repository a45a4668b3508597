import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Asked } from '../../frame/ask.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';

/** The shell's one question at a time: unsaved input, or commands that wait to be sent, are about to be lost. */
export default function AskDialog({ question, answer }: Asked) {
  const { t } = useTranslation('shell');
  const titleOf = useMenuTitle();
  return (
    <Modal
      open
      title={t(`${question.kind}.title`)}
      width={420}
      okText={t(question.kind === 'held' ? 'held.signOut' : 'unsaved.discard')}
      okButtonProps={{ danger: true }}
      cancelText={t('unsaved.stay')}
      onOk={() => answer(true)}
      onCancel={() => answer(false)}
    >
      {question.kind === 'held'
        ? t('held.text', { what: question.what.join(' · ') })
        : t('unsaved.text', { titles: question.pages.map(titleOf).join(' · ') })}
    </Modal>
  );
}
