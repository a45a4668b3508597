import { local } from '../session/index.ts';

const KEY = 'lastActivity';
const SHARE_EVERY_MS = 5_000;
const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'pointermove'] as const;

let lastHere = Date.now();
let lastShared = 0;

function note(): void {
  lastHere = Date.now();
  if (lastHere - lastShared < SHARE_EVERY_MS) return;
  lastShared = lastHere;
  local.set(KEY, String(lastHere));
}

/** When somebody last touched the console, in this or another tab; milliseconds since 1970. */
export const lastActivityAt = (): number => Math.max(lastHere, Number(local.get(KEY) ?? 0) || 0);

/**
 * A request that nothing the operator did here led to within 10 s is the console's own (X-Background, specified 1.10).
 */
export const startedByConsole = (): boolean => Date.now() - lastHere > 10_000;

/** Listens for the operator's hands; returns the stop function. */
export function watchActivity(): () => void {
  note();
  const options = { capture: true, passive: true };
  for (const event of EVENTS) window.addEventListener(event, note, options);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, note, options);
  };
}
