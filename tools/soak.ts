import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';
import { judge } from './test/suite.ts';
import { runVitest } from './test/vitest.ts';

/**
 * npm run soak: what takes too long for npm test. Arguments choose files, as vitest takes them; `properties`: the
 * property tests alone, which are tried with 20,000 values here.
 */
const args = process.argv.slice(2);
const areProperties = args[0] === 'properties';
const reports = [
  ...(areProperties ? [] : [await runVitest({ config: 'tools/soak/vitest.config.ts', more: args })]),
  ...(areProperties || args.length === 0 ? [await properties()] : []),
];
const { counts } = judge(
  reports.flatMap(({ files }) => files.map((file) => ({ first: file, last: file }))),
  reports.flatMap(({ lost }) => lost),
  new Set(),
);
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function properties() {
  process.env['PROPERTY_RUNS'] = '20000';
  const tests = ['catalogue', 'console/src', 'contract', 'protocols', 'server/src', 'simulator'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => join(root, folder, name)),
  );
  const files = tests.filter((path) => readFileSync(path, 'utf8').includes("/testing/properties.ts'"));
  return runVitest({ config: 'vitest.config.ts', more: ['--testTimeout', '900000', ...files] });
}
