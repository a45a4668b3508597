import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** How much of the past the devices of a city have delivered: shares from 0 to 1 of the last day and of the week before. */
export interface Progress {
  readonly token: string;
  readonly day: number;
  readonly week: number;
}

export function writeProgress(file: string, progress: Progress): void {
  writeFileSync(`${file}.new`, JSON.stringify(progress));
  renameSync(`${file}.new`, file);
}

/** What stands there for a city; undefined: nothing that can be read. */
export function readProgress(file: string, token: string): Progress | undefined {
  try {
    const progress = JSON.parse(readFileSync(file, 'utf8')) as Partial<Progress>;
    const whole = progress.token === token && typeof progress.day === 'number' && typeof progress.week === 'number';
    return whole ? (progress as Progress) : undefined;
  } catch {
    return undefined;
  }
}
