import fc from '../testing/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { counterOf, counterStep, energyOfHours, type EnergyMeter, type EnergyReading } from './energy.ts';
import { expectedWatts } from './lamp-power.ts';

const minute = 60_000;
const hour = 60 * minute;
const t0 = Date.parse('2026-11-21T10:00:00Z');
/** A lamp of 100 W, lit by the plan from 11 to 13 o'clock, reporting every quarter of an hour. */
const meter: EnergyMeter = {
  mostWatts: 150,
  ...counterOf(1e6, 0.001),
  wattsAt: (level) => expectedWatts(100, level),
  period: () => 15 * minute,
  planned: (from, to) => Math.max(0, Math.min(to, t0 + 3 * hour) - Math.max(from, t0 + hour)),
};

describe('a step of a counter', () => {
  test.each<[string, [number, number, number], ReturnType<typeof counterStep>['event'], number | null]>([
    ['grows', [10, 10.02, 15], null, 0.02],
    ['stands', [10, 10, 15], null, 0],
    ['grows as much as can be', [10, 10.0375, 15], null, 0.0375],
    ['one count more than the time allows is the counter’s own step', [10, 10.001, 0], null, 0.001],
    ['grows more than can be', [10, 10.1, 15], 'invalid', null],
    ['rolls over from the end', [999_999.99, 0.01, 15], 'rollover', 0.02],
    ['falls from 90 % exactly: begins anew', [900_000, 0.01, 15], 'reset', 0.01],
    ['falls from above 90 %, further than can be', [900_001, 0.01, 15], 'invalid', null],
    ['begins anew at 0', [4000, 0, 15], 'reset', 0],
    ['begins anew at more than can have been used', [4000, 3999, 15], 'invalid', null],
    ['after a long time more can be', [10, 15, 34 * 60], null, 5],
  ])('%s', (_, [before, after, minutes], event, kwh) => {
    const step = counterStep({ at: t0, kwh: before }, { at: t0 + minutes * minute, kwh: after }, meter);
    expect(step.event).toBe(event);
    if (kwh === null) expect(step.kwh).toBeNull();
    else expect(step.kwh).toBeCloseTo(kwh, 9);
  });

  it('of a device whose power nobody knows is never too much', () => {
    expect(counterStep({ at: t0, kwh: 1 }, { at: t0 + 1, kwh: 9000 }, { ...meter, mostWatts: null })).toEqual({
      kwh: 8999,
      event: null,
      limitKwh: null,
    });
  });
});

describe('the end of a counter', () => {
  test.each<[string, number, [number, number], ReturnType<typeof counterStep>['event'], number | null]>([
    ['from its greatest value to 0 is one step', 99_999.9, [99_999.9, 0], 'rollover', 0.1],
    ['a step is believed though the power would not have it', 99_999.9, [5, 5.1], null, 0.1],
    ['nines without decimals: anew at the next power of ten', 99_999, [99_999.99, 0.01], 'rollover', 0.02],
    ['a power of ten is where it begins anew', 100_000, [99_999.999, 0], 'rollover', 0.001],
    ['a register of 32 bits', 4_294_967.295, [4_294_967.295, 0.001], 'rollover', 0.002],
    ['what showed more than it can began anew', 99_999.9, [120_000, 0.01], 'reset', 0.01],
    ['far below the range of the quantity', 9999.99, [9999.98, 0.01], 'rollover', 0.03],
  ])('%s', (_, most, [before, after], event, kwh) => {
    const step = counterStep(
      { at: t0, kwh: before },
      { at: t0 + 15 * minute, kwh: after },
      { ...meter, ...counterOf(most, 0.001) },
    );
    expect(step.event).toBe(event);
    expect(step.kwh).toBeCloseTo(kwh ?? Number.NaN, 9);
  });
});

const counts = (...at: readonly (readonly [number, number])[]): EnergyReading[] =>
  at.map(([minutes, kwh]) => ({ at: t0 + minutes * minute, kwh, level: null }));
const levels = (...at: readonly (readonly [number, number])[]): EnergyReading[] =>
  at.map(([minutes, level]) => ({ at: t0 + minutes * minute, kwh: null, level }));
const day = { from: t0, to: t0 + 24 * hour };
const table = (readings: readonly EnergyReading[], span = day) =>
  [...energyOfHours(readings, span, meter).hours].map(([at, e]) => [
    (at - t0) / hour,
    round(e.measured),
    round(e.estimated),
    round(e.calculated),
    e.invalidSeconds,
    e.resets,
  ]);
const round = (kwh: number) => Math.round(kwh * 1e9) / 1e9;

