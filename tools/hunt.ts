import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './run.ts';
import { huntLines } from './test/hunted.ts';
import { prepareMachine } from './test/machine.ts';
import type { Report } from './test/report.ts';
import { runVitest } from './test/vitest.ts';

/**
 * npm run hunt -- n [--project name] [file …]: the tests n times beside a busy core, and what failed in some of these
 * runs.
 */
const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { project: { type: 'string', multiple: true } },
});
const [times = '', ...filters] = positionals;
const runs = Number(times);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write(
    'npm run hunt -- n [--project server|catalogue|console|journeys] [file …]: n is how many times\n',
  );
  process.exit(1);
}
prepareMachine().forEach((line) => process.stdout.write(`${line}\n`));

const journeys = 'journeys';
const projects = values.project ?? [];
const configs = [
  ...(projects.length === 0 || projects.some((name) => name !== journeys) ? ['vitest.config.ts'] : []),
  ...(projects.length === 0 || projects.includes(journeys) ? ['e2e/vitest.config.ts'] : []),
];
const optionsOf = (config: string): string[] => [
  ...projects
    .filter((name) => (name === journeys) === config.startsWith('e2e/'))
    // Those that wait are journeys too.
    .flatMap((name) => ['--project', name === journeys ? `${name}*` : name]),
  ...filters,
];

const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
const stop = () => busy.kill('SIGKILL');
process.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const done: Report[] = [];
for (let run = 1; run <= runs; run += 1) {
  const begin = performance.now();
  const reports = [];
  for (const config of configs) reports.push(await runVitest({ config, more: optionsOf(config) }));
  const one = { files: reports.flatMap(({ files }) => files), lost: reports.flatMap(({ lost }) => lost) };
  done.push(one);
  huntLines([one]).forEach((line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`run ${run} of ${runs}: ${((performance.now() - begin) / 60_000).toFixed(1)} minutes\n`);
}
stop();

const lines = huntLines(done);
mkdirSync(join(root, 'test-results'), { recursive: true });
writeFileSync(join(root, 'test-results/hunt.txt'), lines.map((line) => `${line}\n`).join(''));
lines.forEach((line) => process.stdout.write(`${line}\n`));
process.stdout.write(
  `hunt: ${runs} ${runs === 1 ? 'run' : 'runs'} of ${done[0]?.files.length ?? 0} files, ${lines.length} tests failed in some\n`,
);
process.exitCode = lines.length > 0 ? 1 : 0;
