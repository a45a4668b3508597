import { useEffect, useEffectEvent } from 'react';
import { usePreference } from './preferences.ts';

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing' | 'defaultPrevented' | 'target'
>;

/** Where letters are text. */
export const fields =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="textbox"], [role="combobox"]';

/** Where letters are text or choose something: fields, lists, menus, trees, dialogs, the map. */
const typing = `${fields}, [role="listbox"], [role="menu"], [role="tree"], [role="slider"], [role="dialog"], [role="application"]`;

/**
 * Whether a key that is pressed may mean something alone: not with a modifier, held down, while an input method
 * composes, or where keys belong to what has the focus.
 */
export const isSingle = (event: Pressed): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || event.defaultPrevented) &&
  !(event.target instanceof Element && event.target.closest(typing) !== null);

/** Letters go by the physical key too, so that a Korean or Japanese layout does not swallow them. */
export const isKey = (event: Pressed, key: string): boolean =>
  event.key.toUpperCase() === key || (/^[A-Z]$/.test(key) && event.code === `Key${key}` && !/^[a-z]$/i.test(event.key));

/** Kept with the account: false when its single keys do nothing (they get in the way of speech input, WCAG 2.1.4). */
export const useSingleKeys = (): [boolean, (on: boolean) => void] =>
  usePreference('singleKeys', true, (stored) => stored !== false);

/** What a key does; `row`: the row of a list that has the focus. False: it did nothing, others may. */
type Act = (row: number | null) => boolean | void;

/**
 * The single keys of the shown page, beside those of the console. `before`: they are asked first, for keys that both
 * know.
 */
export function usePageKeys(keys: Readonly<Record<string, Act>>, before = false): void {
  const [on] = useSingleKeys();
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!on || !isSingle(event) || document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
    const act = Object.entries(keys).find(([key]) => isKey(event, key))?.[1];
    const row = event.target instanceof Element ? event.target.closest('[data-row-key]') : null;
    if (act === undefined || act(row === null ? null : Number(row.getAttribute('data-row-key'))) === false) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => pressed(event);
    window.addEventListener('keydown', listen, before);
    return () => window.removeEventListener('keydown', listen, before);
  }, [before]);
}
