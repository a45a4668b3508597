import { describe, expect, it } from 'vitest';
import { programme, switching } from '../../testing/nights.ts';
import { planLimits } from '../limits.ts';
import type { Programme } from './programme.ts';
import { validateProgramme } from './validate.ts';

const good = programme(switching('sunset-10', { notBefore: '16:00', notAfter: '20:00' }), 'sunrise+5', [
  'on 100',
  '23:00 60',
  'middle+30 40 alternateOne',
  'dawn-60 80',
]);
const rulesOf = (what: Programme, periods?: Parameters<typeof validateProgramme>[1]) =>
  validateProgramme(what, periods).map(({ field, rule }) => `${field} ${rule}`);

describe('a programme', () => {
  it('is good with the greatest values of the table of limits', () => {
    expect(rulesOf(good)).toEqual([]);
    const light = {
      lux: planLimits.lux.max,
      sensitivity: planLimits.sensitivity.max,
      beforeMinutes: planLimits.lightWindowMinutes.max,
      afterMinutes: planLimits.lightWindowMinutes.max,
      delayMinutes: planLimits.lightDelayMinutes.max,
    };
    const most = programme(switching('dusk-240', { light }), switching('dawn+240', { light }), [
      'on 100',
      ...[1, 2, 3, 4, 5].map((hour) => `0${hour}:00 0`),
    ]);
    expect(rulesOf({ ...most, minimumMinutes: planLimits.minimumMinutes.max })).toEqual([]);
  });

  it('is told every problem at once, each with its field and what is allowed', () => {
    const light = { lux: 41, sensitivity: 256, beforeMinutes: 61, afterMinutes: -1, delayMinutes: 31 };
    const bad: Programme = {
      on: switching('noon', { offsetMinutes: 241, notBefore: '25:00', notAfter: '', light }),
      off: switching('sunrise', { notBefore: '06:00', notAfter: '23:00' }),
      minimumMinutes: 121,
      periods: [
        { start: { at: '', offsetMinutes: 0.5 }, level: 101, pattern: 'all', rampSeconds: 601 },
        { start: 'on', level: 1.5, pattern: 'all', rampSeconds: -1 },
        { start: { at: '24:00', offsetMinutes: 0 }, level: -1, pattern: 'all', rampSeconds: 0 },
        { start: { at: '23:00', offsetMinutes: 0 }, level: 50, pattern: 'all', rampSeconds: 0 },
        { start: { at: '23:00', offsetMinutes: 0 }, level: 40, pattern: 'all', rampSeconds: 0 },
      ],
    };
    expect(rulesOf(bad)).toEqual([
      'on.at time',
      'on.offsetMinutes range',
      'on.notBefore time',
      'on.notAfter timeEmpty',
      'on.light.lux range',
      'on.light.sensitivity range',
      'on.light.beforeMinutes range',
      'on.light.afterMinutes range',
      'on.light.delayMinutes range',
      'off.notAfter contradicts',
      'minimumMinutes range',
      'periods.0.start firstOn',
      'periods.0.start.at timeEmpty',
      'periods.0.start.offsetMinutes whole',
      'periods.0.level range',
      'periods.0.rampSeconds range',
      'periods.1.start firstOn',
      'periods.1.level whole',
      'periods.1.rampSeconds range',
      'periods.2.start.at time',
      'periods.2.level range',
      'periods.4.start.at taken',
    ]);
    expect(validateProgramme(bad)).toContainEqual({
      field: 'on.light.lux',
      rule: 'range',
      params: { min: 1, max: 40 },
    });
  });

  it.each([
    ['periods', 6],
    ['loopPeriods', 5],
    ['timerPeriods', 4],
    ['solarPeriods', 3],
  ] as const)('has at most as many periods as %s allow (%i)', (name, most) => {
    const of = (count: number) =>
      programme(
        'sunset',
        'sunrise',
        ['on 9', '20:00 1', '21:00 2', '22:00 3', '23:00 4', '00:00 5', '01:00 6'].slice(0, count),
      );
    expect(rulesOf(of(most), name)).toEqual([]);
    expect(validateProgramme(of(most + 1), name)).toEqual([
      { field: 'periods', rule: 'range', params: { min: 1, max: most } },
    ]);
    expect(rulesOf(of(0), name)).toEqual(['periods range']);
  });
});
