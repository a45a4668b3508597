import { createContext, useCallback, useContext, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useStore } from 'zustand';
import type { PageRoute } from '../menu/menu.ts';
import { useMenu } from '../menu/menu-context.ts';
import { toast } from '../toast-store.ts';
import { guardUnsaved } from './unsaved.ts';
import type { TabStore } from './tab-store.ts';

export const TabStoreContext = createContext<TabStore | null>(null);
/** The key of the tab a page lives in. */
export const TabKeyContext = createContext<string | null>(null);

export function useTabStore(): TabStore {
  const store = useContext(TabStoreContext);
  if (store === null) throw new Error('tabs are used outside of the shell');
  return store;
}

/** Whether the page that asks is the one shown: what ends later than its page was left opens nothing by itself. */
export function useIsShown(): () => boolean {
  const store = useTabStore();
  const key = useContext(TabKeyContext);
  return () => key === null || store.getState().tabs.some((tab) => tab.key === key && tab.selected);
}

/** Fills a route's parameters; a page without any is its own path. */
const fill = (page: PageRoute, params: Record<string, string | number>): string =>
  page.path.replace(/:([A-Za-z0-9_]+)\??/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));

export interface OpenOptions {
  params?: Record<string, string | number>;
  /** With the leading question mark. */
  search?: string;
  /** What the page finds in its hand-over slot (an edited id). */
  handOver?: unknown;
}

/**
 * `open('user-edit', { handOver: { id } })`, `open('lamp/monitor')`: by route name, component path or absolute address.
 * A page that the account does not have is not opened: a warning says so.
 */
export function useOpen(): (target: string, options?: OpenOptions) => void {
  const { pages } = useMenu();
  const navigate = useNavigate();
  const tabs = useTabStore();
  const { t } = useTranslation('shell');
  return (target, { params = {}, search = '', handOver } = {}) => {
    const page = pages.find((one) => one.name === target) ?? pages.find((one) => one.screen === target);
    if (page === undefined && !target.startsWith('/')) return void toast.warning(t('noPage'));
    const path = page ? fill(page, params) : target;
    const leave = (): void => {
      if (handOver !== undefined) tabs.handOver(path, handOver);
      void navigate(path + search);
    };
    const tab = tabs.getState().tabs.find((one) => one.key === path);
    const replaces =
      tab !== undefined && handOver !== undefined && JSON.stringify(tab.handOver) !== JSON.stringify(handOver);
    if (replaces) guardUnsaved(tabs, [path], leave);
    else leave();
  };
}

/** Closes tabs after asking about unsaved input; when the shown one is among them its neighbour, or `to`, is shown. */
export function useCloseTabs(): (keys: readonly string[], to?: string) => void {
  const tabs = useTabStore();
  const open = useOpen();
  return (keys, to) => {
    guardUnsaved(tabs, keys, () => {
      const shown = tabs.getState().tabs.find((tab) => tab.selected);
      const leaving = shown !== undefined && keys.includes(shown.key);
      const left = tabs.getState().tabs.filter((tab) => !keys.includes(tab.key));
      const near = shown && tabs.neighbour(shown.key);
      const next = near && !keys.includes(near.key) ? near : left.at(-1);
      tabs.remove(keys);
      if (to !== undefined) open(to);
      else if (leaving) open(next?.address ?? '/home');
    });
  };
}

export interface CurrentTab<T> {
  key: string;
  /** What the opening page left here, or undefined. */
  handOver: T | undefined;
  setTitle(title: string): void;
  /** Starts the page anew. */
  refresh(): void;
  /** Closes the page and shows `to` (a route name) or its neighbour. */
  close(to?: string): void;
  /** Shows `to` in place of the page, after asking about unsaved input; a pinned page stays beside it. */
  giveWay(to: string): void;
}

/** The tab a screen lives in. `const { handOver, close } = useTab<{ id: number }>()`. */
export function useTab<T = unknown>(): CurrentTab<T> {
  const tabs = useTabStore();
  const key = useContext(TabKeyContext) ?? '';
  const open = useOpen();
  const closeTabs = useCloseTabs();
  const handOver = useStore(tabs, (state) => state.tabs.find((tab) => tab.key === key)?.handOver) as T | undefined;
  return {
    key,
    handOver,
    setTitle: (title) => tabs.setTitle(key, title),
    refresh: () => guardUnsaved(tabs, [key], () => tabs.refresh(key)),
    close: (to) => {
      tabs.setUnsaved(key, false);
      closeTabs([key], to);
    },
    giveWay: (to) => {
      if (tabs.getState().tabs.some((tab) => tab.key === key && tab.pinned)) open(to);
      else closeTabs([key], to);
    },
  };
}

/** Names the tab after what the page shows: a lamp's code, a role's name. */
export function useTabTitle(title: string | undefined): void {
  const tabs = useTabStore();
  const key = useContext(TabKeyContext) ?? '';
  useEffect(() => {
    if (title !== undefined && title !== '') tabs.setTitle(key, title);
  }, [tabs, key, title]);
}

const isShown = (tabs: TabStore, key: string): boolean =>
  tabs.getState().tabs.some((tab) => tab.key === key && tab.selected);

/**
 * Says from anywhere, also while the tab is hidden and effects rest, whether this part of the page holds something that
 * closing would lose.
 */
export function useUnsavedMark(): (unsaved: boolean) => void {
  const tabs = useContext(TabStoreContext);
  const key = useContext(TabKeyContext) ?? '';
  const holder = useId();
  return useCallback((unsaved) => tabs?.setUnsaved(key, unsaved, holder), [tabs, key, holder]);
}

/**
 * Says that the page holds input nobody saved: closing, refreshing, changing the language or signing out then asks
 * first.
 */
export function useUnsaved(unsaved: boolean): void {
  const tabs = useContext(TabStoreContext);
  const key = useContext(TabKeyContext) ?? '';
  const mark = useUnsavedMark();
  useEffect(() => {
    mark(unsaved);
    // Effects also stop when the tab is only hidden; what was typed is still there then.
    return () => {
      if (tabs !== null && isShown(tabs, key)) mark(false);
    };
  }, [tabs, key, mark, unsaved]);
}

/**
 * Something expensive that lives as long as the tab (a map, a worker): made once, kept while the page is hidden,
 * disposed of when the tab is closed or starts anew.
 */
export function useKept<T>(create: () => T, dispose: (kept: T) => void): T {
  const tabs = useContext(TabStoreContext);
  const key = useContext(TabKeyContext) ?? '';
  const [kept] = useState(() => {
    const made = create();
    tabs?.onClosed(key, () => dispose(made));
    return made;
  });
  return kept;
}

/**
 * Runs when what calls it goes for good: its page drops it, or its tab is closed or starts anew; not while the tab is
 * only hidden. May run twice.
 */
export function useGone(gone: () => void): void {
  const tabs = useContext(TabStoreContext);
  const key = useContext(TabKeyContext) ?? '';
  const latest = useRef(gone);
  useKept(
    () => latest,
    (kept) => kept.current(),
  );
  useEffect(() => {
    latest.current = gone;
  }, [gone]);
  useEffect(
    () => () => {
      if (tabs === null || isShown(tabs, key)) latest.current();
    },
    [tabs, key],
  );
}
