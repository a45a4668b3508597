import { hardCodedTexts } from './check/texts.ts';
import { localeProblems } from './check/locales.ts';
import { program, root, runSteps, type Step } from './run.ts';

const folders = ['catalogue', 'protocols', 'contract', 'server', 'console', 'simulator', 'e2e', 'bench', 'tools'];

/** The quick gate, its longest steps first. */
const steps: readonly Step[] = [
  program('types (tsc)', 'tsc', ['-p', 'tsconfig.json', '--pretty', 'false']),
  program('lint (oxlint)', 'oxlint', ['--type-aware', '--format=unix']),
  program('unused code (knip)', 'knip', ['--no-progress']),
  program('generated files', process.execPath, ['tools/generate.ts', '--check']),
  program('import directions (dependency-cruiser)', 'depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...folders]),
  { name: 'language files', run: () => localeProblems(root) },
  { name: 'no texts in components', run: async () => hardCodedTexts(root) },
];

const outcomes = await runSteps(steps);
const failed = outcomes.filter(({ problems }) => problems.length > 0);
process.stdout.write(`check: ${outcomes.length - failed.length} passed, ${failed.length} failed\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
