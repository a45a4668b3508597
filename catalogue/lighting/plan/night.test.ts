import { describe, expect, it } from 'vitest';
import {
  apia,
  hangzhou,
  harbin,
  kathmandu,
  lordHowe,
  newYork,
  nightText,
  place,
  programme,
  stepsOf,
  switching,
  tromso,
  wall,
} from '../../testing/nights.ts';
import { sunDay } from '../sun.ts';
import { levelAt, litBetween, nightOf } from './lamp-plan.ts';
import { resolveNight } from './night.ts';
import { noRole, type Programme, type Switching } from './programme.ts';
import { planOfTable } from './table.ts';

const halfNight = programme('sunset', 'sunrise', ['on 100', '23:00 50', '05:00 100']);
const point = (at: string, level: number, offsetMinutes = 0) => ({ at, offsetMinutes, level });

describe('tables of more than two points', () => {
  const table = [point('sunset', 100), point('23:00', 50), point('05:00', 100), point('sunrise', 0)];

  it('leave the lamp dark by day when the last clock time lies after sunrise', () => {
    const plan = planOfTable(harbin, table);
    for (let hour = 4; hour < 19; hour++)
      expect(levelAt(plan, wall('2026-06-21', `${String(hour).padStart(2, '0')}:00`, harbin))).toBe(0);
    expect(stepsOf(nightOf(plan, '2026-06-21'), harbin)).toBe('19:27 100 · 23:00 50 · 03:44 0');
  });

  it('have several lit stretches a night', () => {
    const plan = planOfTable(harbin, [
      point('sunset', 100),
      point('23:00', 0),
      point('05:00', 100),
      point('sunrise', 0),
    ]);
    const { lit } = nightOf(plan, '2026-12-21');
    expect(lit).toHaveLength(2);
    expect(levelAt(plan, wall('2026-12-22', '06:00', harbin))).toBe(100);
    const [from, to] = [wall('2026-12-21', '12:00', harbin), wall('2026-12-22', '12:00', harbin)];
    expect(litBetween(plan, from, to)).toEqual(lit);
  });

  it('burn from sunset on at the level of a sun point that lies before it', () => {
    const plan = planOfTable(harbin, [point('sunset', 100), point('sunrise', 50, -540), point('sunrise', 0)]);
    expect(stepsOf(nightOf(plan, '2026-06-21'), harbin)).toBe('19:27 50 · 03:44 0');
  });

  it('are dark until sunset, then at the level of a clock time before it', () => {
    const plan = planOfTable(harbin, [point('sunset', 100), point('18:00', 60), point('sunrise', 0)]);
    expect(levelAt(plan, wall('2026-06-21', '18:30', harbin))).toBe(0);
    expect(levelAt(plan, wall('2026-06-21', '19:30', harbin))).toBe(60);
    expect(levelAt(plan, wall('2026-06-22', '02:00', harbin))).toBe(60);
  });

  it('make no night in polar day', () => {
    const plan = planOfTable(tromso, table);
    for (let hour = 0; hour < 24; hour++)
      expect(levelAt(plan, wall('2026-06-21', `${String(hour).padStart(2, '0')}:00`, tromso))).toBe(0);
  });

  it('keep their clock times where daylight saving begins and ends', () => {
    const plan = planOfTable(newYork, [point('sunset', 100), point('02:30', 40), point('sunrise', 0)]);
    const dimmedAt = (day: string) => new Date(nightOf(plan, day).steps[1]?.at ?? 0).toISOString();
    expect(dimmedAt('2026-03-07')).toBe('2026-03-08T07:30:00.000Z');
    expect(dimmedAt('2026-10-31')).toBe('2026-11-01T07:30:00.000Z');
  });
});

