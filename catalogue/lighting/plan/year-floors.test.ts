import { describe, expect, it } from 'vitest';
import { hangzhou, place, programme } from '../../testing/nights.ts';
import type { RoadClass } from '../floors.ts';
import { noRole, type LampRole, type Programme } from './programme.ts';
import { floorsOfYear, type YearFloor } from './year-floors.ts';
import { createYearClasses, type Track, type WindowLamp, type YearInput } from './year-input.ts';

const [from, days] = ['2026-01-15', 365];

interface Lamp {
  readonly a?: Programme;
  readonly b?: Programme;
  readonly own?: WindowLamp['own'];
  readonly position?: number;
  readonly where?: number;
}

const always = programme('sunset', 'sunrise', ['on 100']);
const at23 = (level: number, pattern = 'all') =>
  programme('sunset', 'sunrise', ['on 100', `23:00 ${level} ${pattern}`]);
const dims = (level: number): Lamp => ({ b: at23(level) });
const beside = (level = 100): Lamp => ({ a: at23(level), own: 'none' });
/** One lamp a pole. */
function inputOf(
  windows: readonly (readonly Lamp[])[],
  road: RoadClass,
  more: Partial<Track> = {},
  loose = false,
): YearInput {
  const programmes: Programme[] = [];
  const trackOf = (of: Programme): number => {
    const text = JSON.stringify(of);
    const known = programmes.findIndex((one) => JSON.stringify(one) === text);
    return known < 0 ? programmes.push(of) - 1 : known;
  };
  const tracks: Track[] = [];
  const year = createYearClasses((index) => tracks[index]);
  const places = [hangzhou, place(30.3, 120.3), place(45.8, 126.5)];
  const lampOf = ({ a = always, b = a, own = 'both', position, where = 0 }: Lamp): WindowLamp => {
    const [trackA, trackB] = [trackOf(a), trackOf(b)];
    for (const index of [trackA, trackB])
      tracks[index] ??= {
        label: `S${index}`,
        programmes: [{ key: 1, name: '平日', programme: programmes[index] ?? always }],
        byDay: Array.from({ length: days + 3 }, () => 0),
        excepted: [],
        ...(index === 0 ? {} : more),
      };
    const role: LampRole = position === undefined ? noRole : { ...noRole, position, rowLength: 50, rotation: 'fixed' };
    const placed = { placeA: where, placeB: where, roleA: role, roleB: role };
    const { plans, classes } = year;
    const found = classes[year.add({ ...placed, trackA, trackB, load: 0, road })];
    expect(plans.length).toBeGreaterThan(0);
    return { a: found?.a ?? 0, b: found?.b ?? 0, own };
  };
  trackOf(always);
  const made = windows.map((window) => ({ road, loose, poles: window.map((lamp) => [lampOf(lamp)]) }));
  const { plans, classes } = year;
  return { from, days, tracks, places, loads: [], plans, classes, rows: [], windows: made };
}

function floorsOf(input: YearInput): YearFloor[] {
  const work = floorsOfYear(input);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
const said = (input: YearInput): string[] =>
  floorsOf(input).map(({ side, code, programme: name, period, nights, windows }) =>
    [side, code, name, period, nights, windows.join()].join(' '),
  );

describe('the floors of a year', () => {
  it('say how many hours neighbours are below the floor, in whose period', () => {
    const [found, ...others] = floorsOf(inputOf([[dims(40), dims(40), dims(40)]], 'arterial'));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ side: 'b', code: 'belowFloor', severity: 'error', label: 'S1', programme: '平日', period: 1 },
      ...{ road: 'arterial', nights: days, of: days, first: from, windows: [0] },
    });
    // From 23:00 to sunrise: six hours and a half in the mean, 2,500 hours a year.
    expect(found?.hours).toBeGreaterThan(2400);
    expect(found?.hours).toBeLessThan(2600);
    expect(said(inputOf([[dims(40), dims(40), dims(40)]], 'secondary'))).toEqual([]);
  });

  it('are those of three neighbours, with what others do', () => {
    const windows = [
      [beside(), dims(10), beside()],
      [beside(40), dims(60), beside(40)],
      [beside(40), dims(80), beside(40)],
    ];
    expect(said(inputOf(windows, 'arterial'))).toEqual([`b belowFloor 平日 1 ${days} 1`]);
  });

  it('name side a by itself, side b where it is darker or does otherwise', () => {
    const low = at23(30);
    const same = { a: low, b: low };
    expect(said(inputOf([[same, same, same]], 'arterial'))).toEqual([`a belowFloor 平日 1 ${days} 0`]);
    const lower = { a: low, b: at23(20) };
    expect(said(inputOf([[lower, lower, lower]], 'arterial'))).toEqual([
      `a belowFloor 平日 1 ${days} 0`,
      `b belowFloor 平日 1 ${days} 0`,
    ]);
  });

  it('leave a lamp that cannot follow side b on side a', () => {
    const relay: Lamp = { b: at23(20), own: 'a' };
    expect(said(inputOf([[dims(30), relay, dims(20)]], 'arterial'))).toEqual([]);
    expect(said(inputOf([[dims(20), dims(20), dims(20)]], 'arterial'))).toHaveLength(1);
  });

  it('have the lamps that a pattern leaves dark in the nights of its turn', () => {
    const third = at23(100, 'alternateTwo');
    const inRow = [7, 8, 9].map((position): Lamp => ({ b: third, position }));
    expect(said(inputOf([inRow], 'secondary'))).toEqual([`b belowFloor 平日 1 ${days} 0`]);
    expect(said(inputOf([[beside(), { b: third, position: 8 }, beside()]], 'secondary'))).toEqual([]);
    // Of no row nobody knows its neighbours: it is judged by the darkest ones.
    expect(said(inputOf([[{ b: third }]], 'secondary', {}, true))).toEqual([`b belowFloor 平日 1 ${days} 0`]);
  });

  it('are a warning where the plan is excepted, and alike near each other', () => {
    const excepted = { excepted: ['arterial' as const] };
    expect(said(inputOf([[dims(40)]], 'arterial', excepted))).toEqual([`b floorException 平日 1 ${days} 0`]);
    const near = [0, 1, 2].map((where) => [{ ...dims(40), where }]);
    expect(said(inputOf(near, 'arterial'))).toEqual([`b belowFloor 平日 1 ${days} 0,1,2`]);
  });
});
