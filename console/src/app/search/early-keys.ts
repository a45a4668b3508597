/** Longer than this nobody types at a search that has not opened (ms). */
const KEPT_MS = 5_000;

let since: number | undefined;
let letters = '';
/** The search has its field: what is typed goes there by itself. */
let isShown = false;

function forget(): void {
  since = undefined;
  letters = '';
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [contenteditable="true"]') !== null);

/**
 * Keeps what is typed between Ctrl K and the moment the search has its field; returns how to stop. Letters that go into
 * a field are left alone.
 */
export function keepEarlyKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (isShown) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      since = event.timeStamp;
      letters = '';
      return;
    }
    if (since === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.timeStamp - since > KEPT_MS || event.key === 'Escape') return forget();
    if (isField(event.target)) return;
    if (event.key === 'Backspace') letters = letters.slice(0, -1);
    else if (event.key.length === 1) letters += event.key;
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', listen, { capture: true });
  return () => window.removeEventListener('keydown', listen, { capture: true });
}

/** What was typed so far; nothing more is kept until `searchClosed`. */
export function takeEarlyKeys(): string {
  const typed = letters;
  forget();
  isShown = true;
  return typed;
}

/** The search is gone, or did not come: the next Ctrl K begins anew. */
export function searchClosed(): void {
  forget();
  isShown = false;
}
