import { checkSteps } from './check/steps.ts';
import { runSteps } from './run.ts';

const outcomes = await runSteps(checkSteps);
const failed = outcomes.filter(({ problems }) => problems.length > 0);
process.stdout.write(`check: ${outcomes.length - failed.length} passed, ${failed.length} failed\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
