import { Modal, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSingleKeys } from '../../frame/single-keys.ts';
import { pageKeys, shortcutKeys, shortcutNames } from './shortcuts.ts';
import styles from './Shortcuts.module.css';

const ofPages = Object.keys(pageKeys) as (keyof typeof pageKeys)[];

/** Every key of the console and of its pages, and the switch of the single ones. */
export default function Help({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const [on, setOn] = useSingleKeys();
  const id = useId();
  return (
    <Modal
      open
      title={t('shortcuts.title')}
      width={440}
      footer={null}
      onCancel={onClose}
      closable={{ 'aria-label': t('close') }}
    >
      <dl className={styles.keys}>
        <div>
          <dt>{t('search.open')}</dt>
          <dd>
            <kbd>Ctrl</kbd>
            <kbd>K</kbd>
          </dd>
        </div>
        {shortcutNames.map((name) => (
          <div key={name} data-off={on ? undefined : ''}>
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd>
              <kbd>{shortcutKeys[name]}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <h3 className={styles.part}>{t('shortcuts.ofPages')}</h3>
      <dl className={styles.keys}>
        {ofPages.map((name) => (
          <div key={name} data-off={on ? undefined : ''}>
            <dt>{t(`shortcuts.page.${name}`)}</dt>
            <dd>
              {pageKeys[name].map((key, index) => (
                <kbd key={index}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.switch}>
        <label htmlFor={id}>{t('shortcuts.single')}</label>
        <Switch id={id} checked={on} onChange={setOn} />
      </div>
      <p className={styles.note}>{t('shortcuts.note')}</p>
    </Modal>
  );
}
