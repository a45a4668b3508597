import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './measure.ts';

/** What one measurement showed when it was last run whole. */
interface Kept {
  readonly key: string;
  readonly day: string;
  readonly commit: string;
  readonly machine: string;
  /** Of the machine at the end: far above its cores somebody else was at work too. */
  readonly load: number;
  readonly figures: readonly Figure[];
}

const folder = join(import.meta.dirname, '../docs/bench');
const file = join(folder, 'results.json');

/**
 * Replaces the figures of one measurement, with the raw samples, and rewrites the table of all measurements
 * (docs/bench).
 */
export function keep(key: string, figures: readonly Figure[], order: readonly string[]): void {
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept[]) : [];
  const now: Kept = {
    key,
    day: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    figures,
  };
  const all = [...earlier.filter((one) => one.key !== key && order.includes(one.key)), now].sort(
    (a, b) => order.indexOf(a.key) - order.indexOf(b.key),
  );
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`);
  writeFileSync(join(folder, 'README.md'), table(all));
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const number = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

const table = (all: readonly Kept[]): string =>
  [
    '# What was measured',
    '',
    'Written by `npm run bench`: every measurement as it was when it last ran whole; the raw samples stand in [results.json](results.json). A figure may be at most its reach.',
    'Ratios are against an anchor in the same run. The load is that of the machine in the last minute of the measurement, the measurement itself included.',
    'The other pages here have single measurements behind a [decision record](../adr/README.md), one page a topic.',
    '',
    '| Measurement | Key | Measured | Reach | | How | Day, commit | Load |',
    '|---|---|---:|---:|---|---|---|---:|',
    ...all.flatMap(({ key, day, commit, load, figures }) =>
      figures.map(
        ({ name, value, unit, reach, note }) =>
          `| ${[cell(name), `\`${key}\``, `${number(value)} ${unit}`, `${number(reach)} ${unit}`, value <= reach ? '✓' : '**missed**', cell(note), `${day}, ${commit}`, load].join(' | ')} |`,
      ),
    ),
    '',
    `Machines: ${[...new Set(all.map(({ machine }) => machine))].join('; ')}.`,
    '',
  ].join('\n');
