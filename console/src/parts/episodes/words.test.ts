import { expect, test } from 'vitest';
import { lengthText, markOf } from './words.ts';

test.each([
  [0, '0秒'],
  [20, '20秒'],
  [61, '1分钟 1秒'],
  [3600, '1小时'],
  [3725, '1小时 2分钟'],
  [86_400 * 3 + 7200, '3天 2小时'],
  [86_399.7, '1天'],
])('%d s: %s', (seconds, text) => {
  expect(lengthText(seconds, 'zh-CN')).toBe(text);
});

test('what is over is marked as a note', () => {
  expect([
    markOf({ kind: 'offline', endedAt: null }),
    markOf({ kind: 'offline', endedAt: 'x' }),
    markOf({ kind: 'fault', endedAt: null }),
    markOf({ kind: 'fault', endedAt: 'x' }),
    markOf({ kind: 'refused', endedAt: 'x' }),
  ]).toEqual(['offline', 'info', 'alarm', 'info', 'alarm']);
});
