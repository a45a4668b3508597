import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { lineOf, type Failure } from './report.ts';

/**
 * The tests that docs/unsteady.md calls mended: rows `| \`file: test\` | cause | mended in |` whose last cell says in
 * what. A row that cannot be read is an error: a name that stands there wrong would never be found again.
 */
export function mendedTests(document: string): ReadonlySet<string> {
  const rows = document
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  return new Set(
    rows.flatMap((row) => {
      const cells = row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
      const name = /^`(\S+\.(?:test|soak)\.tsx?: .+)`$/.exec(cells[0] ?? '')?.[1];
      if (cells.length !== 3 || name === undefined)
        throw new Error(`docs/unsteady.md: a row is not | \`file: test\` | cause | mended in |: ${row}`);
      return ['', '—', '-'].includes(cells[2] ?? '') ? [] : [name];
    }),
  );
}

export const readMended = (path: string): ReadonlySet<string> => mendedTests(readFileSync(path, 'utf8'));

/** Writes what was unsteady, a line and the whole error of each; nothing unsteady, no file. */
export function writeUnsteady(path: string, unsteady: readonly Failure[]): void {
  if (existsSync(path)) rmSync(path);
  if (unsteady.length === 0) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, unsteady.map((failure) => `UNSTEADY: ${lineOf(failure)}\n\n${failure.details}\n\n`).join(''));
}
