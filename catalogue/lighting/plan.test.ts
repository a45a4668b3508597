import { describe, expect, it } from 'vitest';
import { expectedWatts, learnedWatts } from './lamp-power.ts';
import {
  defaultTable,
  levelAt,
  levelInForce,
  nextChange,
  nextSwitch,
  shouldBeLit,
  switchTimes,
  type TablePoint,
} from './plan.ts';
import { sunDay, type SunPlace } from './sun.ts';

const hangzhou: SunPlace = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const paris: SunPlace = { latitude: 48.8566, longitude: 2.3522, timeZone: 'Europe/Paris', sunOffsetMinutes: 0 };
const tromso: SunPlace = { latitude: 69.6492, longitude: 18.9553, timeZone: 'Europe/Oslo', sunOffsetMinutes: 0 };
const local = (text: string) => Date.parse(`${text}+08:00`);
const hour = 3_600_000;

const halfNight: TablePoint[] = [
  { at: 'sunset', offsetMinutes: -10, level: 100 },
  { at: '23:00', offsetMinutes: 0, level: 60 },
  { at: '05:00', offsetMinutes: 0, level: 100 },
  { at: 'sunrise', offsetMinutes: 10, level: 0 },
];

describe('a plan', () => {
  it.each([
    ['by day', '2026-11-21T12:00:00', 0],
    ['after sunset minus ten', '2026-11-21T17:00:00', 100],
    ['late in the evening', '2026-11-21T23:00:00', 60],
    ['past midnight', '2026-11-22T00:30:00', 60],
    ['past the month’s end', '2026-12-01T04:59:59', 60],
    ['in the early morning', '2026-12-01T05:00:00', 100],
    ['on 29 February', '2028-02-29T23:30:00', 60],
    ['in the night after 29 February', '2028-03-01T02:00:00', 60],
  ])('gives the level %s', (_, at, level) => expect(levelAt(halfNight, hangzhou, local(at))).toBe(level));

  it('switches on at sunset and off at sunrise of the next day', () => {
    const { onAt, offAt } = switchTimes(hangzhou, '2026-11-30');
    expect(onAt).toBe(sunDay(hangzhou, '2026-11-30').sunset);
    expect(offAt).toBe(sunDay(hangzhou, '2026-12-01').sunrise);
  });

  it('names the next switch, from both sides of it', () => {
    const { onAt, offAt } = switchTimes(hangzhou, '2026-11-30');
    expect(nextSwitch(local('2026-11-30T12:00:00'), hangzhou)).toEqual({ at: onAt, to: 'on' });
    expect(nextSwitch(local('2026-11-30T23:00:00'), hangzhou)).toEqual({ at: offAt, to: 'off' });
    expect(nextSwitch(onAt ?? 0, hangzhou)).toEqual({ at: offAt, to: 'off' });
    // Dimming steps inside the night are no switches.
    expect(nextSwitch(local('2026-11-30T22:00:00'), hangzhou, halfNight)?.to).toBe('off');
  });

  it('leaves a night dark whose offset puts on behind off', () => {
    const table: TablePoint[] = [
      { at: 'sunset', offsetMinutes: 400, level: 100 },
      { at: 'sunrise', offsetMinutes: -500, level: 0 },
    ];
    for (let h = 0; h < 48; h++) expect(levelAt(table, hangzhou, local('2026-11-20T00:00:00') + h * hour)).toBe(0);
    expect(switchTimes(hangzhou, '2026-11-20', table).onAt).toBeNull();
  });

  it('moves with the place’s sun offset, through noon as well', () => {
    const moved = { ...hangzhou, sunOffsetMinutes: -359 };
    const { onAt, offAt } = switchTimes(moved, '2026-11-21');
    expect(shouldBeLit((onAt ?? 0) + hour, moved)).toBe(true);
    expect(shouldBeLit(local('2026-11-21T12:00:00'), moved)).toBe(true);
    expect(shouldBeLit((offAt ?? 0) + 60_000, moved)).toBe(false);
    expect(nextSwitch(local('2026-11-21T12:00:00'), moved)).toEqual({ at: offAt, to: 'off' });
  });

  it('counts one lit and one dark stretch a day all year, daylight saving included', () => {
    let last = shouldBeLit(Date.parse('2026-01-01T11:00:00Z'), paris);
    let edges = 0;
    for (let at = Date.parse('2026-01-01T11:00:00Z'); at < Date.parse('2027-01-01T11:00:00Z'); at += hour / 4) {
      const lit = shouldBeLit(at, paris);
      if (lit !== last) edges++;
      last = lit;
    }
    expect(edges).toBe(730);
  });

  it('meets fixed points in nights with a skipped and a repeated hour', () => {
    const table: TablePoint[] = [
      { at: 'sunset', offsetMinutes: 0, level: 100 },
      { at: '02:30', offsetMinutes: 0, level: 40 },
      { at: 'sunrise', offsetMinutes: 0, level: 0 },
    ];
    expect(levelAt(table, paris, Date.parse('2026-03-29T01:29:00Z'))).toBe(100);
    expect(levelAt(table, paris, Date.parse('2026-03-29T01:30:00Z'))).toBe(40);
    expect(levelAt(table, paris, Date.parse('2026-10-25T00:29:00Z'))).toBe(100);
    expect(levelAt(table, paris, Date.parse('2026-10-25T00:30:00Z'))).toBe(40);
    expect(levelAt(table, paris, Date.parse('2026-10-25T01:15:00Z'))).toBe(40);
  });

  it('stays lit in polar night and dark in polar day', () => {
    expect(shouldBeLit(Date.parse('2026-12-21T11:00:00Z'), tromso)).toBe(true);
    expect(shouldBeLit(Date.parse('2026-06-21T23:00:00Z'), tromso)).toBe(false);
    expect(nextSwitch(Date.parse('2026-12-21T11:00:00Z'), tromso)).toBeNull();
    expect(nextSwitch(Date.parse('2026-06-21T23:00:00Z'), tromso)).toBeNull();
  });

  it('yields to a manual state until its end, and not after it', () => {
    const night = local('2026-11-21T21:00:00');
    const manual = { level: 0, until: night + hour };
    expect(shouldBeLit(night, hangzhou, manual)).toBe(false);
    expect(levelInForce(night + hour, hangzhou, manual)).toBe(100);
    expect(
      shouldBeLit(local('2026-11-21T12:00:00'), hangzhou, { level: 30, until: local('2026-11-21T13:00:00') }),
    ).toBe(true);
    expect(nextChange(night, hangzhou, manual)).toBe(night + hour);
    expect(nextChange(local('2026-11-21T22:00:00'), hangzhou, null, halfNight)).toBe(local('2026-11-21T23:00:00'));
    expect(levelInForce(night, hangzhou, null, defaultTable)).toBe(100);
  });
});

