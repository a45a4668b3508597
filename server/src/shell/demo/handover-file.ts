import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readHandover, type Handover } from '../../../../simulator/city/handover.ts';
import { readProgress, type Progress } from '../../../../simulator/city/progress.ts';

/** The one file that the simulator reads; 0600 in a folder of its own, for it holds passwords in clear. */
export const handoverFile = (folder: string): string => join(folder, 'simulator.json');

/** What stands there for this seeding; undefined when it is absent, torn or of another one. */
export function findHandover(folder: string, token: string): Handover | undefined {
  try {
    const handover = readHandover(readFileSync(handoverFile(folder), 'utf8'));
    return handover.token === token ? handover : undefined;
  } catch {
    return undefined;
  }
}

/** What the simulator says of itself there; undefined before it began. */
export function findProgress(folder: string, token: string): Progress | undefined {
  try {
    return readProgress(readFileSync(join(folder, 'progress.json'), 'utf8'), token);
  } catch {
    return undefined;
  }
}

/** On the disk when this returns, whole or not at all. */
export function writeHandover(folder: string, handover: Handover): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = handoverFile(folder);
  const handle = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(handle, JSON.stringify(handover));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.new`, file);
}
