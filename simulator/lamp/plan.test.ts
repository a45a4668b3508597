import { describe, expect, it } from 'vitest';
import { compactPlan } from '../../catalogue/lighting/plan/compact.ts';
import { resolveNight } from '../../catalogue/lighting/plan/night.ts';
import { noRole, type LampRole, type Period, type Programme } from '../../catalogue/lighting/plan/programme.ts';
import { defaultTable } from '../../catalogue/lighting/plan/table.ts';
import { roadStagger, roadStart } from '../../catalogue/lighting/stagger.ts';
import type { Obedience } from '../city/types.ts';
import { firstMemory, Lamp } from './lamp.ts';
import { allAbilities, lampSpec, type LampSettings } from './spec.ts';

const minute = 60_000;
const hangzhou = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const local = (text: string) => Date.parse(`${text}+08:00`);
const unbounded = { notBefore: null, notAfter: null, light: null };
const programme = (...periods: [start: string, level: number, pattern?: 'alternateOne'][]): Programme => ({
  on: { at: 'sunset', offsetMinutes: 0, ...unbounded },
  off: { at: 'sunrise', offsetMinutes: 0, ...unbounded },
  minimumMinutes: 10,
  periods: periods.map(([at, level, pattern = 'all' as const]): Period => ({
    start: at === 'on' ? at : { at, offsetMinutes: 0 },
    level,
    pattern,
    rampSeconds: 0,
  })),
});
const workday = programme(['on', 100], ['23:00', 60], ['01:00', 40, 'alternateOne']);
const festival = programme(['on', 90]);
const inRow = (position: number): LampRole => ({ ...noRole, position, rowLength: 20, rotation: 'nightly' });

function settings(role: LampRole, more: Partial<LampSettings> = {}): LampSettings {
  const plan = compactPlan(
    {
      scheme: 'JN-03',
      version: 2,
      from: '2026-11-23',
      programmes: [
        { key: 1, programme: workday },
        { key: 2, programme: festival },
      ],
      default: 1,
      days: [{ from: '2026-12-31', to: '2027-01-02', programme: 2 }],
      role,
    },
    () => '9f3c21a0b7de000',
  );
  return { version: 4, place: hangzhou, table: defaultTable, litSeconds: 900, unlitSeconds: 3600, plan, ...more };
}

function lampAt(
  at: number,
  own: LampSettings,
  obedience: Obedience = 'plan',
  code = 'BJ-0001',
  abilities = allAbilities,
): Lamp {
  const spec = lampSpec({
    citySeed: 1,
    code,
    ratedWatts: 150,
    curve: 'led',
    fault: null,
    linkKind: 'plc',
    loopTapVolts: 0,
    loopDropVolts: 3,
    reach: 0.5,
    ownClock: false,
    obedience,
    abilities,
  });
  return new Lamp(spec, own, firstMemory(spec, at));
}
const levelAt = (text: string, own: LampSettings, obedience?: Obedience) =>
  lampAt(local(text), own, obedience).commandLevel;

