import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { useMenu } from '../../frame/menu/menu-context.ts';
import { LanguageMenu } from './HeaderMenus.tsx';
import { LiveMark } from './LiveMark.tsx';
import { SideMenu } from './SideMenu.tsx';
import { WorkAreaSwitch } from './WorkAreaSwitch.tsx';
import styles from './PhoneMenu.module.css';

/** On a narrow screen the whole menu and what the header has no room for. */
export default function PhoneMenu({ current, onClose }: { current: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const { top } = useMenu();
  return (
    <Drawer
      open
      placement="left"
      size={300}
      onClose={onClose}
      title={t('nav.top')}
      closable={{ 'aria-label': t('close') }}
      className={styles.drawer ?? ''}
      footer={
        <div className={styles.foot}>
          <LiveMark />
          <LanguageMenu />
        </div>
      }
    >
      <div className={styles.area}>
        <WorkAreaSwitch />
      </div>
      <SideMenu nodes={top} current={current} collapsed={false} onGo={onClose} />
    </Drawer>
  );
}
