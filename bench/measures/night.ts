import { getTimes } from 'suncalc';
import { levelAt } from '../../catalogue/lighting/plan/lamp-plan.ts';
import { resolveNight } from '../../catalogue/lighting/plan/night.ts';
import {
  noRole,
  type LampPlan,
  type LampRole,
  type Period,
  type Programme,
} from '../../catalogue/lighting/plan/programme.ts';
import { sunDay, type SunPlace } from '../../catalogue/lighting/sun.ts';
import { addDays, instantOf, type Day } from '../../catalogue/lighting/zone.ts';
import { median, type Figure, type Measure } from '../measure.ts';

const rounds = 7;
const nights = 365;
const cells = 200;
const lamps = 100_000;
const timeZone = 'Asia/Shanghai';
const firstDay = '2026-01-01';

const programmeWith = (...periods: Period[]): Programme => ({
  on: { at: 'sunset', offsetMinutes: -10, notBefore: null, notAfter: null, light: null },
  off: { at: 'sunrise', offsetMinutes: 5, notBefore: null, notAfter: null, light: null },
  periods: [{ start: 'on', level: 100, pattern: 'all', rampSeconds: 0 }, ...periods],
  minimumMinutes: 10,
});
const at = (clock: string, level: number, pattern: Period['pattern'] = 'all'): Period => ({
  start: { at: clock, offsetMinutes: 0 },
  level,
  pattern,
  rampSeconds: 0,
});

/** The demo city's programme: four points. */
const staged = programmeWith(at('23:00', 60), at('05:30', 100));

/** Five programmes of three lamps of a row: what a city has in one place. */
const classes: readonly { readonly programme: Programme; readonly role: LampRole }[] = [
  programmeWith(),
  staged,
  programmeWith(at('23:00', 60), at('02:00', 40), at('05:30', 60)),
  programmeWith(at('22:30', 80, 'alternateOne'), at('05:30', 100)),
  programmeWith(at('22:30', 80, 'alternateTwo'), at('00:30', 0), at('05:00', 100)),
].flatMap((programme) =>
  [3, 4, 5].map((position) => ({ programme, role: { ...noRole, position, rowLength: 20, minLevel: 10 } })),
);

/** Cells of 0.05 degrees, as a city has them. */
const placeOf = (cell: number): SunPlace => ({
  latitude: 30 + 0.05 * Math.floor(cell / 20),
  longitude: 120 + 0.05 * (cell % 20),
  timeZone,
  sunOffsetMinutes: 0,
});
const days: readonly Day[] = Array.from({ length: nights }, (_, index) => addDays(firstDay, index));

/** What a night costs beside what the sun alone costs, in one run: the kernel must not be what a year waits for. */
export const night: Measure = {
  key: 'night',
  run: () => Promise.resolve([ofOneNight(), ofOneYear(), ...ofAllLamps()]),
};

function ofOneNight(): Figure {
  const place = placeOf(0);
  for (const day of [...days, addDays(firstDay, nights)]) sunDay(place, day);
  const noons = days.map((day) => new Date(instantOf(day, 720, timeZone)));
  const sun = () => {
    for (const noon of noons) getTimes(noon, place.latitude, place.longitude);
  };
  const kernel = () => {
    for (const day of days) resolveNight(staged, place, day);
  };
  return ratio('A night of one class, the sun known', 0.5, kernel, sun, nights, 'suncalc.getTimes');
}

function ofOneYear(): Figure {
  let moved = 0;
  const sun = () => {
    for (let cell = 0; cell < cells; cell += 1) {
      const { latitude, longitude } = placeOf(cell);
      for (const day of days) getTimes(new Date(instantOf(day, 720, timeZone)), latitude, longitude);
    }
  };
  const kernel = () => {
    // Places that nobody asked for before: the sun is part of it.
    moved += 1e-7;
    for (let cell = 0; cell < cells; cell += 1) {
      const place = { ...placeOf(cell), latitude: placeOf(cell).latitude + moved };
      for (const { programme, role } of classes) for (const day of days) resolveNight(programme, place, day, role);
    }
  };
  const count = process.argv.includes('--small') ? 1 : 3;
  const name = `A year of ${cells} places × ${classes.length} classes`;
  return ratio(name, 5, kernel, sun, cells * nights, 'the suns of the places alone', count);
}

function ofAllLamps(): Figure[] {
  const plans: LampPlan[] = Array.from({ length: cells }, (_, cell) => placeOf(cell)).flatMap((place) =>
    classes.map(({ programme, role }): LampPlan => ({ place, role, programmeOn: () => programme })),
  );
  const planOf = Uint16Array.from({ length: lamps }, (_, lamp) => (lamp * 7919) % plans.length);
  const values = Float64Array.from({ length: lamps }, (_, lamp) => lamp % 101);
  let now = instantOf('2026-11-25', 20 * 60, timeZone);
  let sum = 0;
  const pass = () => {
    for (let lamp = 0; lamp < lamps; lamp += 1) sum += values[lamp] ?? 0;
  };
  const levels = new Uint8Array(lamps);
  const known = new Uint8Array(plans.length);
  const kernel = () => {
    now += 1000;
    for (const [index, plan] of plans.entries()) known[index] = levelAt(plan, now);
    for (let lamp = 0; lamp < lamps; lamp += 1) levels[lamp] = known[planOf[lamp] ?? 0] ?? 0;
    sum += levels[lamps - 1] ?? 0;
  };
  const figure = ratio(`Levels of ${lamps} lamps now`, 20, kernel, pass, lamps, 'one pass over a typed array', 40);
  const samples = Array.from({ length: 40 }, () => took(kernel));
  const longest: Figure = {
    name: `Levels of ${lamps} lamps now, the longest of ${samples.length}`,
    value: Math.max(...samples),
    unit: 'ms',
    reach: 50,
    samples,
    note: `${plans.length} plans; half within ${median(samples).toFixed(2)} ms; absolute on this machine`,
  };
  return [Number.isFinite(sum) ? figure : { ...figure, value: Number.NaN }, longest];
}

function took(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

/** Both in turn, after a round that warms: the median of the ratios. */
function ratio(
  name: string,
  reach: number,
  work: () => void,
  anchor: () => void,
  units: number,
  anchorName: string,
  times = rounds,
): Figure {
  took(anchor);
  took(work);
  const pairs = Array.from({ length: times }, () => ({ anchor: took(anchor), work: took(work) }));
  const each = (ms: readonly number[]) => `${((median(ms) * 1000) / units).toPrecision(3)} µs`;
  const samples = pairs.map((pair) => pair.work / pair.anchor);
  return {
    name: `${name}, against ${anchorName}`,
    value: median(samples),
    unit: '×',
    reach,
    samples,
    note: `${each(pairs.map((pair) => pair.work))} against ${each(pairs.map((pair) => pair.anchor))} each; ${times} rounds in turn`,
  };
}
