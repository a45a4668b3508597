import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './start-error.ts';

/**
 * Makes a folder and those above it that are missing; returns the first one made, or undefined when it was there.
 * Node's own `recursive` tries for ever where a folder exists that nothing can be made in (below /proc, say).
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