describe('energy of hours', () => {
  test.each<[string, EnergyReading[], number[][]]>([
    ['none of one reading', counts([5, 1]), []],
    [
      'measured, cut where hours meet',
      counts([45, 10], [60, 10.01], [75, 10.02], [90, 10.03]),
      [
        [0, 0.01, 0, 0, 0, 0],
        [1, 0.02, 0, 0, 0, 0],
      ],
    ],
    [
      'a stretch over the full hour by time',
      counts([50, 10], [65, 10.015]),
      [
        [0, 0.01, 0, 0, 0, 0],
        [1, 0.005, 0, 0, 0, 0],
      ],
    ],
    ['three periods are no gap', counts([0, 10], [45, 10.03]), [[0, 0.03, 0, 0, 0, 0]]],
    [
      'a gap by the plan: by night all of it',
      counts([30, 10], [210, 10.2]),
      [
        [0, 0, 0, 0, 0, 0],
        [1, 0, 0.1, 0, 0, 0],
        [2, 0, 0.1, 0, 0, 0],
        [3, 0, 0, 0, 0, 0],
      ],
    ],
    [
      'a gap by day by time',
      counts([240, 10], [360, 10.02]),
      [
        [4, 0, 0.01, 0, 0, 0],
        [5, 0, 0.01, 0, 0, 0],
      ],
    ],
    ['what cannot be is left out', counts([0, 10], [15, 11], [30, 11.01]), [[0, 0.01, 0, 0, 900, 0]]],
    [
      'a counter that began anew is told of where it was seen',
      counts([55, 10], [70, 0.01]),
      [
        [0, 0.003333333, 0, 0, 0, 0],
        [1, 0.006666667, 0, 0, 0, 1],
      ],
    ],
    [
      'without a counter by the level',
      levels([0, 100], [15, 50], [30, 0], [45, 0]),
      [[0, 0, 0, 0.1 * 0.25 + 0.1 * 0.525 * 0.25, 0, 0]],
    ],
    [
      'without a counter over a gap by the plan',
      levels([0, 0], [240, 0]),
      [
        [0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0.1, 0, 0],
        [2, 0, 0, 0.1, 0, 0],
        [3, 0, 0, 0, 0, 0],
      ],
    ],
    [
      'a counter that comes later',
      [...levels([0, 100], [15, 100]), ...counts([30, 5], [45, 5.02])],
      [[0, 0.02, 0, 0.05, 0, 0]],
    ],
  ])('%s', (_, readings, expected) => expect(table(readings)).toEqual(expected.map((row) => row.map(round))));

  it('only what lies in the span', () => {
    const readings = counts([30, 10], [90, 10.06], [150, 10.12]);
    const fine = { ...meter, period: () => hour };
    const of = (from: number, to: number) =>
      energyOfHours(readings, { from: t0 + from * hour, to: t0 + to * hour }, fine);
    expect([...of(1, 2).hours.values()].map(({ measured }) => round(measured))).toEqual([0.06]);
    expect(of(1, 2).events).toEqual([]);
  });

  it('an event is told once, with the reading that made it, by the span it ends in', () => {
    const readings = counts([50, 10], [70, 900], [130, 0.01]);
    const of = (from: number, to: number) =>
      energyOfHours(readings, { from: t0 + from * hour, to: t0 + to * hour }, meter).events.map(({ kind, at }) => [
        kind,
        (at - t0) / minute,
      ]);
    expect([of(0, 1), of(1, 2), of(2, 3), of(0, 24)]).toEqual([
      [],
      [['invalid', 70]],
      [['reset', 130]],
      [
        ['invalid', 70],
        ['reset', 130],
      ],
    ]);
  });

  it('adds up to the counter, wherever it is cut and whatever is missing', () => {
    const readings = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 600 }), watts: fc.integer({ min: 0, max: 150 }) }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(readings, fc.integer({ min: 0, max: 200 }), (steps, cut) => {
        let [at, kwh] = [t0, 100];
        const all: EnergyReading[] = [{ at, kwh, level: null }];
        for (const { gap, watts } of steps) {
          at += gap * minute;
          kwh += (watts / 1000) * (gap / 60);
          all.push({ at, kwh, level: null });
        }
        const end = Math.ceil((at + 1) / hour) * hour;
        const middle = Math.min(end, t0 + cut * hour);
        const sum = (from: number, to: number) =>
          [...energyOfHours(all, { from, to }, meter).hours.values()].reduce(
            (total, e) => total + e.measured + e.estimated,
            0,
          );
        expect(sum(t0, end)).toBeCloseTo(kwh - 100, 6);
        expect(sum(t0, middle) + sum(middle, end)).toBeCloseTo(kwh - 100, 6);
      }),
    );
  });
});
