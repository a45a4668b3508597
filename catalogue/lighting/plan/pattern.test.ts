import { describe, expect, it } from 'vitest';
import { hangzhou, programme, stepsOf, wall } from '../../testing/nights.ts';
import { resolveNight } from './night.ts';
import { litByPattern } from './pattern.ts';
import { noRole, type LampRole } from './programme.ts';

describe('a pattern', () => {
  const role = (part: Partial<LampRole>): LampRole => ({
    ...noRole,
    position: 2,
    rowLength: 12,
    rotation: 'fixed',
    ...part,
  });
  const row = (pattern: 'all' | 'alternateOne' | 'alternateTwo', day: string, part: Partial<LampRole> = {}) =>
    Array.from({ length: 12 }, (_, position) =>
      litByPattern(pattern, role({ position, ...part }), day) ? '●' : '·',
    ).join('');

  it.each<[string, 'all' | 'alternateOne' | 'alternateTwo', string, Partial<LampRole>, string]>([
    ['all', 'all', '2026-11-21', {}, '●●●●●●●●●●●●'],
    ['every second lamp and both ends', 'alternateOne', '2026-11-21', {}, '●·●·●·●·●·●●'],
    ['every third lamp and both ends', 'alternateTwo', '2026-11-21', {}, '●··●··●··●·●'],
    ['the other ones on the right side', 'alternateOne', '2026-11-21', { right: true }, '●●·●·●·●·●·●'],
    ['others of three on the right side', 'alternateTwo', '2026-11-21', { right: true }, '●·●··●··●··●'],
    ['others the next night', 'alternateOne', '1970-01-02', { rotation: 'nightly' }, '●●·●·●·●·●·●'],
    ['the same ones all week', 'alternateOne', '1970-01-07', { rotation: 'weekly' }, '●·●·●·●·●·●●'],
    ['others the next week', 'alternateOne', '1970-01-08', { rotation: 'weekly' }, '●●·●·●·●·●·●'],
    ['others of three by night', 'alternateTwo', '1970-01-03', { rotation: 'nightly' }, '●●··●··●··●●'],
  ])('lights %s', (_, pattern, day, part, expected) => expect(row(pattern, day, part)).toBe(expected));

  it('lights what is to be kept, short rows and lamps of no row', () => {
    const lit = (part: Partial<LampRole>) => litByPattern('alternateOne', role({ position: 1, ...part }), '2026-11-21');
    expect(lit({})).toBe(false);
    expect(lit({ keep: true })).toBe(true);
    expect(lit({ rowLength: 2 })).toBe(true);
    expect(lit({ position: null })).toBe(true);
  });

  it('keeps a lamp dark by plan for the stretch of its period alone', () => {
    const what = programme('18:00', '06:00', ['on 100', '23:00 60 alternateOne', '05:00 100']);
    const dark = resolveNight(what, hangzhou, '2026-11-21', role({ position: 1 }));
    expect(stepsOf(dark, hangzhou)).toBe('18:00 100 · 23:00 0 · 05:00 100 · 06:00 0');
    expect(dark.plannedDark).toEqual([
      { from: wall('2026-11-21', '23:00', hangzhou), to: wall('2026-11-22', '05:00', hangzhou) },
    ]);
    expect(resolveNight(what, hangzhou, '2026-11-21', role({ position: 2 })).plannedDark).toEqual([]);
  });
});
