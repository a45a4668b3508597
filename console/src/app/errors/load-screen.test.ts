import { expect, test } from 'vitest';
import { ChunkLoadError, loadChunk } from '../../frame/load-chunk.ts';
import { startI18n } from '../../locales/i18n.ts';
import { screenAreas } from '../../screens/areas.ts';
import { builtInScreens, screens } from '../../screens/index.ts';
import { loadScreen } from './load-screen.ts';

test('a chunk that fails or takes longer than the limit is a ChunkLoadError', async () => {
  await expect(loadChunk('x', () => Promise.reject(new TypeError('Failed to fetch')))).rejects.toBeInstanceOf(
    ChunkLoadError,
  );
  await expect(loadChunk('x', () => new Promise(() => undefined), 1)).rejects.toThrow(
    'loading of the chunk of x failed',
  );
  await expect(loadChunk('x', () => Promise.resolve('code'))).resolves.toBe('code');
});

test('the texts of every part of a page come with its code', async () => {
  const i18n = await startI18n('zh-CN');
  expect(i18n.hasLoadedNamespace('declared')).toBe(false);
  await loadScreen('system/storage', screens['system/storage']!);
  // The page's own, and those of the fields that are drawn when its numbers have come.
  expect(['storage', 'declared'].map((area) => i18n.hasLoadedNamespace(area))).toEqual([true, true]);
  const unknown = [...Object.keys(screens), ...Object.keys(builtInScreens)].filter(
    (name) => name !== 'gallery' && screenAreas[name] === undefined,
  );
  expect(unknown).toEqual([]);
});
