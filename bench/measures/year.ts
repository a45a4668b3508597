import { getTimes } from 'suncalc';
import { expectedWatts } from '../../catalogue/lighting/lamp-power.ts';
import { differenceOf } from '../../catalogue/lighting/plan/difference.ts';
import { exampleProgramme } from '../../catalogue/lighting/plan/examples.ts';
import { noRole, type LampRole, type Period, type Programme } from '../../catalogue/lighting/plan/programme.ts';
import {
  createYearClasses,
  type Track,
  type YearInput,
  type YearWindow,
} from '../../catalogue/lighting/plan/year-input.ts';
import type { SunPlace } from '../../catalogue/lighting/sun.ts';
import { addDays, instantOf } from '../../catalogue/lighting/zone.ts';
import { median, type Figure, type Measure } from '../measure.ts';

const days = 366;
const cells = 200;
const lamps = 100_000;
const timeZone = 'Asia/Shanghai';
const from = '2027-01-01';

const stage = (at: string, level: number, pattern: Period['pattern'] = 'all'): Period => ({
  start: { at, offsetMinutes: 0 },
  level,
  pattern,
  rampSeconds: 0,
});
const staged = (...later: Period[]): Programme => {
  const { periods, ...rest } = exampleProgramme();
  return { ...rest, periods: [...periods.slice(0, 1), ...later] };
};
const track = (label: string, weekday: Programme, weekend: Programme): Track => ({
  label,
  programmes: [weekday, weekend].map((programme, index) => ({ key: index + 1, name: String(index + 1), programme })),
  byDay: Array.from({ length: days + 3 }, (_, index) => (index % 7 > 4 ? 1 : 0)),
  excepted: [],
});
/** Five schemes as a city has them, and what becomes of each: both with a pattern, so that three lamps of a row differ. */
const tracks: readonly Track[] = [60, 50].flatMap((level) => [
  track('1', staged(stage('23:00', level)), staged()),
  track('2', staged(stage('23:00', level), stage('05:30', 100)), staged()),
  track('3', staged(stage('23:00', 60), stage('02:00', level - 20), stage('05:30', 60)), staged(stage('00:00', level))),
  track('4', staged(stage('22:30', level, 'alternateOne'), stage('05:30', 100)), staged()),
  track('5', staged(stage('22:30', level, 'alternateTwo'), stage('05:00', 100)), staged(stage('23:00', level))),
]);
const schemes = tracks.length / 2;
const role = (lamp: number): LampRole => ({ ...noRole, position: lamp % 20, rowLength: 20, minLevel: 10 });
const roads = ['arterial', 'secondary', 'branch'] as const;
const loads = [60, 90, 150].map((watts) => Array.from({ length: 101 }, (_, level) => expectedWatts(watts, level)));

/** Cells of 0.05 degrees that nobody asked for before: their suns are part of the work. */
let moved = 0;
function places(): SunPlace[] {
  moved += 1e-7;
  return Array.from({ length: cells }, (_, cell) => ({
    latitude: 30 + 0.05 * Math.floor(cell / 20) + moved,
    longitude: 120 + 0.05 * (cell % 20),
    timeZone,
    sunOffsetMinutes: 0,
  }));
}

function inputOf(count: number): YearInput {
  const gathered = createYearClasses((index) => tracks[index]);
  const windows = new Map<string, YearWindow>();
  for (let lamp = 0; lamp < count; lamp += 1) {
    const place = (lamp * 7919) % cells;
    const scheme = Math.floor(lamp / cells) % schemes;
    const road = roads[lamp % roads.length] ?? 'lane';
    const added = gathered.add({
      placeA: place,
      placeB: place,
      trackA: scheme,
      trackB: scheme + schemes,
      roleA: role(lamp),
      roleB: role(lamp),
      load: lamp % loads.length,
      road,
    });
    // Neighbours that do the same: the place in the row decides whether a pattern leaves them dark.
    const { a = 0, b = 0 } = gathered.classes[added] ?? {};
    const pole = [{ a, b, own: 'both' as const }];
    windows.set(`${road} ${a} ${b}`, { road, loose: false, poles: [pole, pole, pole] });
  }
  const { plans, classes } = gathered;
  return { from, days, tracks, places: places(), loads, plans, classes, rows: [], windows: [...windows.values()] };
}

/** From lamps to the result. */
function difference(count: number): void {
  const work = differenceOf(inputOf(count));
  while (!work.next().done);
}

function suns(): void {
  const noons = Array.from({ length: days }, (_, day) => new Date(instantOf(addDays(from, day), 720, timeZone)));
  for (const { latitude, longitude } of places()) for (const noon of noons) getTimes(noon, latitude, longitude);
}

const took = (act: () => void): number => {
  const start = performance.now();
  act();
  return performance.now() - start;
};

function figure(name: string, reach: number, against: string, pairs: readonly (readonly [number, number])[]): Figure {
  const samples = pairs.map(([work, anchor]) => work / anchor);
  const each = (ms: readonly number[]) => `${(median(ms) / 1000).toFixed(2)} s`;
  return {
    name,
    value: median(samples),
    unit: '×',
    reach,
    samples,
    note: `${each(pairs.map(([work]) => work))} against ${each(pairs.map(([, anchor]) => anchor))} of ${against}; ${pairs.length} rounds in turn`,
  };
}

/** What the difference of two plans over a year costs beside the suns of its places, and what ten times the lamps add. */
export const year: Measure = {
  key: 'year',
  run() {
    suns();
    const rounds = process.argv.includes('--small') ? 1 : 3;
    const all = Array.from({ length: rounds }, () => ({
      sun: took(suns),
      city: took(() => difference(lamps)),
      ten: took(() => difference(10 * lamps)),
    }));
    return Promise.resolve([
      figure(
        `A year of two plans, ${lamps} lamps in ${cells} places, against the suns of the places alone`,
        6,
        'suncalc.getTimes',
        all.map(({ city, sun }) => [city, sun]),
      ),
      figure(
        `The same of ${10 * lamps} lamps, against ${lamps}`,
        1.3,
        'the smaller city',
        all.map(({ ten, city }) => [ten, city]),
      ),
    ]);
  },
};
