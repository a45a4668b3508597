import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'lampyris-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('makes what is missing, tells the first folder it made, and changes nothing the second time', () => {
  const folder = join(root, 'a', 'b', 'c');
  expect(makeFolder(folder, 0o700)).toBe(join(root, 'a'));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(makeFolder(folder)).toBeUndefined();
});

test('a file in the way, and a place where nothing can be made, end with an error instead of never', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file', 'x'))).toThrow(/is no folder/);
  expect(() => makeFolder('/proc/nothing-can-be-made/x')).toThrow(/nothing-can-be-made/);
});
