import { Modal } from 'antd';
import { useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/index.ts';
import { iconNameOf } from '../../parts/icon/Icon.tsx';
import { useMenu, useMenuTitle } from '../menu/menu-context.ts';
import { useOpen } from '../tabs/tab-context.ts';
import { findablePages, findMenus, type Findable, type Romanise } from './find-menus.ts';
import styles from './CommandPalette.module.css';

const none: Romanise = () => [];

/** Pinyin arrives a moment after the dialog; until then titles are searched. */
function useRomanise(): Romanise {
  const [romanise, setRomanise] = useState<Romanise>(() => none);
  useEffect(() => {
    let gone = false;
    import('./pinyin.ts').then((module) => (gone ? undefined : setRomanise(() => module.romanise)), () => undefined);
    return () => {
      gone = true;
    };
  }, []);
  return romanise;
}

/** Ctrl K: finds a menu by its name, pinyin or initials, and opens it. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const menu = useMenu();
  const titleOf = useMenuTitle();
  const open = useOpen();
  const romanise = useRomanise();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const pages = useMemo(() => findablePages(menu, titleOf, romanise), [menu, titleOf, romanise]);
  const found = findMenus(pages, text);
  const choice = found[Math.min(at, found.length - 1)];

  const go = (to: Findable | undefined): void => {
    if (to === undefined) return;
    onClose();
    open(to.page.path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) go(choice);
  };
  return (
    <Modal open onCancel={onClose} footer={null} closable={false} width={560} title={<span className="visually-hidden">{t('search.open')}</span>} className={styles.palette ?? ''} style={{ top: 72 }}>
      <div className={styles.field}>
        <Icon name="search" />
        <input
          autoFocus value={text} placeholder={t('search.placeholder')} onKeyDown={onKeyDown} onChange={(event) => { setText(event.target.value); setAt(0); }}
          role="combobox" aria-expanded={found.length > 0} aria-controls={`${id}-list`} aria-label={t('search.open')} aria-autocomplete="list"
          {...(choice ? { 'aria-activedescendant': `${id}-${choice.page.path}` } : {})}
        />
      </div>
      <ul id={`${id}-list`} role="listbox" aria-label={t('search.results')} className={styles.list}>
        {found.map((one) => (
          <li key={one.page.path} id={`${id}-${one.page.path}`} role="option" aria-selected={one === choice} className={one === choice ? styles.on : undefined} onClick={() => go(one)} onMouseMove={() => setAt(found.indexOf(one))}>
            <Icon name={iconNameOf(one.page.icon)} />
            <span>{one.title}</span>
            <small>{one.path}</small>
          </li>
        ))}
      </ul>
      <div className={styles.foot} aria-live="polite">{found.length === 0 ? t('search.none', { text: text.trim() }) : t('search.hint')}</div>
    </Modal>
  );
}
