import { createStore } from 'zustand/vanilla';
import { isKey, isSingle } from '../../frame/single-keys.ts';

/** What a single key does in the console. Ctrl K is the search's own and works everywhere, also while typing. */
export const shortcutNames = ['help', 'find', 'refresh', 'next', 'previous', 'close', 'home'] as const;
export type ShortcutName = (typeof shortcutNames)[number];

/** The key as it is printed; letters lie on the same key in every layout of our six languages. */
export const shortcutKeys: Record<ShortcutName, string> = {
  help: '?',
  find: '/',
  refresh: 'R',
  next: '.',
  previous: ',',
  close: 'X',
  home: 'H',
};

/** Keys of pages that have what they do, pressed one after the other. */
export const pageKeys = {
  row: ['J', 'K', '↓', '↑'],
  open: ['Enter'],
  select: ['Space'],
  peek: ['V'],
  add: ['N'],
  publish: ['P'],
  difference: ['D'],
  revert: ['R', 'R'],
} as const satisfies Record<string, readonly string[]>;

/** Whether the list of shortcuts is shown. */
export const shortcutHelp = createStore<{ open: boolean }>(() => ({ open: false }));
export const showShortcutHelp = (open: boolean): void => shortcutHelp.setState({ open });

/** The shortcut an event means, or undefined. */
export function shortcutOf(event: KeyboardEvent): ShortcutName | undefined {
  return isSingle(event) ? shortcutNames.find((name) => isKey(event, shortcutKeys[name])) : undefined;
}

/** Places where `/` goes to, best first: the page's search panel, else its first search field. */
const searchFields = [
  'form[role="search"] input',
  'input[type="search"]',
  '[data-page-search] input',
  'input[data-page-search]',
];

/** Puts the cursor into the shown page's search; false when it has none, or folded it away. */
export function focusSearch(main: Element | null): boolean {
  for (const places of searchFields) {
    for (const field of main?.querySelectorAll<HTMLInputElement>(places) ?? []) {
      if (field.disabled || field.closest('[hidden]') !== null || !shown(field)) continue;
      field.focus();
      field.select();
      return true;
    }
  }
  return false;
}

/** A page kept alive behind another one is `display: none` on its pane. */
const shown = (field: Element): boolean => field.closest<HTMLElement>('[data-tab]')?.style.display !== 'none';
