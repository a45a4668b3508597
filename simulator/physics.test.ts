import { expect, it } from 'vitest';
import { faults } from '../catalogue/faults.ts';
import { defaultTable } from '../catalogue/lighting/plan/table.ts';
import fc from '../catalogue/testing/properties.ts';
import type { Loop } from './city/types.ts';
import { Cabinet, cabinetWarmth } from './fleet/cabinet.ts';
import { ambient } from './lamp/electrics.ts';
import { firstMemory, history, Lamp } from './lamp/lamp.ts';
import { lampSpec, type LampSettings } from './lamp/spec.ts';
import { createMeter } from './single/measure.ts';

/** Laws that hold whatever a device is told: what it reports could have been measured. */
const minute = 60_000;
const hour = 60 * minute;
const settings: LampSettings = {
  version: 1,
  place: { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 },
  table: defaultTable,
  litSeconds: 900,
  unlitSeconds: 3600,
};
const noon = Date.parse('2026-11-30T12:00:00+08:00');

interface Measured {
  readonly at: number;
  readonly values: Readonly<Record<string, unknown>>;
}
const of = ({ values }: Measured, key: string): number => Number(values[key]);

/** Said so often that an assertion of the test's own would take longer than the night. */
function must(holds: boolean, law: string, ...readings: readonly Measured[]): void {
  if (!holds) throw new Error(`${law}: ${JSON.stringify(readings)}`);
}

/** Power is voltage × current × power factor, as far as each is rounded; without current there is neither. */
function agreesWithItself(reading: Measured, phase = ''): void {
  const [volts, amperes, watts, factor] = [
    of(reading, `voltage${phase}`),
    of(reading, `current${phase}`),
    of(reading, `power${phase}`),
    reading.values[`powerFactor${phase}`],
  ];
  must(volts > 180 && volts < 255, 'a voltage of the grid', reading);
  if (amperes === 0)
    return must(factor === null && watts < 0.1, 'without current neither power nor power factor', reading);
  must(Number(factor) > 0 && Number(factor) <= 1, 'a power factor', reading);
  const steps = phase === '' ? ([0.0006, 0.06] as const) : ([0.006, 0.6] as const);
  must(
    Math.abs(watts - volts * amperes * Number(factor)) <
      volts * steps[0] + volts * amperes * 0.0006 + amperes * 0.06 + steps[1],
    'P = U × I × pf',
    reading,
  );
}

/** From one reading to the next: counters count what flowed, and nothing warms or cools at once. */
function follows(
  before: Measured,
  after: Measured,
  { watts, tau, most }: { watts: (reading: Measured) => number; tau: number; most: number },
): void {
  const ms = after.at - before.at;
  const counted = of(after, 'energy') - of(before, 'energy');
  const flowed = [watts(before), watts(after)].map((power) => (power / 1000) * (ms / hour));
  must(
    counted >= Math.min(...flowed) * 0.96 - 0.0021 && counted <= Math.max(...flowed) * 1.04 + 0.0021,
    'a counter counts what flowed',
    before,
    after,
  );
  must(
    Math.abs(of(after, 'temperature') - of(before, 'temperature')) < 0.7 + ms / hour + most * (1 - Math.exp(-ms / tau)),
    'a body follows the temperature',
    before,
    after,
  );
}

