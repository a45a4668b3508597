import { loadCipher } from './calls.ts';
import { preloadConsole } from './console-preload.ts';

/**
 * While the operator types, what comes next is fetched: the cipher, then the console itself. Repeats change nothing.
 */
export function prepare(): void {
  void loadCipher().catch(() => undefined);
  void preloadConsole();
}
