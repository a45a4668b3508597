import { useEffect, useEffectEvent } from 'react';

const typing =
  'input, textarea, select, [role="textbox"], [role="combobox"], [role="listbox"], [role="menu"], [role="slider"], [role="dialog"]';

/** `P` alone, where no letters are typed. */
function isPublishKey({
  target,
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  repeat,
  isComposing,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented) return false;
  if (target instanceof Element && target.closest(typing) !== null) return false;
  return key.toUpperCase() === 'P' || (code === 'KeyP' && !/^[a-z]$/i.test(key));
}

/** `P` publishes what the shown page stands for; `row`: the row of a list that has the focus. */
export function usePublishKey(enabled: boolean, publish: (row: number | null) => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!enabled || !isPublishKey(event)) return;
    event.preventDefault();
    const row = event.target instanceof Element ? event.target.closest('[data-row-key]') : null;
    publish(row === null ? null : Number(row.getAttribute('data-row-key')));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => pressed(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
