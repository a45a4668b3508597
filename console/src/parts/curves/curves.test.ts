import { describe, expect, test } from 'vitest';
import { runsOf } from './columns.ts';
import { both, gapsOfAll, gapsWithin, inGap } from './gaps.ts';
import { panned, zoomed } from './geometry.ts';
import type { Points } from './model.ts';
import { heldStates } from './paint-lanes.ts';
import { doubtfulSpans } from './paint-quality.ts';
import { indexAt, nextReading, summaryOf } from './nearest.ts';
import { axisOver, lastBefore, niceStep } from './scale.ts';
import { tickText, timeTicks } from '../time/ticks.ts';

const hour = 3_600_000;
const single = (times: number[], values: number[], gaps: [number, number][] = []): Points => ({
  times,
  values,
  width: 0,
  gaps: gaps.map(([from, to]) => ({ from, to })),
});
/** Buckets of ten; a null is a gap of one. */
const buckets = (values: (number | null)[]): Points => {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ at: index * 10, value }]));
  return {
    times: known.map(({ at }) => at),
    values: known.map(({ value }) => value),
    width: 10,
    gaps: values.flatMap((value, index) => (value === null ? [{ from: index * 10, to: index * 10 + 10 }] : [])),
  };
};

describe('scales', () => {
  test.each([
    [7, 4, 2],
    [100, 4, 50],
    [0.3, 4, 0.1],
    [1, 5, 0.2],
  ])('a step over %d in %d is %d', (range, count, step) => expect(niceStep(range, count)).toBeCloseTo(step, 9));
  test.each([
    ['power from zero', 60, 145, true, [0, 50, 100, 150, 200].slice(0, 5)],
    ['a voltage around what it is', 224, 229, false, [222, 224, 226, 228, 230]],
    ['below zero has room', -5, 3, false, [-7.5, 7.5]],
    ['nothing but zero', 0, 0, false, [0, 1]],
    ['one value', 226, 226, false, [226]],
  ])('%s', (_, low, high, fromZero, within) => {
    const axis = axisOver('V', low, high, { fromZero });
    expect(axis.low).toBeLessThanOrEqual(low);
    expect(axis.high).toBeGreaterThanOrEqual(high);
    expect(axis.low).toBeLessThanOrEqual(Math.max(within[0]!, low));
    expect(new Set(axis.ticks).size).toBe(axis.ticks.length);
    expect(axis.ticks.length).toBeLessThanOrEqual(8);
    if (fromZero) expect(axis.low).toBe(0);
  });
  test('the last instant at or before', () =>
    expect([-1, 0, 1, 9, 10, 11].map((at) => lastBefore([0, 10], at))).toEqual([-1, 0, 0, 0, 1, 1]));
});

describe('marks of time', () => {
  const of = (from: string, to: string, zone: string, most: number) =>
    timeTicks({ from: Date.parse(from), to: Date.parse(to) }, zone, most).map((tick) => tickText(tick, zone));
  test('full hours of the wall clock, the date where a day begins', () =>
    expect(of('2026-11-20T10:20:00Z', '2026-11-20T22:00:00Z', 'Asia/Shanghai', 5)).toEqual([
      '21:00',
      '11-21',
      '03:00',
      '06:00',
    ]));
  test('a zone of half an hour has its own hours', () =>
    expect(of('2026-11-20T10:20:00Z', '2026-11-20T14:00:00Z', 'Asia/Kolkata', 4)).toEqual([
      '16:00',
      '17:00',
      '18:00',
      '19:00',
    ]));
  test('a day of 25 hours: hours are those of the clock, none twice', () =>
    expect(of('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Paris', 10)).toEqual([
      '10-25',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '10-26',
    ]));
  test('a day of 23 hours', () =>
    expect(of('2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z', 'Europe/Paris', 8)).toEqual([
      '03-29',
      '01:00',
      '03:00',
      '04:00',
      '05:00',
      '06:00',
      '07:00',
    ]));
  test('Mondays over weeks', () =>
    expect(of('2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z', 'Asia/Shanghai', 6)).toEqual([
      '11-02',
      '11-09',
      '11-16',
      '11-23',
      '11-30',
    ]));
  test('months over a year, years over more', () => {
    expect(of('2025-11-15T00:00:00Z', '2026-11-15T00:00:00Z', 'Asia/Shanghai', 6)).toEqual([
      '2026-01',
      '2026-04',
      '2026-07',
      '2026-10',
    ]);
    expect(of('2022-01-01T00:00:00Z', '2026-11-15T00:00:00Z', 'Asia/Shanghai', 6)).toEqual([
      '2023',
      '2024',
      '2025',
      '2026',
    ]);
  });
  test('seconds of a minute', () =>
    expect(of('2026-11-20T10:20:00Z', '2026-11-20T10:20:31Z', 'UTC', 3)).toEqual(['10:20:00', '10:20:15', '10:20:30']));
  test('never more than asked for by much, whatever the span', () => {
    for (let span = 1000; span < 3000 * 24 * hour; span *= 1.7)
      expect(
        timeTicks({ from: 1_790_000_000_000, to: 1_790_000_000_000 + span }, 'Europe/Paris', 8).length,
      ).toBeLessThanOrEqual(10);
  });
});

