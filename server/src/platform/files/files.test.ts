import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openFiles } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(folder);

test('the same bytes have one name, also when kept at the same time', async () => {
  const names = await Promise.all(Array.from({ length: 5 }, () => files.put(Buffer.from('picture'))));
  expect(new Set(names).size).toBe(1);
  expect((await files.get(names[0] ?? ''))?.toString()).toBe('picture');
});

test('unknown names and names that are none find nothing', async () => {
  expect(await files.get('0'.repeat(64))).toBeUndefined();
  expect(await files.get('../../etc/passwd')).toBeUndefined();
});