it('a lamp’s night, whatever it is told and whatever is wrong with it', () => {
  const told = fc.array(
    fc.record({ after: fc.integer({ min: 0, max: 24 * 60 }), level: fc.integer({ min: 0, max: 100 }) }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(
      fc.nat(9999),
      fc.constantFrom(...faults.map(({ code }) => code), null, null),
      fc.constantFrom(30, 100, 250),
      fc.constantFrom('led' as const, 'sodium' as const),
      told,
      (number, fault, ratedWatts, curve, commands) => {
        const spec = lampSpec({
          citySeed: 1,
          code: `P-${number}`,
          ratedWatts,
          curve,
          fault,
          linkKind: 'plc',
          loopTapVolts: 0,
          loopDropVolts: 3,
          reach: 0.5,
          ownClock: true,
        });
        const lamp = new Lamp(spec, settings, firstMemory(spec, noon));
        const night: Measured[] = [lamp.reading()];
        for (const { after, level } of commands.toSorted((a, b) => a.after - b.after)) {
          const at = Math.max(lamp.memory.at, noon + after * minute);
          night.push(...history(lamp, at), lamp.reading());
          lamp.execute({
            commandId: `${after}`,
            command: level === 0 ? 'off' : 'dim',
            args: { level },
            expiresAt: at + minute,
            until: null,
          });
          lamp.advance(at + 1000);
          night.push(lamp.reading());
        }
        night.push(...history(lamp, noon + 24 * hour));
        const hottest = fault === 'L116' ? 100 : 33;
        night.forEach((reading, i) => {
          agreesWithItself(reading);
          const [watts, apparent] = [of(reading, 'power'), of(reading, 'apparentPower')];
          must(
            Math.abs(apparent ** 2 - watts ** 2 - of(reading, 'reactivePower') ** 2) < 0.4 * (apparent + 1),
            'S² = P² + Q²',
            reading,
          );
          const warmth = of(reading, 'temperature') - ambient(reading.at);
          must(warmth > 0 && warmth < hottest, 'between the air and what the losses make', reading);
          const before = night[i - 1];
          if (!before) return;
          follows(before, reading, {
            watts: (one) => (fault === 'L117' ? 0 : of(one, 'power')),
            tau: 25 * minute,
            most: hottest,
          });
          for (const counter of ['runHours', 'switchCount'])
            must(of(reading, counter) >= of(before, counter), counter, before, reading);
        });
        // So little current that a meter shows none.
      },
    ),
    { examples: [[9989, 'L101', 30, 'led', [{ after: 0, level: 3 }]]] },
  );
});

it('a lamp that is dimmed takes no more current', () => {
  fc.assert(
    fc.property(
      fc.nat(9999),
      fc.constantFrom('led' as const, 'sodium' as const),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      (number, curve, one, other) => {
        const spec = lampSpec({
          citySeed: 1,
          code: `P-${number}`,
          ratedWatts: 120,
          curve,
          fault: null,
          linkKind: 'plc',
          loopTapVolts: 0,
          loopDropVolts: 3,
          reach: 0.5,
          ownClock: true,
        });
        const currentAt = (level: number): number => {
          const lamp = new Lamp(spec, settings, firstMemory(spec, noon + 9 * hour));
          lamp.execute({ commandId: '1', command: 'dim', args: { level }, expiresAt: noon + 10 * hour, until: null });
          return of(lamp.reading(), 'current');
        };
        expect(currentAt(Math.min(one, other))).toBeLessThanOrEqual(currentAt(Math.max(one, other)) + 0.001);
      },
    ),
  );
});

it('a cabinet’s night: phases, loops, counter and warmth agree', () => {
  fc.assert(
    fc.property(
      fc.nat(9999),
      fc.array(fc.tuple(fc.constantFrom('A' as const, 'B' as const, 'C' as const), fc.integer({ min: 0, max: 6000 })), {
        maxLength: 6,
      }),
      (seed, made) => {
        const loops = made.map(([phase], index) => ({ phase, number: index + 1 }) as Loop);
        const lit = (at: number): boolean => at >= noon + 5 * hour && at < noon + 18 * hour;
        const cabinet = new Cabinet(
          { seed, loops, watts: (loop, at) => (lit(at) ? (made[loop.number - 1]?.[1] ?? 0) : 0) },
          { at: noon - 5 * minute, energyKwh: 20_000, watts: 15, warmth: cabinetWarmth(15) },
        );
        const total = (one: Measured): number =>
          ['A', 'B', 'C'].reduce((sum, phase) => sum + of(one, `power${phase}`), 0);
        let before: Measured | undefined;
        for (let at = noon; at < noon + 24 * hour; at += 5 * minute) {
          const reading = cabinet.reading(at);
          for (const phase of ['A', 'B', 'C']) {
            agreesWithItself(reading, phase);
            const ofLoops = loops.reduce(
              (sum, loop) => sum + (loop.phase === phase ? of(reading, `loop${loop.number}Current`) : 0),
              0,
            );
            must(
              ofLoops <= of(reading, `current${phase}`) + 0.005 * (loops.length + 1),
              'the loops of a phase',
              reading,
            );
          }
          if (before) follows(before, reading, { watts: total, tau: 40 * minute, most: 16 });
          before = reading;
        }
      },
    ),
  );
});

it('a lamp played alone obeys the same laws', () => {
  let at = noon;
  const meter = createMeter(
    'single-lamp-controller',
    () => 0.7,
    () => at,
  );
  const read = (): Measured => ({ at, values: meter.read() });
  const night = [read()];
  for (const [command, args] of [
    ['off', {}],
    ['read', {}],
    ['dim', { level: 40 }],
    ['on', {}],
  ] as const) {
    at += 10 * minute;
    night.push(read());
    meter.obey(command, args);
    at += 1000;
    night.push(read());
  }
  night.forEach((reading, i) => {
    agreesWithItself(reading);
    const before = night[i - 1];
    if (before) follows(before, reading, { watts: (one) => of(one, 'power'), tau: 5 * minute, most: 22 });
  });
  expect(night.map(({ values }) => values['relay'])).toContain(false);
});
