import { describe, expect, test } from 'vitest';
import { exampleProgramme } from './examples.ts';
import { resolveNight } from './night.ts';
import { noRole, type LampRole, type Night, type Pattern, type Programme } from './programme.ts';
import { belowFloorOfRow, type FloorLamp } from './row-floor.ts';

const place = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const day = '2026-11-23';
const nightOf = (programme: Programme, role: LampRole = noRole): Night => resolveNight(programme, place, day, role);
/** From 23:00 on at this level. */
const at23 = (level: number, pattern: Pattern = 'all'): Programme => {
  const { periods, ...programme } = exampleProgramme(level);
  return { ...programme, periods: periods.map((one, index) => (index === 0 ? one : { ...one, pattern })) };
};
const full = nightOf(at23(100));
const dims = (level: number, more: Partial<FloorLamp> = {}): FloorLamp[] => [
  { before: full, after: nightOf(at23(level)), own: true, ...more },
];
const stays = (level = 100): FloorLamp[] => [{ before: nightOf(at23(level)), after: nightOf(at23(level)), own: false }];
const found = (poles: readonly (readonly FloorLamp[])[], floor = 50, darker = false) =>
  belowFloorOfRow({ poles, loose: false }, floor, { darker });
/** A row with a pattern in which nothing but the ends is kept lit, and these. */
const alternating = (length: number, pattern: Pattern, keep: readonly number[] = []): FloorLamp[][] =>
  Array.from({ length }, (_, position) => {
    const role = { ...noRole, position, rowLength: length, rotation: 'fixed' as const, keep: keep.includes(position) };
    return [{ before: full, after: nightOf(at23(100, pattern), role), own: true }];
  });

describe('a row', () => {
  test('may have one lamp at 30 % between two at 100 %, not three at 30 %', () => {
    expect(found([stays(), dims(30), stays()])).toBeNull();
    expect(found([dims(30), dims(30), dims(30)])).toMatchObject({ level: 30, period: 1, poles: [0, 1, 2] });
    // 30, 20 and 100 of 3 are as much as the floor.
    expect(found([dims(30), dims(20), stays()])).toBeNull();
    expect(found([dims(30), dims(19), stays()])).toMatchObject({ level: 49.7, pole: 1 });
  });

  test('is judged with what lamps outside of the scope do', () => {
    expect(found([stays(40), stays(40), dims(60)])).toMatchObject({ level: 46.7, poles: [2] });
    expect(found([stays(70), stays(40), dims(60)])).toBeNull();
    // Others made it dark before: more light is welcome, and so is the same.
    const raised: FloorLamp[] = [{ before: nightOf(at23(20)), after: nightOf(at23(80)), own: true }];
    expect(found([stays(0), stays(0), raised])).toBeNull();
    expect(found([stays(0), stays(0), dims(100)])).toBeNull();
    // Lamps that are below themselves count although they were darker, unless only what gets darker is asked for.
    const little: FloorLamp[] = [{ before: nightOf(at23(20)), after: nightOf(at23(30)), own: true }];
    expect(found([little, little, little])).toMatchObject({ level: 30 });
    expect(found([little, little, little], 50, true)).toBeNull();
    // Who does what they did before has changed no light, and speaks for no other lamp.
    const same: FloorLamp[] = [{ before: nightOf(at23(20)), after: nightOf(at23(20)), own: true }];
    expect(found([same, same, same])).toBeNull();
    expect(found([same, same, raised])).toBeNull();
    expect(found([same, same, little])).toMatchObject({ pole: 0, poles: [0, 1, 2] });
  });

  test('is judged as a whole where it has fewer than three poles, and by the mean of a pole', () => {
    expect(found([dims(30)])).toMatchObject({ level: 30 });
    expect(found([dims(30), stays()])).toBeNull();
    expect(found([[...dims(0), ...stays()], [...dims(0), ...stays()], stays()])).toBeNull();
    expect(found([[...dims(0), ...stays()], [...dims(0), ...stays()], dims(40)])).toMatchObject({ level: 46.7 });
    expect(found([])).toBeNull();
  });

  test('has the lamps that patterns keep lit', () => {
    expect(found(alternating(9, 'alternateOne'), 40)).toMatchObject({ level: 33.3 });
    expect(found(alternating(4, 'alternateOne'), 40)).toBeNull();
    expect(found(alternating(9, 'alternateOne', [1, 2, 3, 4, 5, 6, 7]), 40)).toBeNull();
    expect(found(alternating(9, 'alternateTwo', [1, 4, 7]), 40)).toBeNull();
    // In no row a pattern lights every lamp; it is judged by what it would be in one.
    const lamp = { before: full, after: nightOf(at23(100, 'alternateTwo')), own: true };
    expect(belowFloorOfRow({ poles: [[lamp]], loose: true }, 40)).toMatchObject({ level: 33.3, period: 1 });
  });

  test('may go on and off some minutes apart, not hours', () => {
    const late = (on: string): FloorLamp[] => [
      {
        before: full,
        after: nightOf({ ...at23(100), on: { ...exampleProgramme().on, notBefore: on } }),
        own: true,
      },
    ];
    expect(found([late('17:10'), late('17:10'), stays()])).toBeNull();
    expect(found([late('20:00'), late('20:00'), stays()])).toMatchObject({ level: 33.3, period: null });
    // A road whose lamps all begin late has a night of its own.
    expect(found([late('20:00'), late('20:00'), late('20:00')])).toBeNull();
  });
});
