import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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

async function* chunks(...texts: string[]) {
  yield* texts.map((text) => Buffer.from(text));
}

test('a stream is kept under the name of its content, read as a stream, and taken away', async () => {
  const { name, bytes } = await files.receive(chunks('pic', 'ture'));
  expect([name, bytes]).toEqual([await files.put(Buffer.from('picture')), 7]);
  expect(await (await files.open(name))?.toArray()).toEqual([Buffer.from('picture')]);
  await files.remove(name);
  await files.remove(name);
  expect([await files.open(name), await files.get(name), await files.open('../../etc/passwd')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a stream that fails leaves nothing', async () => {
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('gone');
  }
  await expect(files.receive(broken())).rejects.toThrow('gone');
  expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
});

test('what a killed process left is swept after a day', async () => {
  mkdirSync(join(folder, 'incoming'), { recursive: true });
  for (const name of ['old', 'new']) writeFileSync(join(folder, 'incoming', name), 'half');
  const now = new Date();
  utimesSync(join(folder, 'incoming/old'), now, new Date(now.getTime() - 25 * 3_600_000));
  await files.sweep(now);
  expect(readdirSync(join(folder, 'incoming'))).toEqual(['new']);
});