describe('expected power', () => {
  it('is nothing when off, the rating at full level, and bent in between', () => {
    for (const curve of ['led', 'sodium', 'unknown'] as const) {
      expect(expectedWatts(120, 0, curve)).toBe(0);
      expect(expectedWatts(120, 100, curve)).toBeCloseTo(120, 6);
    }
    expect(expectedWatts(100, 50)).toBeCloseTo(52.5, 6);
    expect(expectedWatts(100, 50, 'led')).toBeCloseTo(48.5, 6);
    expect(expectedWatts(100, 10, 'sodium')).toBe(45);
  });

  it('goes by what was learned of the model, straight between levels that are known, and never falls', () => {
    const learned = { levels: [20, 60, 80], shares: [0.15, 0.5, 0.48] };
    const at = (...levels: number[]) =>
      levels.map((level) => Math.round(learnedWatts(200, level, learned) * 100) / 100);
    expect(at(0, 10, 20, 40, 60, 80, 90, 100, 120)).toEqual([0, 20, 30, 65, 100, 100, 150, 200, 200]);
    expect(learnedWatts(200, 100, { levels: [100], shares: [0.9] })).toBeCloseTo(180, 9);
    expect(learnedWatts(200, 50, { levels: [], shares: [] })).toBe(expectedWatts(200, 50));
    expect(learnedWatts(200, 50, null)).toBe(expectedWatts(200, 50));
  });
});
