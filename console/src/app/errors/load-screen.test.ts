import { expect, test } from 'vitest';
import { ChunkLoadError, loadChunk } from './load-screen.ts';

test('a chunk that fails or takes longer than the limit is a ChunkLoadError', async () => {
  await expect(loadChunk('x', () => Promise.reject(new TypeError('Failed to fetch')))).rejects.toBeInstanceOf(ChunkLoadError);
  await expect(loadChunk('x', () => new Promise(() => undefined), 1)).rejects.toThrow('loading of the chunk of x failed');
  await expect(loadChunk('x', () => Promise.resolve('code'))).resolves.toBe('code');
});
