import { lazy, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../parts/index.ts';
import { ApprovalButton } from '../approvals/ApprovalButton.tsx';
import { PartHost } from '../errors/PartHost.tsx';
import { keepEarlyKeys, searchClosed } from '../search/early-keys.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import type { MenuNode } from '../../frame/menu/menu.ts';
import { useMenu } from '../../frame/menu/menu-context.ts';
import { useSettings } from '../settings/settings.ts';
import { TaskButton } from '../tasks/TaskButton.tsx';
import type { Brand } from './brand.ts';
import { FullScreenButton, IconButton, LanguageMenu, UserMenu } from './HeaderMenus.tsx';
import { LiveMark } from './LiveMark.tsx';
import { Mark } from './Mark.tsx';
import { TopMenu } from './TopMenu.tsx';
import { WorkAreaSwitch } from './WorkAreaSwitch.tsx';
import styles from './Header.module.css';

const loadPalette = () => loadChunk('search', () => import('../search/CommandPalette.tsx'));
const CommandPalette = lazy(loadPalette);
const SettingsDrawer = lazy(() => loadChunk('settings', () => import('../settings/SettingsDrawer.tsx')));

/** The search's code comes before it is asked for, once the page has settled: who presses Ctrl K types on at once. */
const PALETTE_AFTER_MS = 3_000;

/** Ctrl K (⌘ K) anywhere opens the menu search. */
function useSearchKey(open: () => void): void {
  useEffect(() => keepEarlyKeys(), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);
}

function usePaletteSoon(): void {
  const { i18n } = useTranslation('shell');
  useEffect(() => {
    const load = () => Promise.all([loadPalette(), i18n.loadNamespaces('search')]).catch(() => undefined);
    const timer = setTimeout(() => void load(), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [i18n]);
}

function SearchButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <button type="button" className={styles.search} onClick={onOpen} aria-keyshortcuts="Control+K">
      <Icon name="search" size={14} />
      <span>{t('search.open')}</span>
      <kbd aria-hidden>Ctrl K</kbd>
    </button>
  );
}

function BrandLink({ brand }: { brand: Brand }) {
  return (
    <Link to="/home" className={styles.brand} title={brand.name}>
      {brand.logo === null ? <Mark /> : <img src={brand.logo} alt="" />}
      <span>{brand.short}</span>
    </Link>
  );
}

/** The first row of the console. On a phone: menu button, mark, search, tasks, settings, account. */
export function Header({
  brand,
  current,
  onMenu,
}: {
  brand: Brand;
  current: MenuNode | undefined;
  onMenu: () => void;
}) {
  const { t } = useTranslation('shell');
  const { top } = useMenu();
  const { menuMode } = useSettings();
  const [panel, setPanel] = useState<'search' | 'settings'>();
  const [openSearch] = useState(() => () => setPanel('search'));
  useSearchKey(openSearch);
  usePaletteSoon();
  return (
    <header className={styles.header}>
      <button type="button" className={styles.menu} aria-label={t('nav.open')} onClick={onMenu}>
        <Icon name="menu" size={18} />
      </button>
      <BrandLink brand={brand} />
      <div className={styles.top}>{menuMode === 'mixed' ? <TopMenu top={top} current={current} /> : null}</div>
      <div className={styles.tools}>
        <SearchButton onOpen={openSearch} />
        <span className={styles.wide}>
          <WorkAreaSwitch />
        </span>
        <span className={styles.wide}>
          <LiveMark />
        </span>
        <span className={styles.wide}>
          <FullScreenButton />
        </span>
        <ApprovalButton />
        <TaskButton />
        <IconButton
          icon="sliders"
          label={t('settings.title')}
          active={panel === 'settings'}
          onClick={() => setPanel('settings')}
        />
        <span className={styles.wide}>
          <LanguageMenu />
        </span>
        <UserMenu />
      </div>
      <PartHost
        onFailed={() => {
          searchClosed();
          setPanel(undefined);
        }}
      >
        {panel === 'search' ? <CommandPalette onClose={() => setPanel(undefined)} /> : null}
        {panel === 'settings' ? <SettingsDrawer onClose={() => setPanel(undefined)} /> : null}
      </PartHost>
    </header>
  );
}
