import { program, root, type Step } from '../run.ts';
import { familyKeys } from './family-keys.ts';
import { localeProblems } from './locales.ts';
import { sqlPlaces } from './sql-places.ts';
import { hardCodedTexts } from './texts.ts';

const folders = ['catalogue', 'protocols', 'contract', 'server', 'console', 'simulator', 'e2e', 'bench', 'tools'];

/** The quick gate, its longest steps first. */
export const checkSteps: readonly Step[] = [
  // One checker: several would each infer the shared types anew, on cores that the steps beside it need.
  program('types (tsc)', 'tsc', ['-p', 'tsconfig.json', '--pretty', 'false', '--checkers', '1']),
  program('lint (oxlint)', 'oxlint', ['--type-aware', '--format=unix']),
  program('format (oxfmt)', 'oxfmt', ['--check']),
  program('generated files', process.execPath, ['tools/generate.ts', '--check']),
  program('unused code (knip)', 'knip', ['--no-progress']),
  program('import directions (dependency-cruiser)', 'depcruise', [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    ...folders,
  ]),
  { name: 'language files', run: () => Promise.resolve(localeProblems(root)) },
  { name: 'families by what they can', run: () => Promise.resolve(familyKeys(root)) },
  { name: 'SQL in stores', run: () => Promise.resolve(sqlPlaces(root)) },
  { name: 'no texts in components', run: () => Promise.resolve(hardCodedTexts(root)) },
];
