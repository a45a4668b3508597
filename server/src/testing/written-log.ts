import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createLog, type Log, type LogLevel } from '../platform/log.ts';

/**
 * The program's real log, written to a file, and its lines from `info` on as they were written. Call it at the top of a
 * test file.
 */
export function writtenLog(level: LogLevel = 'info'): { readonly log: Log; lines(): Record<string, unknown>[] } {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  afterAll(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  return {
    log: createLog(level, { isTTY: false, fd }),
    lines: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
