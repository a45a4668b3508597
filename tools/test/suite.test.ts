import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FileReport } from './report.ts';
import { huntLines } from './hunted.ts';
import { dearest, judge, runSuite } from './suite.ts';
import { mendedTests } from './unsteady.ts';
import { runVitest } from './vitest.ts';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * A made-up suite: real files, run by a real vitest. `once(name)` is true the first time it is asked in this folder,
 * whatever process asks.
 */
function madeUp(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-suite-'));
  folders.push(folder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    'once.ts',
    `
    import { existsSync, writeFileSync } from 'node:fs';
    export function once(name: string): boolean {
      const path = ${JSON.stringify(folder)} + '/' + name + '.seen';
      const isFirst = !existsSync(path);
      writeFileSync(path, '');
      return isFirst;
    }`,
  );
  write('unit.config.ts', `export default { test: { globals: true, include: ['unit/*.test.ts'], isolate: false } };`);
  write(
    'journeys.config.ts',
    `export default { test: { name: 'journeys', globals: true, include: ['journeys/*.test.ts'] } };`,
  );
  for (const [path, text] of Object.entries(files)) write(path, `import { once } from '../once.ts';\n${text}`);
  return folder;
}

const steady = `describe('a group', () => { it('passes', () => expect(1).toBe(1)); it.skip('is left out', () => undefined); });`;
const broken = `it('is wrong', () => expect(1).toBe(2));`;
const unsteady = (name: string) =>
  `describe('a group', () => { it('fails once', () => expect(once('${name}')).toBe(false)); it('passes', () => undefined); });`;
const unsteadyMessage = 'expected true to be false // Object.is equality';
const run = (files: Readonly<Record<string, string>>, mended: readonly string[] = []) =>
  runSuite({
    parts: [{ config: 'unit.config.ts' }],
    beside: { config: 'journeys.config.ts', heading: 'Beside it' },
    mended: new Set(mended),
    folder: madeUp(files),
    quiet: true,
  });

// Each of these starts up to six runs of vitest.
describe('a suite', { timeout: 120_000 }, () => {
  it('is green and names what failed once and passed alone, in both configurations', async () => {
    const {
      counts,
      unsteady: named,
      problems,
      files,
    } = await run({ 'unit/a.test.ts': unsteady('a'), 'unit/b.test.ts': steady, 'journeys/c.test.ts': unsteady('c') });
    expect(counts).toEqual({ passed: 5, failed: 0, skipped: 1 });
    expect(problems).toEqual([]);
    expect(named).toMatchObject([
      { file: 'unit/a.test.ts', test: 'a group > fails once', message: unsteadyMessage },
      { file: 'journeys/c.test.ts', test: 'a group > fails once', message: unsteadyMessage },
    ]);
    expect(named[0]?.details).toContain('unit/a.test.ts');
    expect(files.map(({ file }) => file).toSorted()).toEqual([
      'journeys/c.test.ts',
      'unit/a.test.ts',
      'unit/b.test.ts',
    ]);
    expect(files.every(({ seconds }) => seconds > 0)).toBe(true);
  });

  it('is red by a file that fails twice, with every test of it that fails', async () => {
    const {
      counts,
      unsteady: named,
      problems,
    } = await run({ 'unit/a.test.ts': broken + unsteady('a'), 'unit/b.test.ts': steady });
    expect(counts).toEqual({ passed: 3, failed: 1, skipped: 1 });
    expect(named).toEqual([]);
    expect(problems).toEqual(['FAILED: unit/a.test.ts: is wrong: expected 1 to be 2 // Object.is equality']);
  });

  it('counts errors outside tests as failures of their file', async () => {
    const {
      counts,
      unsteady: named,
      problems,
    } = await run({
      'unit/loads-never.test.ts': `throw new Error('cannot be loaded');\n${steady}`,
      'unit/loads-later.test.ts': `if (once('load')) throw new Error('loads later');\n${steady}`,
      'journeys/hook.test.ts': `beforeAll(() => { throw new Error('the hook failed'); });\n${steady}`,
      'journeys/unhandled.test.ts': `it('leaves something behind', async () => { if (once('left')) void Promise.reject(new Error('nobody caught it')); await new Promise((next) => setTimeout(next, 50)); });`,
    });
    expect(problems.toSorted()).toEqual([
      'FAILED: journeys/hook.test.ts: (outside its tests): the hook failed',
      'FAILED: unit/loads-never.test.ts: (outside its tests): cannot be loaded',
    ]);
    expect(named.map(({ file, message }) => `${file} ${message}`).toSorted()).toEqual([
      'journeys/unhandled.test.ts nobody caught it',
      'unit/loads-later.test.ts loads later',
    ]);
    expect(counts).toMatchObject({ passed: 2, failed: 2 });
  });

  it('is red by an unsteady test that is called mended', async () => {
    const { counts, problems } = await run({ 'unit/a.test.ts': unsteady('a') }, [
      'unit/a.test.ts: a group > fails once',
    ]);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(problems).toEqual(['RED: docs/unsteady.md calls this mended: unit/a.test.ts: a group > fails once']);
  });

  it('is red when the program that runs it fails without a test that does', async () => {
    const folder = madeUp({ 'unit/a.test.ts': steady });
    writeFileSync(join(folder, 'setup.ts'), `export default () => { throw new Error('no setup'); };`);
    writeFileSync(
      join(folder, 'bad.config.ts'),
      `export default { test: { globals: true, include: ['unit/*.test.ts'], globalSetup: ['setup.ts'] } };`,
    );
    const report = await runVitest({ config: 'bad.config.ts', folder, quiet: true });
    expect(report.lost).toHaveLength(1);
    expect((await runVitest({ config: 'none.config.ts', folder, quiet: true })).lost).toMatchObject([
      { message: 'vitest ended with 1 and without a report (none.config.ts)' },
    ]);
  });
});