describe('gaps', () => {
  const all = { from: 0, to: 100 };
  test('are cut to the span', () =>
    expect(
      gapsWithin(
        [
          { from: -5, to: 5 },
          { from: 50, to: 60 },
          { from: 90, to: 120 },
          { from: 100, to: 130 },
        ],
        all,
      ),
    ).toEqual([
      { from: 0, to: 5 },
      { from: 50, to: 60 },
      { from: 90, to: 100 },
    ]));
  test('are hatched only where all are silent', () => {
    expect(
      both(
        [
          { from: 0, to: 10 },
          { from: 20, to: 40 },
        ],
        [
          { from: 5, to: 25 },
          { from: 30, to: 35 },
        ],
      ),
    ).toEqual([
      { from: 5, to: 10 },
      { from: 20, to: 25 },
      { from: 30, to: 35 },
    ]);
    expect(gapsOfAll([buckets([1, null, null, 1]), buckets([1, 1, null, 1])], all)).toEqual([{ from: 20, to: 30 }]);
    expect(gapsOfAll([], all)).toEqual([]);
  });
  test('an instant is in one or not', () =>
    expect(
      [0, 10, 15, 20, 25, 30].map((at) =>
        inGap(
          [
            { from: 10, to: 20 },
            { from: 22, to: 30 },
          ],
          at,
        ),
      ),
    ).toEqual([false, false, true, false, true, false]));
});

describe('columns', () => {
  test('a line is broken by a gap, never drawn over it', () =>
    expect(
      runsOf(buckets([1, 2, null, 4, 5]), { from: 0, to: 50 }, 500).map((run) => run.map(({ first }) => first)),
    ).toEqual([
      [1, 2],
      [4, 5],
    ]));
  test('of 10,000 points on 100 px every peak is kept', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => (index === 5_555 ? 900 : index % 7));
    const [run] = runsOf(
      single(
        values.map((_, index) => index),
        values,
      ),
      { from: 0, to: 9_999 },
      100,
    );
    expect(run!.length).toBeLessThanOrEqual(101);
    expect(Math.max(...run!.map(({ high }) => high))).toBe(900);
  });
  test('what lies outside is left out, but for a neighbour on each side', () => {
    const points = single([0, 10, 20, 30, 40, 50], [0, 1, 2, 3, 4, 5]);
    expect(runsOf(points, { from: 22, to: 28 }, 100)[0]!.map(({ first }) => first)).toEqual([1, 2, 3]);
    expect(runsOf(points, { from: 60, to: 80 }, 100)).toEqual([]);
  });
});

describe('readings', () => {
  const line = { points: single([0, 10, 50], [1, 2, 4], [[10, 50]]), stepped: false };
  test.each([
    [-1, 5, 0],
    [4, 5, 0],
    [6, 5, 1],
    [13, 5, 1],
    [18, 5, null],
    [30, 5, null],
    [46, 5, 2],
    [53, 5, 2],
    [90, 5, null],
  ])('of a line at %d within %d: %o', (at, reach, index) => expect(indexAt(line, at, reach)).toBe(index));
  test('a bucket says what it says from its beginning to its end', () => {
    const curve = { points: buckets([1, null, 3]), stepped: false };
    expect([0, 9, 14, 15, 20, 29, 39].map((at) => indexAt(curve, at, 2))).toEqual([0, 0, null, null, 1, 1, null]);
  });
  test('what is switched holds its value', () => {
    expect(indexAt({ points: single([0, 10], [0, 1]), stepped: true }, 900, 5)).toBe(1);
    expect(indexAt({ points: single([0, 10], [0, 1], [[10, 1000]]), stepped: true }, 900, 5)).toBeNull();
  });
  test('keys go from reading to reading over gaps', () => {
    expect(nextReading([line], 10, true)).toBe(50);
    expect(nextReading([line], 50, false)).toBe(10);
    expect(nextReading([line, { points: single([30], [7]) }], 10, true)).toBe(30);
    expect(nextReading([line], 50, true)).toBeUndefined();
    expect(nextReading([{ points: buckets([1, 2, null, 4]) }], 5, true)).toBe(15);
    expect(nextReading([{ points: buckets([1, 2, null, 4]) }], 35, false)).toBe(15);
  });
  test('a summary leaves gaps out', () => {
    expect(summaryOf(line)).toEqual({ low: 1, mean: 7 / 3, high: 4, last: 4, lastAt: 50 });
    expect(summaryOf({ points: { ...buckets([5, null, 7]), lows: [1, 6], highs: [9, 8] } })).toMatchObject({
      low: 1,
      high: 9,
      mean: 6,
    });
    expect(summaryOf({ points: buckets([null]) })).toBeNull();
  });
  test('states are held until the next reading or gap', () =>
    expect(heldStates(single([0, 10, 20, 50], [1, 1, 0, 1], [[30, 50]]), 100)).toEqual([
      { from: 0, to: 20, value: 1 },
      { from: 20, to: 30, value: 0 },
      { from: 50, to: 100, value: 1 },
    ]));
  test('what was not measured is told as spans', () =>
    expect(
      doubtfulSpans([{ points: { ...buckets([1, 2, 3]), flags: ['measured', 'estimated', 'invalid'] } }], {
        from: 0,
        to: 100,
      }),
    ).toEqual([
      { from: 10, to: 20, quality: 'estimated' },
      { from: 20, to: 30, quality: 'invalid' },
    ]));
});

test('zooming keeps what is pointed at where it is, and stays within bounds', () => {
  expect(zoomed({ from: 0, to: 1000 }, 250, 0.5, 10, 1e6)).toEqual({ from: 125, to: 625 });
  expect(zoomed({ from: 0, to: 1000 }, 500, 1e-9, 10, 1e6)).toEqual({ from: 495, to: 505 });
  expect(zoomed({ from: 0, to: 1000 }, 0, 9, 10, 2000)).toEqual({ from: 0, to: 2000 });
  expect(panned({ from: 0, to: 100 }, -0.5)).toEqual({ from: -50, to: 50 });
});
