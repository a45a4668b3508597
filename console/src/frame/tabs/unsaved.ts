import { ask } from '../ask.ts';
import type { TabStore } from './tab-store.ts';

/** Goes on at once when none of the tabs holds unsaved input, else after the operator has agreed to lose it. */
export function guardUnsaved(tabs: TabStore, keys: readonly string[], proceed: () => void): void {
  const { unsaved, tabs: open } = tabs.getState();
  const pages = open
    .filter((tab) => keys.includes(tab.key) && unsaved.has(tab.key))
    .map(({ title, language }) => ({ title, language }));
  if (pages.length === 0) return proceed();
  void ask({ kind: 'unsaved', pages }).then((agreed) => {
    if (agreed) proceed();
  });
}

/** The same for all tabs: before a reload, another language, signing out. */
export const guardAllUnsaved = (tabs: TabStore, proceed: () => void): void =>
  guardUnsaved(
    tabs,
    tabs.getState().tabs.map((tab) => tab.key),
    proceed,
  );
