import { describe, expect, it } from 'vitest';
import { faults, type FaultCode } from '../../catalogue/faults.ts';
import { singleLampController } from '../../catalogue/families/single-lamp-controller.ts';
import { switchTimes } from '../../catalogue/lighting/plan/lamp-plan.ts';
import { defaultPlan, defaultTable } from '../../catalogue/lighting/plan/table.ts';
import { fits } from '../../catalogue/quantities/index.ts';
import { firstMemory, history, Lamp, type LampCommand } from './lamp.ts';
import { lampSpec, type LampSettings } from './spec.ts';

const minute = 60_000;
const hour = 60 * minute;
const place = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const settings: LampSettings = { version: 1, place, table: defaultTable, litSeconds: 900, unlitSeconds: 3600 };
const local = (text: string) => Date.parse(`${text}+08:00`);
const evening = local('2026-11-30T21:00:00');

function lampAt(at: number, fault: FaultCode | null = null, code = 'BJ-0001', own = settings): Lamp {
  const spec = lampSpec({
    citySeed: 1,
    code,
    ratedWatts: 150,
    curve: fault === 'L103' ? 'sodium' : 'led',
    fault,
    linkKind: 'plc',
    loopTapVolts: 0,
    loopDropVolts: 3,
    reach: 0.5,
    ownClock: true,
  });
  return new Lamp(spec, own, firstMemory(spec, at));
}
const command = (part: Partial<LampCommand>, at = evening): LampCommand => ({
  commandId: '1',
  command: 'dim',
  args: { level: 60 },
  expiresAt: at + 30_000,
  until: null,
  ...part,
});
const valuesOf = (lamp: Lamp) => lamp.reading().values as Record<string, number | boolean | null>;

describe('a lamp follows its own table', () => {
  it.each([
    ['over midnight and the month’s end', '2026-11-30T23:59:59', 100],
    ['in the morning of the next month', '2026-12-01T03:00:00', 100],
    ['in the night of 29 February', '2028-02-29T23:00:00', 100],
    ['in the morning of 1 March of a leap year', '2028-03-01T04:00:00', 100],
    ['by day', '2028-02-29T13:00:00', 0],
  ])('%s', (_, at, level) =>
    expect(valuesOf(lampAt(local(at)))).toMatchObject({ commandLevel: level, level, relay: level > 0 }),
  );

  it.each([null, ...faults.map(({ code }) => code)])(
    'counts the same however often it is looked at (fault %s)',
    (fault) => {
      const [often, once] = [lampAt(local('2026-11-30T12:00:00'), fault), lampAt(local('2026-11-30T12:00:00'), fault)];
      const to = local('2026-12-01T03:21:45');
      for (const { at } of history(often, to)) expect(at).toBe(often.memory.at);
      once.advance(to);
      expect(once.memory.energyKwh).toBeCloseTo(often.memory.energyKwh, 9);
      expect(once.memory.runHours).toBeCloseTo(often.memory.runHours, 9);
      expect(once.memory.switchCount).toBe(often.memory.switchCount);
    },
  );

  it('switches at sunset and sunrise without anybody’s help, and counts it', () => {
    const { onAt, offAt } = switchTimes(defaultPlan(place), '2026-11-30');
    const lamp = lampAt(local('2026-11-30T12:00:00'));
    const before = lamp.memory.switchCount;
    expect(lamp.nextEdge()).toBe(onAt);
    lamp.advance(onAt ?? 0);
    expect(lamp.lit).toBe(true);
    const energy = lamp.memory.energyKwh;
    lamp.advance(offAt ?? 0);
    expect(lamp.lit).toBe(false);
    expect(lamp.memory.switchCount).toBe(before + 2);
    const hours = ((offAt ?? 0) - (onAt ?? 0)) / hour;
    expect(lamp.memory.energyKwh - energy).toBeGreaterThan(0.15 * hours * 0.95);
    expect(lamp.memory.energyKwh - energy).toBeLessThan(0.15 * hours * 1.05);
  });

  it('adopts new settings at once', () => {
    const lamp = lampAt(evening);
    lamp.adopt({
      ...settings,
      version: 2,
      table: [
        { at: 'sunset', offsetMinutes: 0, level: 40 },
        { at: 'sunrise', offsetMinutes: 0, level: 0 },
      ],
    });
    expect(valuesOf(lamp)).toMatchObject({ level: 40, commandLevel: 40 });
  });
});

