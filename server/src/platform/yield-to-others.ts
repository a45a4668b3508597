import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * A lower priority for this thread alone, where the system can name it: other requests go first, and on a machine that
 * is always busy the thread still gets its turn.
 */
export function yieldToOthers(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not Linux: it runs like any other thread.
  }
}
