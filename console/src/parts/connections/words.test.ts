import { expect, test } from 'vitest';
import { lengthText, markOf, rateText } from './words.ts';

test.each([[0, '0秒'], [20, '20秒'], [61, '1分钟 1秒'], [3600, '1小时'], [3725, '1小时 2分钟'], [86_400 * 3 + 7200, '3天 2小时'], [86_399.7, '1天']])('%d s: %s', (seconds, text) => {
  expect(lengthText(seconds, 'zh-CN')).toBe(text);
});

test('a share is never rounded up to all of it, and is none where nothing was due', () => {
  expect(rateText({ online: 99_999.9, due: 100_000 }, 'en-US')).toBe('99.99%');
  expect(rateText({ online: 100, due: 100 }, 'en-US')).toBe('100%');
  expect(rateText({ online: 0, due: 100 }, 'en-US')).toBe('0%');
  expect(rateText({ online: 0, due: 0 }, 'en-US')).toBeNull();
});

test('an outage that is over is marked as a note', () => {
  expect([markOf({ kind: 'offline', endedAt: null }), markOf({ kind: 'offline', endedAt: 'x' }), markOf({ kind: 'refused', endedAt: 'x' })]).toEqual(['offline', 'info', 'alarm']);
});
