import { describe, expect, test } from 'vitest';
import { lineTarget } from './lines.ts';
import { hourMarks, skyStops } from '../../../parts/plan/sky.ts';
import { bandPath, linePath, litPaths, planPath, roundTop, sunPlace, withSwitches, yOf } from './ribbon.ts';

const hour = 3_600_000;

describe('the night ribbon', () => {
  test('the sky goes from day over sunset to night and back, in order', () => {
    const stops = skyStops(0, 16 * hour, hour, 14 * hour);
    expect(stops.map((stop) => stop.sky)).toEqual([
      'day',
      'low',
      'set',
      'dusk',
      'naut',
      'night',
      'night',
      'naut',
      'dusk',
      'set',
      'low',
      'day',
    ]);
    expect(stops.find((stop) => stop.sky === 'set')!.at).toBeCloseTo(1 / 16, 9);
    for (let index = 1; index < stops.length; index++)
      expect(stops[index]!.at).toBeGreaterThanOrEqual(stops[index - 1]!.at);
  });

  test('without sunset it is one colour; a short night never runs backwards', () => {
    expect(skyStops(0, hour, null, null)).toEqual([
      { at: 0, sky: 'night' },
      { at: 1, sky: 'night' },
    ]);
    const stops = skyStops(0, 4 * hour, hour, 2 * hour);
    for (let index = 1; index < stops.length; index++)
      expect(stops[index]!.at).toBeGreaterThanOrEqual(stops[index - 1]!.at);
  });

  test('what was ends at now, and a gap stays a gap', () => {
    expect(
      litPaths(
        [
          [0, null],
          [0.2, 1],
          [0.4, null],
          [0.6, 0.5],
          [0.8, 1],
        ],
        0.2,
        0.7,
      ),
    ).toEqual(['M200.0 85L200.0 27.0L400.0 27.0L400.0 85Z', 'M600.0 85L600.0 56.0L700.0 56.0L700.0 85Z']);
    expect(
      litPaths(
        [
          [0, null],
          [0.5, null],
        ],
        0.5,
        1,
      ),
    ).toEqual([]);
  });

  test('a switch stands where it is, not on the next step; none is invented beside a gap', () => {
    expect(
      withSwitches(
        [
          [0, 0],
          [10, 1],
          [20, 1],
        ],
        [4, null],
      ),
    ).toEqual([
      [0, 0],
      [4, 0],
      [4, 1],
      [10, 1],
      [20, 1],
    ]);
    expect(
      withSwitches(
        [
          [0, null],
          [10, 1],
        ],
        [4],
      ),
    ).toEqual([
      [0, null],
      [10, 1],
    ]);
    expect(
      withSwitches(
        [
          [0, 0],
          [10, 1],
        ],
        [0, 10],
      ),
    ).toEqual([
      [0, 0],
      [10, 1],
    ]);
  });

  test('the plan is a line of steps; heights stay inside', () => {
    expect(
      planPath([
        [0, 0],
        [0.25, 1],
        [0.5, null],
        [0.75, 0.5],
        [1, 0.5],
      ]),
    ).toBe('M0.0 85.0L250.0 85.0L250.0 27.0M750.0 56.0L1000.0 56.0L1000.0 56.0');
    expect([yOf(-1), yOf(0), yOf(1), yOf(2)]).toEqual([85, 85, 27, 27]);
  });

  test('power is a line with its gaps, the planned level an area of steps down to the ground', () => {
    expect(
      linePath(
        [
          [0, 0],
          [0.25, 10],
          [0.5, null],
          [0.75, 5],
          [1, 5],
        ],
        10,
      ),
    ).toBe('M0.0 85.0L250.0 27.0M750.0 56.0L1000.0 56.0');
    expect(linePath([[0, 3]], 0)).toBe('M0.0 85.0');
    expect(
      bandPath([
        [0.2, 1],
        [0.4, 0.5],
        [0.6, null],
      ]),
    ).toBe('M200.0 85L200.0 27.0L400.0 27.0L400.0 56.0L400.0 85Z');
  });

  test('the axis ends at a round figure with a round half, above everything', () => {
    expect([0, 0.7, 78.5, 79.9, 99, 376, 1866].map(roundTop)).toEqual([1, 0.8, 100, 100, 200, 400, 2000]);
    for (let most = 0.1; most < 1e6; most *= 1.17) expect(roundTop(most)).toBeGreaterThan(most);
  });

  test('the names of sunset and sunrise stand inside, off the line for now', () => {
    expect(sunPlace(0.12, 0.5, 0.1)).toEqual({ at: 0.12, side: 'middle' });
    expect(sunPlace(0.12, 0.15, 0.1)).toEqual({ at: 0.12, side: 'end' });
    expect(sunPlace(0.11, 0.5, 0.1)).toEqual({ at: 0.11, side: 'start' });
    expect(sunPlace(0.11, 0.15, 0.1)).toEqual({ at: 0.11, side: 'end' });
    expect(sunPlace(0.12, 0.19, 0.29)).toEqual({ at: 0.19, side: 'start' });
    expect(sunPlace(0.88, 0.19, 0.29)).toEqual({ at: 0.88, side: 'end' });
    expect(sunPlace(0.88, 0.8, 0.29)).toEqual({ at: 0.8, side: 'end' });
    for (let now = 0; now <= 1; now += 0.01)
      for (const place of [0.08, 0.15, 0.5, 0.86])
        for (const room of [0.11, 0.29]) {
          const { at, side } = sunPlace(place, now, room);
          const begins = at - { start: 0, middle: room / 2, end: room }[side];
          expect(begins > now - 1e-9 || begins + room < now + 1e-9, `${place} ${now} ${room}`).toBe(true);
          expect(begins >= -1e-9 && begins + room <= 1 + 1e-9).toBe(true);
        }
  });

  test('hours are round in the shown zone and never crowd', () => {
    const marks = hourMarks(0.5 * hour, 17 * hour, (at) => (at / hour + 8) % 24);
    expect(marks.length).toBeLessThanOrEqual(10);
    expect(marks.every((mark) => ((mark.at / hour + 8) % 24) % 2 === 0)).toBe(true);
  });
});

