import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { asked } from '../../frame/ask.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';

/** The shell's one question at a time: unsaved input is about to be lost. */
export function AskHost() {
  const { t } = useTranslation('shell');
  const titleOf = useMenuTitle();
  const current = useStore(asked, (state) => state.current);
  return (
    <Modal
      open={current !== undefined}
      title={t('unsaved.title')}
      width={420}
      destroyOnHidden
      okText={t('unsaved.discard')}
      okButtonProps={{ danger: true }}
      cancelText={t('unsaved.stay')}
      onOk={() => current?.answer(true)}
      onCancel={() => current?.answer(false)}
    >
      {current ? t('unsaved.text', { titles: current.question.pages.map(titleOf).join(' · ') }) : null}
    </Modal>
  );
}
