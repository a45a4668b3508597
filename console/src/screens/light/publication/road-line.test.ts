import { expect, test } from 'vitest';
import { metresBetween } from '../../../parts/map/distance.ts';
import { stretchesOf, type Point } from './road-line.ts';

const line: Point[] = [
  [120.2, 30.2],
  [120.21, 30.2],
  [120.21, 30.21],
];
const lengthOf = (points: readonly Point[]): number =>
  points.slice(1).reduce((sum, [longitude, latitude], place) => {
    const [x, y] = points[place]!;
    return sum + metresBetween({ longitude: x, latitude: y }, { longitude, latitude });
  }, 0);

test('a road is divided by the shares of its states, in the order of the bar, without a gap', () => {
  const parts = stretchesOf(line, { away: 10, proven: 60, reported: 30, diverged: 0 });
  expect(parts.map(({ state }) => state)).toEqual(['proven', 'reported', 'away']);
  const whole = lengthOf(line);
  expect(parts.map((part) => Math.round((lengthOf(part.line) / whole) * 100))).toEqual([60, 30, 10]);
  expect(parts[0]?.line[0]).toEqual(line[0]);
  for (const [place, part] of parts.slice(1).entries()) expect(part.line[0]).toEqual(parts[place]?.line.at(-1));
  const [x = 0, y = 0] = parts.at(-1)?.line.at(-1) ?? [];
  expect([x, y]).toEqual(line.at(-1));
});

test('one lamp of a thousand is still to be seen', () => {
  const parts = stretchesOf(line, { proven: 999, diverged: 1 });
  const share = lengthOf(parts[1]?.line ?? []) / lengthOf(line);
  expect(share).toBeGreaterThan(0.07);
  expect(share).toBeLessThan(0.09);
});

test('a road shorter than forty metres is drawn that long, about its middle and along its own direction', () => {
  const [north] = stretchesOf(
    [
      [120.2, 30.2],
      [120.2, 30.2],
      [120.2, 30.2001],
    ],
    { told: 1 },
  );
  expect(lengthOf(north?.line ?? [])).toBeCloseTo(40, 0);
  for (const [longitude] of north?.line ?? []) expect(longitude).toBeCloseTo(120.2, 9);
  const parts = stretchesOf(
    [
      [120.2, 30.2],
      [120.2001, 30.2001],
    ],
    { proven: 1, away: 1 },
  );
  const all = parts.flatMap((part) => part.line);
  expect(lengthOf(parts[0]?.line ?? []) + lengthOf(parts[1]?.line ?? [])).toBeCloseTo(40, 0);
  for (const [longitude, latitude] of all) expect(longitude - 120.2).toBeCloseTo(latitude - 30.2, 9);
  const [first, last] = [all[0]!, all.at(-1)!];
  expect((first[0] + last[0]) / 2).toBeCloseTo(120.20005, 9);
});

test('lamps at one place are a road from west to east', () => {
  const [only] = stretchesOf(
    [
      [120.2, 30.2],
      [120.2, 30.2],
    ],
    { told: 2 },
  );
  expect(lengthOf(only?.line ?? [])).toBeCloseTo(40, 0);
  for (const [, latitude] of only?.line ?? []) expect(latitude).toBe(30.2);
});

test('a road of one lamp has a length all the same; one without lamps or a line has none', () => {
  const [only] = stretchesOf([[120.2, 30.2]], { told: 1 });
  expect(lengthOf(only?.line ?? [])).toBeCloseTo(40, 0);
  expect(stretchesOf(line, {})).toEqual([]);
  expect(stretchesOf([], { told: 3 })).toEqual([]);
});
