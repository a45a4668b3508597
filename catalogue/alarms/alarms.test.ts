import { describe, expect, it } from 'vitest';
import { alarms, byWorst, judgedFaults, lampFaults } from '../faults.ts';
import { defineFamily, type FamilyInput } from '../family.ts';
import { families, languages, namesIn } from '../index.ts';
import { manholeCover } from '../families/manhole-cover.ts';
import { limitOf, type SampleAlarm } from './alarm.ts';
import { crossedLimits, lampAlarmsWith, lampLimits } from './lamp-limits.ts';

const gas: SampleAlarm = {
  code: 'P404',
  level: 1,
  role: 'symptom',
  counts: 'always',
  raise: { quantity: 'gas', above: 20 },
  delaySeconds: 0,
  samples: 1,
  clear: { quantity: 'gas', below: 10 },
  clearDelaySeconds: 0,
  clearSamples: 1,
};
const withAlarm = (alarm: SampleAlarm) => {
  const input: FamilyInput = { ...manholeCover, quantities: ['gas'], listColumns: [], alarms: [alarm] };
  return () => defineFamily(input);
};

describe('alarms are declared whole', () => {
  it.each(languages)('every one has a name and what to do, in %s', (language) => {
    const names = namesIn(language);
    for (const code of judgedFaults) {
      expect(names.fault(code)).not.toBe(`fault.${code}`);
      expect(names.whatToDo(code)).not.toBe(`whatToDo.${code}`);
    }
  });

  it('one code means one alarm, whichever families have it', () => {
    for (const alarm of families.flatMap((family) => family.alarms)) expect(alarms.get(alarm.code)).toBe(alarm);
  });

  it('the worst comes first: by level, then as declared', () => {
    expect(lampFaults.toSorted(byWorst)).toEqual([
      'N302',
      'L112',
      'N301',
      'L113',
      'L101',
      'L111',
      'L110',
      'L105',
      'L106',
    ]);
    expect(['X999', 'L106', 'P404'].toSorted(byWorst)).toEqual(['P404', 'L106', 'X999']);
  });
});

describe('a declaration that cannot work ends the start', () => {
  it('of a quantity that the family does not report', () => {
    expect(withAlarm(gas)).not.toThrow();
    expect(withAlarm({ ...gas, raise: { quantity: 'voltage', above: 1 } })).toThrow('"voltage"');
  });

  it('of limits that raise and clear at one value', () => {
    const raisedAndCleared = [
      { raise: { quantity: 'gas', above: 20 }, clear: { quantity: 'gas', below: 21 } },
      { raise: { quantity: 'gas', above: 20 }, clear: { quantity: 'gas', above: 30 } },
      { raise: { quantity: 'gas', below: 20 }, clear: { quantity: 'gas', above: 19 } },
      { raise: { quantity: 'gas', below: 20 }, clear: { quantity: 'gas', below: 10 } },
    ] as const;
    for (const limits of raisedAndCleared)
      expect(withAlarm({ ...gas, ...limits })).toThrow('raised and cleared by the same value');
    expect(
      withAlarm({ ...gas, raise: { quantity: 'gas', below: 20 }, clear: { quantity: 'gas', above: 20 } }),
    ).not.toThrow();
  });
});

describe('limits that a template sets otherwise', () => {
  const conditions = (limits: Record<string, number>, code: string) => {
    const alarm = lampAlarmsWith(limits).find((one) => one.code === code);
    return [alarm?.raise, alarm?.clear];
  };

  it('are those of voltage, each with what it can be', () => {
    expect(lampLimits).toEqual([
      { code: 'L105', quantity: 'voltage', side: 'above', value: 235.4, unit: 'V', min: 0, max: 300 },
      { code: 'L106', quantity: 'voltage', side: 'below', value: 198, unit: 'V', min: 0, max: 300 },
    ]);
    expect(limitOf(gas)).toEqual({ quantity: 'gas', side: 'above', value: 20 });
  });

  it('take the limit that clears along, and leave all other alarms as they are', () => {
    const limits = { L105: 253, L106: 190, L101: 7 };
    expect(conditions(limits, 'L105')).toMatchObject([{ above: 253 }, { below: expect.closeTo(248.6, 6) as number }]);
    expect(conditions(limits, 'L106')).toMatchObject([{ below: 190, where: {} }, { above: 194 }]);
    expect(conditions(limits, 'L101')).toEqual(conditions({}, 'L101'));
  });

  it('that cross each other are named with the range that is left', () => {
    expect(crossedLimits({ L105: 253, L106: 200 })).toEqual([]);
    expect(crossedLimits({ L106: 240 })).toEqual([{ code: 'L106', min: 0, max: 235.4 }]);
    expect(crossedLimits({ L105: 180 })).toEqual([{ code: 'L105', min: 198, max: 300 }]);
  });
});
