import { lazy, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { loadChunk } from '../../api/load-chunk.ts';
import { toast } from '../../parts/index.ts';
import { useSingleKeys } from '../../frame/single-keys.ts';
import { useCloseTabs, useOpen, useTabStore } from '../../frame/tabs/tab-context.ts';
import { closable } from '../../frame/tabs/tab-store.ts';
import { guardUnsaved } from '../../frame/tabs/unsaved.ts';
import { PartHost } from '../errors/PartHost.tsx';
import { focusSearch, shortcutHelp, shortcutOf, showShortcutHelp, type ShortcutName } from './shortcuts.ts';

const Help = lazy(() => loadChunk('shortcuts', () => import('./ShortcutHelp.tsx')));

function useActions(): Record<ShortcutName, () => void> {
  const { t } = useTranslation('shell');
  const store = useTabStore();
  const open = useOpen();
  const close = useCloseTabs();
  const step = (by: number): void => {
    const { tabs } = store.getState();
    const at = tabs.findIndex((tab) => tab.selected);
    const next = tabs.at((at + by) % Math.max(1, tabs.length));
    if (next !== undefined && !next.selected) open(next.address);
  };
  const current = () => store.getState().tabs.find((tab) => tab.selected);
  return {
    help: () => showShortcutHelp(true),
    find: () => {
      if (!focusSearch(document.getElementById('main'))) toast.note(t('shortcuts.noSearch'));
    },
    refresh: () => {
      const tab = current();
      if (tab) guardUnsaved(store, [tab.key], () => store.refresh(tab.key));
    },
    next: () => step(1),
    previous: () => step(-1),
    close: () => {
      const tab = current();
      if (tab && closable(tab)) close([tab.key]);
    },
    home: () => open('/home'),
  };
}

/** Whoever presses Ctrl K types on at once, a moment before the search is there: these letters are no shortcuts. */
const SEARCH_OPENS_MS = 1_500;

/** Listens for the console's single keys and shows, on `?`, which there are. */
export function Shortcuts() {
  const { open } = useStore(shortcutHelp);
  const [on] = useSingleKeys();
  const actions = useActions();
  const searchedAt = useRef(Number.NEGATIVE_INFINITY);
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') searchedAt.current = event.timeStamp;
    const name = on && event.timeStamp - searchedAt.current > SEARCH_OPENS_MS ? shortcutOf(event) : undefined;
    if (name === undefined || document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
    event.preventDefault();
    actions[name]();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => pressed(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  const close = (): void => showShortcutHelp(false);
  return <PartHost onFailed={close}>{open ? <Help onClose={close} /> : null}</PartHost>;
}
