import { expect, it } from 'vitest';
import { energyOfHours } from '../../../../catalogue/lighting/energy.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import { planOfTable } from '../../../../catalogue/lighting/plan/table.ts';
import { meterOf } from './meters.ts';

const hour = 3_600_000;
const place = { latitude: 45.8, longitude: 126.535, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const local = (text: string) => Date.parse(`${text}+08:00`);
const point = (at: string, level: number) => ({ at, offsetMinutes: 0, level });
/** Full light to 22 o'clock, half of it to midnight, dark to 5 o'clock, and light again in the morning. */
const plan = planOfTable(place, [
  point('18:00', 100),
  point('22:00', 50),
  point('00:00', 0),
  point('05:00', 100),
  point('06:00', 0),
]);
const curve = { levels: [50, 100], shares: [0.25, 1] };
const lamp = { family: lampFamily, ratedWatts: 100, plan };

it('a silence is shared by what each planned level takes, dark stretches take nothing', () => {
  const [from, to] = [local('2026-12-01T18:00:00'), local('2026-12-02T06:00:00')];
  const readings = [
    { at: from, kwh: 10, level: null },
    { at: to, kwh: 15.5, level: null },
  ];
  const { hours } = energyOfHours(readings, { from, to }, meterOf({ ...lamp, ratedWatts: 1000, curve }));
  const of = (clock: string) => hours.get(local(clock))?.estimated;
  // 4 h + 2 h at a quarter + 1 h = 5.5 h of full power.
  expect(of('2026-12-01T18:00:00')).toBeCloseTo(1, 9);
  expect(of('2026-12-01T22:00:00')).toBeCloseTo(0.25, 9);
  expect(of('2026-12-02T00:00:00')).toBe(0);
  expect(of('2026-12-02T05:00:00')).toBeCloseTo(1, 9);
});

it('a silence of a lamp that counts nothing takes the watts of each planned level', () => {
  const [from, to] = [local('2026-12-01T18:00:00'), local('2026-12-02T06:00:00')];
  const readings = [
    { at: from, kwh: null, level: 100 },
    { at: to, kwh: null, level: 0 },
  ];
  const { hours } = energyOfHours(readings, { from, to }, meterOf({ ...lamp, curve }));
  expect([...hours.values()].reduce((sum, { calculated }) => sum + calculated, 0)).toBeCloseTo(0.55, 9);
});

it('reports of a lamp are due by the short period only while its plan lights it all the while', () => {
  const { period } = meterOf(lamp);
  expect(period(local('2026-12-01T18:00:00'), local('2026-12-02T00:00:00'))).toBe(900_000);
  expect(period(local('2026-12-01T18:00:00'), local('2026-12-02T01:00:00'))).toBe(3_600_000);
  expect(period(local('2026-12-02T00:00:00'), local('2026-12-02T05:00:00'))).toBe(3_600_000);
  expect(meterOf({ family: controllerFamily, ratedWatts: null, plan: undefined }).planned(0, 9 * hour)).toBe(0);
});
