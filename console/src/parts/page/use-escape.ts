import { useEffect, useEffectEvent, type RefObject } from 'react';

/** What has Esc for itself while it is open. */
const open = [
  '[role="dialog"][aria-modal="true"]',
  '.ant-dropdown:not(.ant-dropdown-hidden)',
  '.ant-select-open',
  '.ant-popover:not(.ant-popover-hidden)',
  '.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)',
].join(', ');
/** A map or another drawing that is worked with keys. */
const worked = '[role="application"]:focus';

function isTaken(panel: Element | null): boolean {
  const drawing = document.querySelector(worked);
  return document.querySelector(open) !== null || (drawing !== null && panel?.contains(drawing) !== true);
}

/**
 * Esc closes a panel that stands beside the page, unless something above it is open. What is open is looked at before
 * anybody hears the key: a list of choices that closes with it is still there then.
 */
export function useEscape(panel: RefObject<Element | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    let free = false;
    const before = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') free = !isTaken(panel.current);
    };
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || !free) return;
      event.preventDefault();
      close();
    };
    window.addEventListener('keydown', before, { capture: true });
    window.addEventListener('keydown', leave);
    return () => {
      window.removeEventListener('keydown', before, { capture: true });
      window.removeEventListener('keydown', leave);
    };
  }, [panel]);
}
