import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparedVariable } from '../e2e/fixtures/prepared-database.ts';
import { checkSteps } from './check/steps.ts';
import { program, root, runSteps } from './run.ts';
import { prepareMachine } from './test/machine.ts';
import { lineOf } from './test/report.ts';
import { journeys, journeysBeside, unitTests } from './test/parts.ts';
import { dearest, runSuite } from './test/suite.ts';
import { readMended, writeUnsteady } from './test/unsteady.ts';

/**
 * Every check and test: the gate beside the build, then the tests of all parts, then the journeys against what was
 * built, those that mostly wait beside both, and what failed once more.
 */
const begin = performance.now();
const note = (line: string) => process.stdout.write(`${line}\n`);

// One seed for all property tests of the run, so that it can be run again with the same values.
const seed = (process.env['PROPERTY_SEED'] ??= String(randomInt(2 ** 31)));
const mended = readMended(join(root, 'docs/unsteady.md'));
const missing = prepareMachine();
missing.forEach(note);
const prepared = mkdtempSync(join(tmpdir(), 'lampyris-prepared-'));
const outcomes = await runSteps([
  program('build', process.execPath, ['tools/start.mjs', 'build-if-stale']),
  program('database for the tests', process.execPath, ['server/src/testing/scripts/prepared.ts', prepared]),
  ...checkSteps,
]);
const isDone = (step: string) => outcomes.find(({ name }) => name === step)?.problems.length === 0;
if (isDone('database for the tests')) process.env[preparedVariable] = prepared;
const isBuilt = isDone('build');
const good = outcomes.filter(({ problems }) => problems.length === 0).length;
const hasChromium = !missing.some((line) => line.startsWith('chromium'));
if (!isBuilt) note('The browser journeys are not run: the build failed.');
else if (!hasChromium) note('The browser journeys are not run: there is no Chromium.');

const hasJourneys = isBuilt && hasChromium;
const { counts, unsteady, problems, files } = await runSuite({
  parts: [unitTests, ...(hasJourneys ? [journeys] : [])],
  ...(hasJourneys && {
    beside: { ...journeysBeside, heading: 'The journeys that ran beside the other tests:' },
  }),
  mended,
});
rmSync(prepared, { recursive: true, force: true });
writeUnsteady(join(root, 'test-results/unsteady.txt'), unsteady);

problems.forEach(note);
// Whole, since the file that keeps them is lost with the machine that ran them.
unsteady.forEach((failure) => note(`UNSTEADY: ${lineOf(failure)}\n${failure.details}`));
note(`Property tests: PROPERTY_SEED=${seed}`);
note(
  `Dearest files: ${dearest(files)
    .map(({ file, seconds }) => `${file} ${seconds.toFixed(1)} s`)
    .join(', ')}`,
);
note(`${((performance.now() - begin) / 60_000).toFixed(1)} minutes`);
const failed = counts.failed + outcomes.length - good + (hasChromium ? 0 : 1);
note(`${counts.passed + good} passed, ${failed} failed, ${counts.skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