describe('a lamp with a plan', () => {
  it.each([
    ['before the plan holds, by its table', '2026-11-22T23:30:00', 100],
    ['in the evening', '2026-11-23T20:00:00', 100],
    ['from 23:00', '2026-11-24T00:30:00', 60],
    ['by day', '2026-11-24T13:00:00', 0],
    ['in the first night of the festival', '2026-12-31T23:30:00', 90],
    ['in the morning after its last one', '2027-01-03T02:00:00', 90],
    ['in the evening after it', '2027-01-03T23:30:00', 60],
    ['long after the last day that is named, by its default', '2028-03-01T23:30:00', 60],
  ])('%s', (_, at, level) => expect(levelAt(at, settings(noRole))).toBe(level));

  it('is dark in its turn, and its neighbours the night after', () => {
    const lit = (position: number, day: string) => levelAt(`${day}T02:00:00`, settings(inRow(position))) > 0;
    const row = (day: string) => [7, 8, 9, 10].map((position) => lit(position, day));
    expect(row('2026-11-24')).toEqual(row('2026-11-26'));
    expect(row('2026-11-25')).toEqual(row('2026-11-24').map((one) => !one));
    expect(new Set(row('2026-11-24')).size).toBe(2);
    expect(lit(0, '2026-11-24') && lit(0, '2026-11-25')).toBe(true);
    expect(levelAt('2026-11-24T02:00:00', settings({ ...inRow(8), keep: true }))).toBe(40);
    expect(levelAt('2026-11-25T02:00:00', settings({ ...inRow(8), keep: true }))).toBe(40);
  });

  it('switches by the sun of its own place, delayed by its share of the stagger', () => {
    const urumqi = { ...hangzhou, latitude: 43.8, longitude: 87.6 };
    const { on } = resolveNight(workday, urumqi, '2026-11-25');
    const lamp = lampAt(local('2026-11-25T12:00:00'), settings(noRole, { place: urumqi }));
    expect(lamp.nextEdge()).toBe(on);
    const delays = ['BJ-0001', 'BJ-0002', 'BJ-0003', 'BJ-0004'].map((code) => {
      const staggered = settings(noRole, { place: urumqi, staggerSeconds: 30 });
      return lampAt(local('2026-11-25T12:00:00'), staggered, 'plan', code).nextEdge() - (on ?? 0);
    });
    for (const delay of delays) expect(delay >= 0 && delay <= 30_000).toBe(true);
    expect(new Set(delays).size).toBe(4);
  });

  it('switches with the lamps of its road, within two seconds of when that begins', () => {
    const { on } = resolveNight(workday, hangzhou, '2026-11-25');
    const delaysOf = (roadId: number) => {
      const from = roadStart(roadId, 30) ?? expect.fail('a road begins within the window');
      const own = settings(noRole, { staggerSeconds: 30, staggerFromSeconds: from });
      return Array.from({ length: 12 }, (_, n) => {
        const lamp = lampAt(local('2026-11-25T12:00:00'), own, 'plan', `BJ-${roadId}-${n}`);
        return lamp.nextEdge() - (on ?? 0) - from * 1000;
      });
    };
    for (const road of [1, 2, 3]) {
      for (const delay of delaysOf(road)) expect(delay >= 0 && delay <= roadStagger * 1000).toBe(true);
      expect(new Set(delaysOf(road)).size).toBeGreaterThan(6);
    }
  });

  it('says which plan it runs, what it can, and why its level is what it is', () => {
    const at = local('2026-11-24T00:30:00');
    const lamp = lampAt(at, settings(noRole, { fallbackMinutes: 15 }));
    expect(lamp.ofPlan).toEqual({
      planHash: '9f3c21a0b7de',
      capabilities: { plan: { periods: 6, calendar: true, light: false, cycle: true } },
    });
    expect(lamp.reading().values).toMatchObject({ commandLevel: 60, reason: 'programme' });
    expect(lamp.reading(14 * minute).values).toMatchObject({ commandLevel: 60, reason: 'programme' });
    expect(lamp.reading(15 * minute).values).toMatchObject({ commandLevel: 60, reason: 'fallback' });
    const ask = { args: {}, expiresAt: at + minute, until: null };
    lamp.execute({ ...ask, commandId: '1', command: 'off', until: at + 5 * minute, turn: 9 });
    expect(lamp.execute({ ...ask, commandId: '2', command: 'readPlan', turn: 5 })).toEqual({ executedAt: at });
    expect(lamp.reading(minute).values).toMatchObject({ commandLevel: 0, reason: 'manual' });
    lamp.advance(at + 5 * minute);
    expect(lamp.reading().values).toMatchObject({ commandLevel: 60, reason: 'programme' });
  });
});