describe('a lamp and its commands', () => {
  it('dims, and ends the manual state itself, connected or not', () => {
    const lamp = lampAt(evening);
    expect(lamp.execute(command({ until: evening + 30 * minute }))).toEqual({ executedAt: evening });
    expect(valuesOf(lamp)).toMatchObject({ commandLevel: 60, level: 60, relay: true });
    lamp.advance(evening + 30 * minute);
    expect(valuesOf(lamp)).toMatchObject({ commandLevel: 100, level: 100 });
  });

  it('ends a manual state without end at its next switch, and none later than after a day', () => {
    const lamp = lampAt(evening);
    lamp.execute(command({ command: 'off', args: {} }));
    expect(lamp.memory.manual?.until).toBe(switchTimes(defaultPlan(place), '2026-11-30').offAt);
    lamp.execute(command({ commandId: '2', until: evening + 80 * hour }));
    expect(lamp.memory.manual?.until).toBe(evening + 24 * hour);
  });

  it('goes back to its programme, not off', () => {
    const lamp = lampAt(evening);
    lamp.execute(command({ command: 'off', args: {} }));
    expect(lamp.lit).toBe(false);
    lamp.execute(command({ commandId: '2', command: 'auto', args: {} }));
    expect(valuesOf(lamp)).toMatchObject({ level: 100, relay: true });
  });

  it.each<[string, Partial<LampCommand>, string]>([
    ['an expired one', { expiresAt: evening }, 'expired'],
    ['one whose end is over', { until: evening - 1 }, 'expired'],
    ['one it does not know', { command: 'dance' }, 'unknownCommand'],
    ['a level out of range', { args: { level: 101 } }, 'badArguments'],
    ['a level that is no number', { args: { level: '60' } }, 'badArguments'],
  ])('refuses %s and changes nothing', (_, part, error) => {
    const lamp = lampAt(evening);
    expect(lamp.execute(command(part))).toEqual({ error });
    expect(valuesOf(lamp)).toMatchObject({ level: 100 });
  });

  it('executes a command once, however often it arrives', () => {
    const lamp = lampAt(evening);
    const first = lamp.execute(command({}));
    lamp.advance(evening + 5000);
    lamp.execute(command({ commandId: '2', command: 'on', args: {} }));
    expect(lamp.execute(command({}))).toEqual(first);
    expect(lamp.level).toBe(100);
  });

  it('does not execute what a later command has overtaken on the way; a question is answered, and after an hour a server that counts anew is believed', () => {
    const lamp = lampAt(evening);
    lamp.execute(command({ commandId: '2', command: 'on', args: {}, turn: 8 }));
    expect(lamp.execute(command({ turn: 7 }))).toEqual({ error: 'superseded' });
    expect(lamp.level).toBe(100);
    expect(lamp.execute(command({ commandId: '3', command: 'read', args: {}, turn: 6 }))).toEqual({
      executedAt: evening,
    });
    lamp.advance(evening + hour);
    expect(lamp.execute(command({ commandId: '4', turn: 1 }, evening + hour))).toEqual({ executedAt: evening + hour });
    expect(lamp.level).toBe(60);
  });
});

