/** Longer than this nobody types at a search that has not opened (ms). */
const KEPT_MS = 5_000;

let since: number | undefined;
let letters = '';

/**
 * Keeps what is typed between Ctrl K and the moment the search has its field; returns how to stop. Letters that go into
 * a field are left alone.
 */
export function keepEarlyKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      since = event.timeStamp;
      letters = '';
      return;
    }
    if (since === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.timeStamp - since > KEPT_MS || event.key === 'Escape') return void takeEarlyKeys();
    if (event.target instanceof HTMLInputElement && event.target.closest('[role="dialog"]')) return;
    if (event.key === 'Backspace') letters = letters.slice(0, -1);
    else if (event.key.length === 1) letters += event.key;
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', listen, { capture: true });
  return () => window.removeEventListener('keydown', listen, { capture: true });
}

/** What was typed so far; from here on nothing is kept. */
export function takeEarlyKeys(): string {
  const typed = letters;
  since = undefined;
  letters = '';
  return typed;
}
