import { expect, test } from 'vitest';
import { chartColors } from '../../theme/chart-theme.ts';
import { brokenAt, durationText, steps } from './gaps.ts';
import { timeChartOption } from './time-chart.ts';

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

test('marks of time are those of the shown zone, days by their date', () => {
  const marks = (from: string, to: string, zone: string, compact = false): string[] => {
    const option = timeChartOption(
      { from: Date.parse(from), to: Date.parse(to), unit: 'W', decimals: 0, lines: [], compact },
      { colors: chartColors('light', 'blue'), zone, language: 'fr-FR', fontFamily: 'Inter' },
    );
    const { axisLabel } = option['xAxis'] as {
      axisLabel: { customValues: number[]; formatter: (at: number) => string };
    };
    return axisLabel.customValues.map(axisLabel.formatter);
  };
  expect(marks('2026-11-20T10:00Z', '2026-11-21T10:00Z', 'Asia/Shanghai')).toEqual([
    '21:00',
    '11-21',
    '03:00',
    '06:00',
    '09:00',
    '12:00',
    '15:00',
  ]);
  expect(marks('2026-11-14T10:00Z', '2026-11-21T10:00Z', 'Asia/Shanghai')).toEqual([
    '11-15',
    '11-16',
    '11-17',
    '11-18',
    '11-19',
    '11-20',
    '11-21',
  ]);
  expect(marks('2026-11-20T09:00Z', '2026-11-20T22:00Z', 'Europe/Paris', true)).toEqual([
    '12:00',
    '15:00',
    '18:00',
    '21:00',
  ]);
});
