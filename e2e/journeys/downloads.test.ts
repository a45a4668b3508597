import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * What first openings bring, of the built console: packed bytes and files by its own list of chunks. A bound is raised
 * with a reason only.
 */
const built = join(import.meta.dirname, '../../console/dist');
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

const packed = (file: string): number =>
  statSync(join(built, `${file}.br`), { throwIfNoEntry: false })?.size ?? statSync(join(built, file)).size;
const filesOf = (page: string): Set<string> =>
  new Set(
    [...readFileSync(join(built, page), 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    ),
  );

function broughtBy(screen: string): Set<string> {
  const [seen, found, open] = [new Set<string>(), new Set<string>(), [screen]];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const { file, imports = [], css = [] } = manifest[key]!;
    for (const one of [file, ...css]) found.add(one);
    open.push(...imports);
  }
  return found;
}
const kb = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + packed(file), 0) / 1024;
const start = filesOf('index.html');
const beyond = (screen: string): string[] =>
  [...broughtBy(`src/screens/${screen}/index.tsx`)].filter((file) => !start.has(file));

test('the console and the sign-in page begin with few files', () => {
  expect([start.size, filesOf('sign-in.html').size]).toEqual([expect.toBeOneOf([5, 6]), expect.toBeOneOf([3, 4])]);
  expect(kb(start)).toBeLessThanOrEqual(240);
  expect(kb(filesOf('sign-in.html'))).toBeLessThanOrEqual(26);
});

// Dialogs (16 KB) come with the pages that open them; the console's beginning, where they were, is bound 20 KB lower.
test.each([
  ['light/home', 30, 8],
  ['register/roads', 180, 10],
  ['register/family', 180, 10],
  ['people/users', 210, 16],
  ['light/monitor', 268, 24],
  ['history/curves', 210, 16],
  ['shell/health', 20, 8],
])('%s adds at most %i KB in %i files', (screen, most, files) => {
  const added = beyond(screen);
  expect(kb(added)).toBeLessThanOrEqual(most);
  expect(added.length).toBeLessThanOrEqual(files);
  // The map's package comes with a map that is shown.
  expect(added.filter((file) => packed(file) > 200 * 1024)).toEqual([]);
});
