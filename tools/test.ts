import { checkSteps } from './check/steps.ts';
import { program, runSteps } from './run.ts';
import { prepareMachine } from './test/machine.ts';
import { runVitest, type Counts } from './test/vitest.ts';

/** Every check and test: the gate beside the build, then the tests of all parts, then the journeys against what was built. */
const begin = performance.now();
const counts: Counts[] = [];
const note = (line: string) => process.stdout.write(`${line}\n`);

const missing = prepareMachine();
missing.forEach(note);
const outcomes = await runSteps([program('build', process.execPath, ['tools/start.mjs', 'build-if-stale']), ...checkSteps]);
const built = outcomes.find(({ name }) => name === 'build')?.problems.length === 0;
const good = outcomes.filter(({ problems }) => problems.length === 0).length;
counts.push({ passed: good, failed: outcomes.length - good, skipped: 0 });

counts.push(await runVitest('vitest.config.ts'));
if (missing.some((line) => line.startsWith('chromium'))) {
  note('The browser journeys are not run: there is no Chromium.');
  counts.push({ passed: 0, failed: 1, skipped: 0 });
} else if (built) {
  counts.push(await runVitest('e2e/vitest.config.ts'));
} else {
  note('The browser journeys are not run: the build failed.');
}

const sum = (key: keyof Counts) => counts.reduce((total, one) => total + one[key], 0);
note(`${((performance.now() - begin) / 60_000).toFixed(1)} minutes`);
note(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 ? 1 : 0;