const file = (name: string, failures: readonly string[], seconds = 1): FileReport => ({
  file: name,
  project: '',
  seconds,
  passed: 3 - failures.length,
  failed: failures.length,
  skipped: 0,
  failures: failures.map((test) => ({ file: name, test, message: 'no', details: 'no' })),
});

describe('the verdict', () => {
  const passedAlone = (name: string, failures: readonly string[]) => ({
    first: file(name, failures),
    last: file(name, []),
  });

  it('two unsteady tests are green, three are red and count as failed', () => {
    expect(judge([passedAlone('a.test.ts', ['one', 'two'])], [], new Set())).toMatchObject({
      problems: [],
      counts: { passed: 3, failed: 0 },
    });
    const three = judge([passedAlone('a.test.ts', ['one', 'two']), passedAlone('b.test.ts', ['three'])], [], new Set());
    expect(three).toMatchObject({ problems: ['RED: 3 unsteady tests, more than 2'], counts: { passed: 3, failed: 3 } });
    expect(three.unsteady).toHaveLength(3);
  });

  it('names the dearest files', () => {
    expect(dearest([file('a', [], 1), file('b', [], 3), file('c', [], 2)], 2).map((one) => one.file)).toEqual([
      'b',
      'c',
    ]);
  });

  it('of a hunt names what failed in some runs, and what failed in all of them', () => {
    const runs = [
      { files: [file('a', ['x', 'y'])], lost: [] },
      { files: [file('a', ['x'])], lost: [] },
    ];
    expect(huntLines(runs)).toEqual(['FAILED 2 of 2: a: x: no', 'UNSTEADY 1 of 2: a: y: no']);
    expect(huntLines([{ files: [file('a', [])], lost: [] }])).toEqual([]);
  });
});

describe('docs/unsteady.md', () => {
  const head = '# Unsteady\n\nwords\n\n| Test | Cause | Mended in |\n|---|---|---|\n';

  it('names tests as the line of an unsteady one does, and those that are not mended yet', () => {
    expect([
      ...mendedTests(
        `${head}| \`a/b.test.ts: one > two\` | a cause | a change |\n| \`a/c.test.tsx: x \\| y\` | another | 1a2b |\n| \`a/d.test.ts: z\` | not known | — |\n\nmore\n`,
      ),
    ]).toEqual(['a/b.test.ts: one > two', 'a/c.test.tsx: x | y']);
  });

  it('a row that cannot be read is an error', () => {
    expect(() => mendedTests(`${head}| a/b.test.ts one | a cause | a change |\n`)).toThrow(
      'docs/unsteady.md: a row is not',
    );
    expect(() => mendedTests(`${head}| \`a/b.test.ts: one\` | a change |\n`)).toThrow('docs/unsteady.md: a row is not');
  });
});