describe('other lamps', () => {
  it('of an old model go by the table and say nothing of plans', () => {
    const lamp = lampAt(local('2026-11-24T00:30:00'), settings(noRole), 'table');
    expect([lamp.commandLevel, lamp.ofPlan]).toEqual([100, {}]);
    expect(lamp.reading().values).not.toHaveProperty('reason');
  });

  it.each([
    ['fewer periods than it has', { ...allAbilities, periods: 2 }, null, 100],
    ['one programme alone', { ...allAbilities, calendar: false }, null, 100],
    ['no patterns', { ...allAbilities, cycle: false }, null, 100],
    ['as much as it asks for', { ...allAbilities, periods: 3 }, '9f3c21a0b7de', 60],
  ])(
    'take over a plan that they can follow, others go by the table and say so: %s',
    (_name, abilities, hash, level) => {
      const lamp = lampAt(local('2026-11-24T00:30:00'), settings(noRole), 'plan', 'BJ-0001', abilities);
      expect(lamp.ofPlan).toEqual({ planHash: hash, capabilities: { plan: abilities } });
      expect(lamp.commandLevel).toBe(level);
    },
  );

  it('disobey, in two ways, and say that they obey', () => {
    const nights = ['BJ-0001', 'BJ-0002', 'BJ-0003', 'BJ-0004', 'BJ-0005', 'BJ-0006'].map((code) => {
      const lamp = lampAt(local('2026-11-23T20:00:00'), settings(noRole), 'wrongPlan', code);
      expect(lamp.ofPlan.planHash).toBe('9f3c21a0b7de');
      const levels = ['2026-11-23T20:00:00', '2026-11-24T00:30:00', '2026-11-24T02:00:00'].map((at) => {
        lamp.advance(local(at));
        return lamp.commandLevel;
      });
      return levels.join(' ');
    });
    // Obedient: 100 60 40.
    expect(new Set(nights)).toEqual(new Set(['100 100 100', '60 40 100']));
  });

  it('do not disobey the table, nor before the server gives them a plan', () => {
    const { plan: _plan, ...without } = settings(noRole);
    const lamp = lampAt(local('2026-11-24T00:30:00'), without, 'wrongPlan');
    expect([lamp.commandLevel, lamp.ofPlan.planHash]).toEqual([100, null]);
  });
});

describe('a ramp', () => {
  it('goes to its level by and by, is metered on the way, and gives way to a manual state', () => {
    const at = local('2026-11-23T22:59:59');
    const ramped = settings(noRole);
    const plan = ramped.plan!;
    const slow = plan.programmes.map((one) => ({
      ...one,
      periods: one.periods.map((each) => ({ ...each, ramp: 600 })),
    }));
    const own = { ...ramped, plan: { ...plan, programmes: slow, hash: 'aaaaaaaaaaaa' } };
    const [lamp, quick] = [lampAt(at, own), lampAt(at, ramped)];
    const began = [lamp, quick].map(({ memory }) => memory.energyKwh);
    for (const one of [lamp, quick]) one.advance(local('2026-11-23T23:05:00'));
    expect([lamp.commandLevel, lamp.level, quick.level]).toEqual([60, 80, 60]);
    const used = [lamp, quick].map(({ memory }, index) => memory.energyKwh - began[index]!);
    expect(used[0]! / used[1]!).toBeCloseTo(90 / 60, 0);
    lamp.execute({
      commandId: '1',
      command: 'dim',
      args: { level: 20 },
      expiresAt: at + 10 * minute,
      until: local('2026-11-23T23:06:00'),
    });
    expect(lamp.level).toBe(20);
    lamp.advance(local('2026-11-23T23:10:00'));
    expect([lamp.commandLevel, lamp.level]).toEqual([60, 60]);
  });
});

describe('power', () => {
  it('that fails leaves the lamp dark; back, it shines as it was told to until it knows the time', () => {
    const at = local('2026-11-23T20:00:00');
    const lamp = lampAt(at, settings(noRole, { powerUpLevel: 70 }));
    const { energyKwh } = lamp.memory;
    lamp.supply('off');
    lamp.advance(at + 30 * minute);
    expect([lamp.level, lamp.relay, lamp.memory.energyKwh]).toEqual([0, false, energyKwh]);
    lamp.supply('waking');
    expect(lamp.reading().values).toMatchObject({ commandLevel: 70, level: 70, reason: 'powerUp' });
    lamp.supply('on');
    expect(lamp.reading().values).toMatchObject({ commandLevel: 100, reason: 'programme' });
  });
});
