import { matchPage } from '../../frame/menu/match-page.ts';
import type { PageRoute } from '../../frame/menu/menu.ts';
import type { PageTab, TabStore } from '../../frame/tabs/tab-store.ts';

/** What a changed menu did to the open pages. */
export interface Followed {
  /**
   * Tabs whose page the account may no longer open: to be told. One that only has another address is not among them.
   */
  gone: readonly PageTab[];
  /** The address to show instead when the shown page is among them: where it moved to, its neighbour, else Home. */
  goTo: string | undefined;
}

/**
 * Takes over another menu while pages are open: what is gone closes, what is called otherwise is renamed, all others
 * stay as they are.
 */
export function followMenu(tabs: TabStore, before: readonly PageRoute[], pages: readonly PageRoute[]): Followed {
  const open = tabs.getState().tabs;
  const closed = open.filter(
    (tab) => matchPage(before, tab.key) !== undefined && matchPage(pages, tab.key) === undefined,
  );
  for (const tab of open) {
    const [old, now] = [matchPage(before, tab.key), matchPage(pages, tab.key)];
    // A tab named after what it shows (a lamp's code) keeps that name.
    if (
      old &&
      now &&
      tab.title === old.title &&
      tab.language === old.language &&
      (now.title !== old.title || now.language !== old.language)
    )
      tabs.rename(tab.key, now.title, now.language);
  }
  const gone = closed.filter((tab) => !pages.some(({ name }) => name === tab.name));
  const shown = closed.find((tab) => tab.selected);
  if (shown === undefined) return { gone, goTo: undefined };
  const moved = pages.find((page) => page.name === shown.name && !page.path.includes(':'));
  const at = open.indexOf(shown);
  const near = [...open.slice(at + 1), ...open.slice(0, at).toReversed()].find((tab) => !closed.includes(tab));
  return { gone, goTo: moved?.path ?? near?.address ?? '/home' };
}
