import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './start-error.ts';

/**
 * Makes a folder and its missing parents; returns the first one made, or undefined if it existed. Node's own
 * `recursive` retries without end in a folder where nothing can be made (below /proc, for example).
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return undefined;
  if (there) throw new Error(`${folder} is no folder`);
  const first = makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    // Another process was quicker.
    if (codeOf(thrown) === 'EEXIST') return first;
    throw thrown;
  }
  return first ?? folder;
}
