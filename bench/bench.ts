import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './measure.ts';
import { measures } from './measures/index.ts';

/** `npm run bench [-- key …]`: measures, prints, keeps the result under docs/bench; exit 1 when a reach is missed. */
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const unknown = wanted.filter((key) => !measures.some((measure) => measure.key === key));
if (unknown.length > 0) {
  process.stderr.write(`No such measurement: ${unknown.join(', ')}; there are ${measures.map((measure) => measure.key).join(', ')}.\n`);
  process.exit(1);
}

const figures: Figure[] = [];
for (const measure of measures.filter(({ key }) => wanted.length === 0 || wanted.includes(key))) {
  for (const figure of await measure.run()) {
    figures.push(figure);
    process.stdout.write(`${figure.value <= figure.reach ? 'ok    ' : 'MISSED'} ${figure.name}: ${figure.value.toFixed(2)} ${figure.unit} (reach ${figure.reach} ${figure.unit}; ${figure.note})\n`);
  }
}
const missed = figures.filter((figure) => !(figure.value <= figure.reach));
if (wanted.length === 0) keep(figures);
process.exit(missed.length > 0 ? 1 : 0);

function keep(results: readonly Figure[]): void {
  const folder = join(import.meta.dirname, '../docs/bench');
  mkdirSync(folder, { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = { processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length, memoryGB: Math.round(totalmem() / 2 ** 30), node: process.version };
  writeFileSync(join(folder, `${day}.json`), `${JSON.stringify({ day, commit, machine, figures: results }, null, 2)}\n`);
}