describe('a lamp reports what its relay, driver and meter did', () => {
  const after = (fault: FaultCode | null, then: Partial<LampCommand>, at = evening) => {
    const lamp = lampAt(at, fault);
    const outcome = lamp.execute(command(then, at));
    lamp.advance(at + 2 * minute);
    return { outcome, values: valuesOf(lamp) as Record<string, never> };
  };
  it('a stuck relay acknowledges and stays on', () => {
    const { outcome, values } = after('L112', { command: 'off', args: {} });
    expect(outcome).toHaveProperty('executedAt');
    expect(values).toMatchObject({ commandLevel: 0, relay: true, level: 100 });
    expect(values['power']).toBeGreaterThan(100);
  });
  it('a relay that refuses stays open', () =>
    expect(after('L113', { command: 'on', args: {} }, local('2026-11-30T12:00:00')).values).toMatchObject({
      commandLevel: 100,
      relay: false,
      level: 0,
      power: 0,
    }));
  it('a dead lamp is commanded on and takes next to nothing', () =>
    expect(after('L101', { command: 'on', args: {} }).values['power']).toBeLessThan(0.05 * 150));
  it('a driver that cannot dim stays away from its target', () =>
    expect(after('L115', {}).values['level']).toBeLessThan(50));

  it.each<[FaultCode, string, (values: Record<string, number>) => boolean]>([
    ['L101', 'P ≤ 5 %', (v) => (v['power'] ?? 99) <= 7.5],
    ['L102', 'driver fault', (v) => Boolean(v['driverFault'])],
    ['L103', 'PF < 0.6', (v) => (v['powerFactor'] ?? 1) < 0.6],
    ['L104', 'PF < 0.85', (v) => (v['powerFactor'] ?? 1) < 0.85],
    ['L105', 'U > 235.4', (v) => (v['voltage'] ?? 0) > 235.4],
    ['L106', 'U < 198', (v) => (v['voltage'] ?? 999) < 198],
    ['L107', 'P > 120 %', (v) => (v['power'] ?? 0) > 180],
    ['L108', '30–70 %', (v) => (v['power'] ?? 0) < 105 && (v['power'] ?? 0) > 45],
    ['L109', 'leakage > 30', (v) => (v['leakage'] ?? 0) > 30],
    ['L111', 'dark', (v) => v['level'] === 0 && v['commandLevel'] === 0],
    ['L113', 'relay open', (v) => v['commandLevel'] === 100 && v['power'] === 0],
    ['L116', '> 85 °C', (v) => (v['temperature'] ?? 0) > 85],
    ['L118', 'hours > 90 % of 50,000', (v) => (v['runHours'] ?? 0) > 45_000],
  ])('%s: %s, each time of the night', (fault, _, holds) => {
    for (let i = 0; i < 12; i++) {
      const lamp = lampAt(local('2026-11-30T14:00:00'), fault, `BJ-${i}`);
      lamp.advance(local('2026-11-30T19:30:00') + i * 40 * minute);
      expect(holds(valuesOf(lamp) as Record<string, number>)).toBe(true);
    }
  });

  it('L110 burns by day, L112 too, against its own programme; a sound lamp does not', () => {
    const by = (fault: FaultCode | null, code: string) => valuesOf(lampAt(local('2026-11-30T14:00:00'), fault, code));
    for (let i = 0; i < 8; i++) expect(by('L110', `BJ-${i}`)).toMatchObject({ commandLevel: 100, level: 100 });
    expect(by('L112', 'BJ-0001')).toMatchObject({ commandLevel: 0, level: 100 });
    expect(by(null, 'BJ-0001')).toMatchObject({ power: 0, current: 0, relay: false });
    expect(by(null, 'BJ-0001')['powerFactor']).toBeNull();
  });

  it('L114 goes dark and comes back more than three times an hour', () => {
    const lamp = lampAt(evening, 'L114');
    const levels = [...history(lamp, evening + hour)].map((reading) => reading.values['level']);
    expect(levels.filter((level, i) => i > 0 && level !== levels[i - 1]).length).toBeGreaterThan(3);
  });

  it('L117 burns without counting', () => {
    const lamp = lampAt(evening, 'L117');
    const before = lamp.memory.energyKwh;
    lamp.advance(evening + 5 * hour);
    expect(lamp.memory.energyKwh).toBe(before);
  });

  it('every value of a day fits the family, sound or faulty', () => {
    for (const { code } of [...faults, { code: null }]) {
      for (const reading of history(lampAt(evening, code), evening + 24 * hour)) {
        for (const [name, value] of Object.entries(reading.values)) {
          if (value === null) continue;
          const quantity = singleLampController.quantity.get(name);
          expect(quantity && fits(quantity, value), `${code ?? 'sound'} ${name} = ${String(value)}`).toBe('ok');
        }
      }
    }
  });
});

describe('reporting', () => {
  it('is every 15 minutes lit, every 60 unlit, and on each change', () => {
    const from = local('2026-11-30T08:00:00');
    const { onAt } = switchTimes(defaultPlan(place), '2026-11-30');
    const times = [...history(lampAt(from), from + 24 * hour)].map((reading) => reading.at);
    const gaps = times.slice(1).map((at, i) => ({ at, gap: at - (times[i] ?? 0) }));
    expect(Math.max(...gaps.filter(({ at }) => at < (onAt ?? 0)).map(({ gap }) => gap))).toBe(hour);
    expect(
      Math.max(
        ...gaps.filter(({ at }) => at > (onAt ?? 0) + hour && at < local('2026-12-01T06:00:00')).map(({ gap }) => gap),
      ),
    ).toBe(15 * minute);
    expect(times.some((at) => at > (onAt ?? 0) && at <= (onAt ?? 0) + 1000)).toBe(true);
  });

  it('is spread over the period from lamp to lamp', () => {
    const first = Array.from({ length: 60 }, (_, i) => lampAt(evening, null, `BJ-${i}`).nextReport() - evening);
    for (let quarter = 0; quarter < 3; quarter++)
      expect(first.some((ms) => ms >= quarter * 5 * minute && ms < (quarter + 1) * 5 * minute)).toBe(true);
  });
});