describe('a night', () => {
  it.each<[string, Programme, typeof harbin, string, string]>([
    ['of sun and clock', halfNight, hangzhou, '2026-11-21', '17:00 100 · 23:00 50 · 05:00 100 · 06:30 0'],
    ['keeps 12:00 to its evening', programme('12:00', '11:59', ['on 7']), hangzhou, '2026-11-21', '12:00 7 · 11:59 0'],
    ['moves by offsets', programme('sunset-10', 'sunrise+5', ['on 80']), hangzhou, '2026-11-21', '16:50 80 · 06:35 0'],
    ['by dusk and dawn', programme('dusk', 'dawn', ['on 90']), hangzhou, '2026-11-21', '17:26 90 · 06:04 0'],
    ['of clock times alone', programme('18:00', '06:00', ['on 70']), hangzhou, '2026-06-21', '18:00 70 · 06:00 0'],
    [
      'in its middle',
      programme('18:00', '06:00', ['on 70', 'middle 30']),
      hangzhou,
      '2026-06-21',
      '18:00 70 · 00:00 30 · 06:00 0',
    ],
    [
      'moved from its middle',
      programme('18:00', '06:00', ['on 70', 'middle-90 30']),
      hangzhou,
      '2026-06-21',
      '18:00 70 · 22:30 30 · 06:00 0',
    ],
    [
      'not before a time',
      programme(switching('sunset', { notBefore: '17:30' }), 'sunrise', ['on 100']),
      hangzhou,
      '2026-11-21',
      '17:30 100 · 06:30 0',
    ],
    [
      'not after a time',
      programme(switching('sunset', { notAfter: '18:30' }), 'sunrise', ['on 100']),
      hangzhou,
      '2026-06-21',
      '18:30 100 · 04:58 0',
    ],
    [
      'off not before a time',
      programme('sunset', switching('sunrise', { notBefore: '05:30' }), ['on 100']),
      hangzhou,
      '2026-06-21',
      '19:03 100 · 05:30 0',
    ],
    [
      'off not after a time',
      programme('sunset', switching('sunrise', { notAfter: '06:00' }), ['on 100']),
      hangzhou,
      '2026-11-21',
      '17:00 100 · 06:00 0',
    ],
    [
      'bound by what does not bite',
      programme(switching('sunset', { notBefore: '16:00', notAfter: '20:00' }), 'sunrise', ['on 100']),
      hangzhou,
      '2026-11-21',
      '17:00 100 · 06:30 0',
    ],
    [
      'from the latest period before it',
      programme('sunset', 'sunrise', ['on 100', '16:00 40', '16:30 60']),
      hangzhou,
      '2026-11-21',
      '17:00 60 · 06:30 0',
    ],
    [
      'from the latest, in any order',
      programme('sunset', 'sunrise', ['on 100', '16:30 60', '16:00 40']),
      hangzhou,
      '2026-11-21',
      '17:00 60 · 06:30 0',
    ],
    [
      'without periods after it',
      programme('sunset', '23:00', ['on 100', '23:30 40']),
      hangzhou,
      '2026-11-21',
      '17:00 100 · 23:00 0',
    ],
    [
      'without one that starts as it ends',
      programme('sunset', '23:00', ['on 100', '23:00 40']),
      hangzhou,
      '2026-11-21',
      '17:00 100 · 23:00 0',
    ],
    [
      'from a period that starts with it',
      programme('sunset', '06:00', ['on 100', 'sunset 20']),
      hangzhou,
      '2026-11-21',
      '17:00 20 · 06:00 0',
    ],
    [
      'where the later in the list wins',
      programme('18:00', '06:00', ['on 100', '22:00 60', '21:00+60 30']),
      hangzhou,
      '2026-11-21',
      '18:00 100 · 22:00 30 · 06:00 0',
    ],
    [
      'joins equal levels',
      programme('18:00', '06:00', ['on 60', '22:00 60', '23:00 30']),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 23:00 30 · 06:00 0',
    ],
    ['of one level', programme('18:00', '06:00', ['on 60', '22:00 60']), hangzhou, '2026-11-21', '18:00 60 · 06:00 0'],
    [
      'dark in between',
      programme('18:00', '06:00', ['on 60', '22:00 0', '05:00 80']),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 22:00 0 · 05:00 80 · 06:00 0',
    ],
    [
      'without a dark stretch of 4 minutes',
      programme('18:00', '06:00', ['on 60', '22:00 0', '22:04 80']),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 22:04 80 · 06:00 0',
    ],
    [
      'with a dark stretch of 5 minutes',
      programme('18:00', '06:00', ['on 60', '22:00 0', '22:05 80']),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 22:00 0 · 22:05 80 · 06:00 0',
    ],
    [
      'without 9 minutes at its beginning',
      programme('18:00', '06:00', ['on 60', '18:09 0', '22:00 80'], 10),
      hangzhou,
      '2026-11-21',
      '18:00 0 · 22:00 80 · 06:00 0',
    ],
    [
      'with 10 minutes at its beginning',
      programme('18:00', '06:00', ['on 60', '18:10 0', '22:00 80'], 10),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 18:10 0 · 22:00 80 · 06:00 0',
    ],
    [
      'without 9 minutes at its end',
      programme('18:00', '06:00', ['on 60', '22:00 0', '05:51 80'], 10),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 22:00 0 · 06:00 0',
    ],
    [
      'with 9 minutes in its middle',
      programme('18:00', '06:00', ['on 60', '22:00 0', '23:00 80', '23:09 0', '05:00 60'], 10),
      hangzhou,
      '2026-11-21',
      '18:00 60 · 22:00 0 · 23:00 80 · 23:09 0 · 05:00 60 · 06:00 0',
    ],
    [
      'of 9 minutes as a whole',
      programme('18:00', '18:09', ['on 60'], 10),
      hangzhou,
      '2026-11-21',
      '18:00 0 · 18:09 0',
    ],
    [
      'that begins dark',
      programme('18:00', '06:00', ['on 0', '19:00 60']),
      hangzhou,
      '2026-11-21',
      '18:00 0 · 19:00 60 · 06:00 0',
    ],
    ['of polar night', halfNight, tromso, '2026-12-21', '12:00 100 · 23:00 50 · 05:00 100 · 12:00 0'],
    [
      'of polar night with bounds',
      programme(switching('sunset', { notBefore: '15:00' }), switching('sunrise', { notAfter: '08:00' }), ['on 100']),
      tromso,
      '2026-12-21',
      '15:00 100 · 08:00 0',
    ],
    ['of polar day', halfNight, tromso, '2026-06-21', ''],
    ['of polar day by the clock', programme('22:00', '03:00', ['on 50']), tromso, '2026-06-21', '22:00 50 · 03:00 0'],
    [
      'that is the last before polar day',
      programme('sunset', 'sunrise', ['on 100']),
      tromso,
      '2026-05-16',
      '00:03 100 · 01:17 0',
    ],
    ['whose sunrise never comes', programme('sunset', 'sunrise', ['on 100']), tromso, '2026-05-17', ''],
    [
      'that is the last before polar night',
      programme('sunset', 'sunrise', ['on 100']),
      tromso,
      '2026-11-27',
      '11:41 100 · 12:00 0',
    ],
    ['that ends polar night', programme('sunset', 'sunrise', ['on 100']), tromso, '2027-01-14', '12:00 100 · 11:34 0'],
    ['without dusk', programme('dusk', 'dawn', ['on 100']), place(62, 30.33, 'Europe/Moscow'), '2026-06-21', ''],
    [
      'whose on is behind its off',
      programme('sunset+240', 'sunrise-240', ['on 100']),
      place(59.93, 30.33, 'Europe/Moscow'),
      '2026-06-21',
      '',
    ],
    [
      'of half an hour of daylight saving',
      programme('sunset', 'sunrise', ['on 100', '02:15 40']),
      lordHowe,
      '2026-10-03',
      '17:56 100 · 02:45 40 · 05:58 0',
    ],
    [
      'of a quarter of an hour from UTC',
      programme('sunset', 'sunrise', ['on 100', '23:00 40']),
      kathmandu,
      '2026-06-21',
      '19:02 100 · 23:00 40 · 05:08 0',
    ],
    [
      'before a day that does not exist',
      programme('18:00', '06:00', ['on 100', '23:00 40']),
      apia,
      '2011-12-29',
      '18:00 100 · 23:00 40 · 06:00 0',
    ],
    ['on 29 February', halfNight, hangzhou, '2028-02-29', '17:57 100 · 23:00 50 · 05:00 100 · 06:25 0'],
    [
      'with levels out of range',
      programme('18:00', '06:00', ['on 140', '22:00 -5']),
      hangzhou,
      '2026-11-21',
      '18:00 100 · 22:00 0 · 06:00 0',
    ],
  ])('%s', (_, what, where, day, expected) => expect(nightText(what, where, day)).toBe(expected));

  it('has the driver’s lowest level, and 0 stays 0', () => {
    const role = { ...noRole, minLevel: 10 };
    const what = programme('18:00', '06:00', ['on 60', '22:00 4', '23:00 0', '05:00 10']);
    expect(nightText(what, hangzhou, '2026-11-21', role)).toBe('18:00 60 · 22:00 10 · 23:00 0 · 05:00 10 · 06:00 0');
  });

  it('is planned at the anchor where a sensor may switch inside a window', () => {
    const light = { lux: 20, sensitivity: null, beforeMinutes: 30, afterMinutes: 20, delayMinutes: 10 };
    const at = (one: Partial<Switching>, other: Partial<Switching>) =>
      nightText(programme(switching('sunset', one), switching('sunrise', other), ['on 100']), hangzhou, '2026-11-21');
    expect(at({ light }, {})).toBe(at({}, {}));
    expect(at({}, { light })).toBe(at({}, {}));
    expect(at({ light }, { light })).toBe('17:00 100 · 06:30 0');
  });

  it('moves as a whole with a moved sun, its clock times too', () => {
    for (const minutes of [-359, 240, 700]) {
      const moved = { ...hangzhou, sunOffsetMinutes: minutes };
      const by = (night: ReturnType<typeof resolveNight>) => night.steps.map(({ at, level }) => [at, level]);
      expect(by(resolveNight(halfNight, moved, '2026-11-21'))).toEqual(
        by(resolveNight(halfNight, hangzhou, '2026-11-21')).map(([at = 0, level]) => [at + minutes * 60_000, level]),
      );
    }
  });

  it('lasts from the sunset of its day to the sunrise of the next', () => {
    const night = resolveNight(programme('sunset', 'sunrise', ['on 100']), hangzhou, '2026-11-30');
    expect(night).toMatchObject({
      on: sunDay(hangzhou, '2026-11-30').sunset,
      off: sunDay(hangzhou, '2026-12-01').sunrise,
      warnings: [],
    });
  });
});

