import { expect, test } from 'vitest';
import { brokenAt, durationText, steps } from './gaps.ts';
import { timePanel } from './time-panel.ts';

test('a line is broken inside each gap, and only there', () => {
  expect(brokenAt([0, 10, 90, 100], [1, 2, 3, 4], [{ from: 10, to: 90 }])).toEqual([
    [0, 1],
    [10, 2],
    [11, null],
    [90, 3],
    [100, 4],
  ]);
  expect(brokenAt([0, 10], [1, null], [])).toEqual([
    [0, 1],
    [10, null],
  ]);
  expect(brokenAt([], [], [{ from: 0, to: 5 }])).toEqual([]);
});

test('a plan becomes corners within the span', () => {
  expect(
    steps(
      [
        { at: -50, value: 100 },
        { at: 40, value: 60 },
        { at: 200, value: 0 },
      ],
      0,
      100,
    ),
  ).toEqual([
    [0, 100],
    [40, 100],
    [40, 60],
    [100, 60],
  ]);
});

test('durations in words', () => {
  expect(durationText(27 * 60_000, 'zh-CN')).toBe('27分钟');
  expect(durationText(65 * 60_000, 'en-US')).toBe('1 hr 5 min');
  expect(durationText(2 * 3_600_000, 'fr-FR').replaceAll(/\s/g, ' ')).toBe('2 h');
});

test('a chart is one picture: gaps stay open, plans step, limits are drawn', () => {
  const { axes, curves, gaps, limits, height } = timePanel(
    {
      from: 0,
      to: 100,
      unit: 'W',
      decimals: 1,
      gaps: [{ from: 10, to: 90 }],
      limits: [20],
      lines: [
        {
          name: 'plan',
          kind: 'plan',
          points: [
            [0, 60],
            [50, 30],
          ],
        },
        {
          name: 'measured',
          kind: 'light',
          points: [
            [0, 58.2],
            [10, 61],
            [11, null],
            [90, 40],
          ],
        },
      ],
    },
    200,
  );
  expect(axes).toEqual([expect.objectContaining({ unit: 'W', low: 0 })]);
  expect(axes[0]?.high).toBeGreaterThanOrEqual(61);
  expect(curves.map(({ stepped, points }) => [stepped, points.times, points.gaps])).toEqual([
    [true, [0, 50], []],
    [false, [0, 10, 90], [{ from: 10, to: 90 }]],
  ]);
  expect([gaps, limits, height]).toEqual([[{ from: 10, to: 90 }], [20], 146]);
});

test('the ends of an axis that are given have whole steps between them', () => {
  const { axes } = timePanel({ from: 0, to: 1, unit: 'V', decimals: 1, lines: [], min: 180, max: 270 }, 100);
  expect(axes[0]).toMatchObject({ low: 180, high: 270, ticks: [180, 210, 240, 270], decimals: 0 });
});
