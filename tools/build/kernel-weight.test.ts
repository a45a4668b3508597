import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

/** The night kernel as browsers get it, with everything of `catalogue/lighting/plan` that the console asks for. */

const root = join(import.meta.dirname, '../..');
/** Bytes after gzip. */
const most = 25 * 1024;

function asked(): string[] {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/from '(?:\.\.\/)+catalogue\/lighting\/plan\/([^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(found)].toSorted();
}

async function bundled(names: readonly string[]): Promise<{ code: string; modules: string[] }> {
  const entry = '\0kernel';
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [
      {
        name: 'kernel',
        resolveId: (id) => (id === 'kernel' ? entry : undefined),
        load: (id) =>
          id === entry
            ? names.map((name) => `export * from '${join(root, 'catalogue/lighting/plan', name)}';`).join('\n')
            : undefined,
      },
    ],
    build: {
      write: false,
      rolldownOptions: { input: 'kernel', preserveEntrySignatures: 'strict' },
    },
  });
  const [output] = [built].flat() as Rolldown.RolldownOutput[];
  const chunks = (output?.output ?? []).flatMap((one) => (one.type === 'chunk' ? [one] : []));
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => id !== entry).map((id) => relative(root, id))),
  };
}

test('the night kernel is small in the browser, and has no table of moons, holidays or recurrences', async () => {
  const names = asked();
  expect(names).toEqual(expect.arrayContaining(['night.ts', 'pattern.ts', 'calendar-problems.ts']));
  const { code, modules } = await bundled([...names, 'calendar.ts', 'lamp-plan.ts', 'stack.ts']);
  // Whole: nothing was taken for unused.
  expect(modules).toEqual(expect.arrayContaining(['catalogue/lighting/plan/night.ts', 'catalogue/lighting/sun.ts']));
  expect(gzipSync(code).byteLength).toBeGreaterThan(5 * 1024);
  expect(gzipSync(code).byteLength).toBeLessThanOrEqual(most);
  const packages = modules.flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []);
  expect(new Set(packages)).toEqual(new Set(['suncalc']));
  expect(modules.filter((id) => !id.startsWith('node_modules/') && !id.startsWith('catalogue/'))).toEqual([]);
  expect(modules.filter((id) => /lunar|moon|holiday-|recurrence-thread/.test(id))).toEqual([]);
});