describe('a night warns of', () => {
  it.each<[string, Programme, typeof harbin, string, object[]]>([
    ['periods that it does not reach', halfNight, harbin, '2026-06-21', [{ code: 'periodUnused', period: 2 }]],
    [
      'a superseded early period',
      programme('18:00', '06:00', ['on 9', '16:00 8', '17:00 7']),
      harbin,
      '2026-06-21',
      [{ code: 'periodUnused', period: 1 }],
    ],
    [
      'two periods at one instant',
      programme('18:00', '06:00', ['on 9', '22:00 8', '22:00 7']),
      harbin,
      '2026-06-21',
      [{ code: 'sameInstant', period: 1 }],
    ],
    [
      'a skipped time',
      programme('sunset', 'sunrise', ['on 9', '02:30 8']),
      newYork,
      '2026-03-07',
      [{ code: 'skippedTime', period: 1 }],
    ],
    [
      'a repeated time',
      programme('sunset', 'sunrise', ['on 9', '01:30 8']),
      newYork,
      '2026-10-31',
      [{ code: 'repeatedTime', period: 1 }],
    ],
    [
      'a skipped end',
      programme('sunset', '02:30', ['on 9']),
      newYork,
      '2026-03-07',
      [{ code: 'skippedTime', period: null }],
    ],
    [
      'the shortest burning',
      programme('18:00', '06:00', ['on 9', '18:05 0', '22:00 7'], 10),
      harbin,
      '2026-06-21',
      [{ code: 'minimumBurning', period: 0 }],
    ],
    [
      'a dark stretch that is not made',
      programme('18:00', '06:00', ['on 9', '22:00 0', '22:03 7']),
      harbin,
      '2026-06-21',
      [{ code: 'darkTooShort', period: 1 }],
    ],
    ['polar day', halfNight, tromso, '2026-06-21', [{ code: 'polarDay', period: null }]],
    ['polar night', halfNight, tromso, '2026-12-21', [{ code: 'polarNight', period: null }]],
    [
      'on that is not before off',
      programme('20:00', '19:00', ['on 9']),
      harbin,
      '2026-06-21',
      [{ code: 'neverDark', period: null }],
    ],
  ])('%s', (_, what, where, day, expected) => expect(resolveNight(what, where, day).warnings).toEqual(expected));
});