describe('a line opens what it is about', () => {
  const at = '2026-11-20T12:00:00Z';
  const change = {
    at,
    beganAt: at,
    endedAt: null,
    lastAt: at,
    seconds: null,
    times: 1,
    kind: 'fault' as const,
    fault: 'L101' as const,
    reason: null,
    level: 2,
    roads: 1,
    count: 1,
    open: 1,
    roadId: 7,
    roadName: '滨江大道',
    deviceId: 42,
    code: 'BJ-0042',
    family: 'single-lamp-controller',
  };
  test.each([
    ['one lamp', change, { to: 'lamp/device', params: { id: 42 } }],
    [
      'many lamps of a road',
      { ...change, count: 5, deviceId: null, code: null },
      { to: 'lamp/monitor', search: '?view=list&roads=7&faults=L101' },
    ],
    [
      'what is over is not narrowed to the fault',
      { ...change, open: 0, count: 5, deviceId: null, code: null },
      { to: 'lamp/monitor', search: '?view=list&roads=7' },
    ],
    [
      'lamps that are out of reach',
      { ...change, kind: 'offline' as const, fault: null, count: 5, open: 2, deviceId: null, code: null },
      { to: 'lamp/monitor', search: '?view=list&roads=7&states=offline' },
    ],
    [
      'a controller',
      { ...change, kind: 'offline' as const, fault: null, family: 'central-controller' },
      { to: 'lamp/central-controllers' },
    ],
  ])('%s', (_name, given, target) => {
    expect(lineTarget(given)).toEqual(target);
  });
});
