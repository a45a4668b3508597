import { createStore } from 'zustand/vanilla';

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

/** Whether the list of shortcuts is shown. */
export const shortcutHelp = createStore<{ open: boolean }>(() => ({ open: false }));
export const showShortcutHelp = (open: boolean): void => shortcutHelp.setState({ open });

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing' | 'defaultPrevented' | 'target'
>;

/** Where letters are text or choose something: fields, lists, menus, trees, dialogs, the map. */
const typing =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"], [role="listbox"], [role="menu"], [role="tree"], [role="slider"], [role="dialog"], [role="application"]';

/**
 * The shortcut an event means, or undefined: with a modifier, held down, while an input method composes, or where keys
 * belong to what has the focus. Letters go by the physical key too, so that a Korean or Japanese layout does not
 * swallow them.
 */
export function shortcutOf(event: Pressed): ShortcutName | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || event.defaultPrevented)
    return undefined;
  if (event.target instanceof Element && event.target.closest(typing) !== null) return undefined;
  return shortcutNames.find((name) => {
    const key = shortcutKeys[name];
    return (
      event.key.toUpperCase() === key ||
      (/^[A-Z]$/.test(key) && event.code === `Key${key}` && !/^[a-z]$/i.test(event.key))
    );
  });
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
