import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scene } from './scene.ts';

const furthest = (one: Buffer, other: Buffer): number =>
  one.reduce((worst, value, at) => Math.max(worst, Math.abs(value - (other[at] ?? 0))), 0);

test('the loop has no seam, and motion in it', () => {
  const film = scene(160, 88);
  const start = film.paint(0);
  expect(furthest(start, film.paint(1))).toBeLessThanOrEqual(1);
  expect(furthest(start, film.paint(0.5))).toBeGreaterThan(40);
});

test.each([
  ['city-av1.webm', 400_000],
  ['city.webm', 400_000],
  ['city.mp4', 400_000],
  ['city.webp', 150_000],
  ['city-4k.webp', 300_000],
])('%s stays below %i bytes', async (name, limit) => {
  const { size } = await stat(path.resolve(import.meta.dirname, '../../console/public/media', name));
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(limit);
});
