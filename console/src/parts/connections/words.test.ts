import { expect, test } from 'vitest';
import { rateText } from './words.ts';

test('a share is never rounded up to all of it, and is none where nothing was due', () => {
  expect(rateText({ online: 99_999.9, due: 100_000 }, 'en-US')).toBe('99.99%');
  expect(rateText({ online: 100, due: 100 }, 'en-US')).toBe('100%');
  expect(rateText({ online: 0, due: 100 }, 'en-US')).toBe('0%');
  expect(rateText({ online: 0, due: 0 }, 'en-US')).toBeNull();
});
