import { expect, test } from 'vitest';
import { brokenAt, durationText, steps } from './gaps.ts';

test('a line is broken inside each gap, and only there', () => {
  expect(brokenAt([0, 10, 90, 100], [1, 2, 3, 4], [{ from: 10, to: 90 }])).toEqual([[0, 1], [10, 2], [11, null], [90, 3], [100, 4]]);
  expect(brokenAt([0, 10], [1, null], [])).toEqual([[0, 1], [10, null]]);
  expect(brokenAt([], [], [{ from: 0, to: 5 }])).toEqual([]);
});

test('a plan becomes corners within the span', () => {
  expect(steps([{ at: -50, value: 100 }, { at: 40, value: 60 }, { at: 200, value: 0 }], 0, 100)).toEqual([[0, 100], [40, 100], [40, 60], [100, 60]]);
});

test('durations in words', () => {
  expect(durationText(27 * 60_000, 'zh-CN')).toBe('27分钟');
  expect(durationText(65 * 60_000, 'en-US')).toBe('1 hr 5 min');
  expect(durationText(2 * 3_600_000, 'fr-FR').replaceAll(/\s/g, ' ')).toBe('2 h');
});
