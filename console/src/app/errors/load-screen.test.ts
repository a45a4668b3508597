import { expect, test, vi } from 'vitest';
import { ChunkLoadError, loadChunk } from '../../api/load-chunk.ts';
import { startI18n } from '../../locales/i18n.ts';
import { screenAreas } from '../../screens/areas.ts';
import { builtInScreens, screens } from '../../screens/index.ts';
import { loadScreen } from './load-screen.ts';

const lost = vi.hoisted(() => ({ times: 0 }));
vi.mock('../../locales/text-files.ts', async (original) => {
  const { readTexts } = await original<typeof import('../../locales/text-files.ts')>();
  return {
    readTexts: (area: string, language: string) => {
      if (area !== 'search-fields' || lost.times === 0) return readTexts(area, language);
      lost.times -= 1;
      return Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    },
  };
});

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

test('a file of texts that did not come is read again; one that never comes fails the page, until it is opened anew', async () => {
  const i18n = await startI18n('zh-CN');
  const page = { load: () => Promise.resolve({ default: () => null }) };
  const open = () => loadScreen('lamp/polls', page);
  lost.times = 9;
  await expect(open()).rejects.toBeInstanceOf(ChunkLoadError);
  expect(i18n.hasResourceBundle('zh-CN', 'search-fields')).toBe(false);
  lost.times = 1;
  await open();
  expect(i18n.hasResourceBundle('zh-CN', 'search-fields')).toBe(true);
});
