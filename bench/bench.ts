import { keep } from './keep.ts';
import { measures } from './measures/index.ts';

/**
 * `npm run bench [-- key … [--small]]`: measures and prints; what was measured whole is kept under docs/bench; exit 1
 * when a reach is missed.
 */
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const keys = measures.map(({ key }) => key);
const unknown = wanted.filter((key) => !keys.includes(key));
if (unknown.length > 0) {
  process.stderr.write(`No such measurement: ${unknown.join(', ')}; there are ${keys.join(', ')}.\n`);
  process.exit(1);
}

let missed = 0;
for (const { key, run } of measures.filter((measure) => wanted.length === 0 || wanted.includes(measure.key))) {
  const figures = await run();
  for (const { name, value, unit, reach, note } of figures)
    process.stdout.write(
      `${value <= reach ? 'ok    ' : 'MISSED'} ${name}: ${value.toFixed(2)} ${unit} (reach ${reach} ${unit}; ${note})\n`,
    );
  missed += figures.filter(({ value, reach }) => !(value <= reach)).length;
  if (!process.argv.includes('--small')) keep(key, figures, keys);
}
process.exit(missed > 0 ? 1 : 0);
