import { describe, expect, it } from 'vitest';
import fc from '../../testing/properties.ts';
import {
  apia,
  hangzhou,
  harbin,
  kathmandu,
  lordHowe,
  newYork,
  period,
  place,
  programme,
  switching,
  tromso,
} from '../../testing/nights.ts';
import { expectedWatts } from '../lamp-power.ts';
import { lightingDayOf, type SunPlace } from '../sun.ts';
import { addDays } from '../zone.ts';
import { differenceOf, meanLevels, nightsToDo, type YearDifference } from './difference.ts';
import { levelsBetween, nightOf } from './lamp-plan.ts';
import { noRole, patterns, type LampPlan, type LampRole, type Programme } from './programme.ts';
import { createYearClasses, type Track, type YearInput, type YearRow, type YearSide } from './year-input.ts';
import { cellsOfDay } from './year-heat.ts';

const from = '2026-01-15';
const linear = (watts: number) => Array.from({ length: 101 }, (_, level) => expectedWatts(watts, level));

interface Lamp {
  readonly where: SunPlace;
  readonly a: Programme;
  readonly b: Programme;
  readonly role?: LampRole;
  readonly watts?: number;
}

const track = (what: Programme, days: number, more: Partial<Track> = {}): Track => ({
  label: 'JN-03 v7',
  programmes: [{ key: 1, name: '平日', programme: what }],
  byDay: new Array<number>(days + 3).fill(0),
  excepted: [],
  ...more,
});

function inputOf(lamps: readonly Lamp[], days: number, rowOf?: (classes: readonly number[]) => YearRow[]): YearInput {
  const programmes = [...new Set(lamps.flatMap(({ a, b }) => [a, b]))];
  const places = [...new Set(lamps.map(({ where }) => where))];
  const watts = [...new Set(lamps.map((lamp) => lamp.watts ?? 100))];
  const tracks = programmes.map((one) => track(one, days));
  const gathered = createYearClasses((index) => tracks[index]);
  const classes = lamps.map(({ where, a, b, role = noRole, ...lamp }) =>
    gathered.add({
      placeA: places.indexOf(where),
      placeB: places.indexOf(where),
      trackA: programmes.indexOf(a),
      trackB: programmes.indexOf(b),
      roleA: role,
      roleB: role,
      load: watts.indexOf(lamp.watts ?? 100),
      road: null,
    }),
  );
  const { plans, classes: all } = gathered;
  const rows = rowOf?.(classes) ?? [];
  return { from, days, tracks, places, loads: watts.map(linear), plans, classes: all, rows, windows: [] };
}

function whole(input: YearInput): YearDifference {
  const work = differenceOf(input);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    expect(value).toBeLessThanOrEqual(nightsToDo(input));
  }
}

const planOf = ({ where, role = noRole, ...lamp }: Lamp, side: YearSide): LampPlan => ({
  place: where,
  role,
  programmeOn: () => lamp[side],
});

/** Level × ms of each window, by the kernel that everything else asks. */
const windows = (plan: LampPlan, days: number) =>
  Array.from({ length: days }, (_, index) => {
    const window = lightingDayOf(plan.place, addDays(from, index));
    return levelsBetween(plan, window.from, window.to);
  });

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const offset = fc.oneof(fc.constant(0), fc.integer({ min: -240, max: 240 }));
const end = (own: string) =>
  fc
    .record({ at: fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: clock }), by: offset })
    .map(({ at, by }) => switching(at, { offsetMinutes: by }));
const anyProgramme: fc.Arbitrary<Programme> = fc.record({
  on: end('sunset'),
  off: end('sunrise'),
  periods: fc
    .array(fc.record({ at: clock, level: fc.integer({ min: 0, max: 100 }), pattern: fc.constantFrom(...patterns) }), {
      maxLength: 4,
    })
    .map((later) => [period('on 100'), ...later.map(({ at, level, pattern }) => period(`${at} ${level} ${pattern}`))]),
  minimumMinutes: fc.integer({ min: 0, max: 60 }),
});
const anyRole: fc.Arbitrary<LampRole> = fc.record({
  position: fc.option(fc.nat(12), { nil: null }),
  rowLength: fc.integer({ min: 1, max: 13 }),
  right: fc.boolean(),
  keep: fc.boolean(),
  minLevel: fc.integer({ min: 0, max: 30 }),
  rotation: fc.constantFrom('fixed', 'nightly', 'weekly'),
});
const anyLamp: fc.Arbitrary<Lamp> = fc.record({
  where: fc.constantFrom(
    hangzhou,
    harbin,
    newYork,
    lordHowe,
    kathmandu,
    apia,
    tromso,
    place(30.2, 120.2, 'Asia/Shanghai', -359),
  ),
  a: anyProgramme,
  b: anyProgramme,
  role: anyRole,
  watts: fc.constantFrom(60, 150),
});
const someLamps = fc.array(anyLamp, { minLength: 1, maxLength: 4 });
/** The span reaches over both changes of New York's clock of its half. */
const days = 75;

describe('a year of two plans', () => {
  it('has in its cells and its months what the kernel counts lamp by lamp', () => {
    fc.assert(
      fc.property(someLamps, (lamps) => {
        const found = whole(inputOf(lamps, days));
        for (const side of ['a', 'b'] as const) {
          let [level, lit, kwh, switches] = [0, 0, 0, 0];
          for (const lamp of lamps) {
            const plan = planOf(lamp, side);
            let last = nightOf(plan, addDays(from, -1)).lit.at(-1)?.to ?? 0;
            for (const stretch of windows(plan, days).flat()) {
              const hours = (stretch.to - stretch.from) / 3_600_000;
              level += stretch.level * hours;
              if (stretch.level <= 0) continue;
              lit += hours;
              kwh += (expectedWatts(lamp.watts ?? 100, stretch.level) * hours) / 1000;
              if (stretch.from > last) switches += 1;
              last = stretch.to;
            }
          }
          const ofMonths = (key: 'kwh' | 'hours' | 'switches') =>
            found.months.reduce((sum, month) => sum + month[side][key], 0);
          expect(found.sums[side].reduce((sum, cell) => sum + cell, 0) / 6).toBeCloseTo(level, 4);
          expect(ofMonths('hours')).toBeCloseTo(lit, 6);
          expect(ofMonths('kwh')).toBeCloseTo(kwh, 6);
          expect(ofMonths('switches')).toBe(switches);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('has in each cell the mean level of its ten minutes', () => {
    fc.assert(
      fc.property(anyLamp, fc.nat(days - 1), fc.nat(cellsOfDay - 1), (lamp, day, cell) => {
        const plan = planOf(lamp, 'b');
        const window = lightingDayOf(plan.place, addDays(from, day));
        // Days with a change of the clock have cells of another length.
        fc.pre(window.to - window.from === 24 * 3_600_000);
        const at = window.from + cell * 600_000;
        const mean = levelsBetween(plan, at, at + 600_000).reduce(
          (sum, one) => sum + (one.level * (one.to - one.from)) / 600_000,
          0,
        );
        expect(meanLevels(whole(inputOf([lamp], days)), 'b')[day * cellsOfDay + cell]).toBeCloseTo(mean, 6);
      }),
      { numRuns: 40 },
    );
  });

  it('of a plan with itself is nothing anywhere', () => {
    fc.assert(
      fc.property(someLamps, (lamps) => {
        const found = whole(
          inputOf(
            lamps.map((lamp) => ({ ...lamp, b: lamp.a })),
            days,
          ),
        );
        expect(found.sums.a).toEqual(found.sums.b);
        for (const { a, b } of found.months) expect(a).toEqual(b);
        const side = (which: YearSide) =>
          found.findings.flatMap((one) => (one.side === which ? [{ ...one, side: null }] : []));
        expect(side('a')).toEqual(side('b'));
      }),
      { numRuns: 20 },
    );
  });

  it('takes no less energy for more light', () => {
    fc.assert(
      fc.property(someLamps, fc.integer({ min: 0, max: 40 }), (lamps, more) => {
        const brighter = ({ a }: Lamp): Programme => ({
          ...a,
          periods: a.periods.map((one) => ({ ...one, level: one.level === 0 ? 0 : Math.min(100, one.level + more) })),
        });
        const found = whole(
          inputOf(
            lamps.map((lamp) => ({ ...lamp, b: brighter(lamp) })),
            20,
          ),
        );
        for (const { a, b } of found.months) expect(b.kwh).toBeGreaterThanOrEqual(a.kwh - 1e-9);
      }),
      { numRuns: 20 },
    );
  });

  it('is the same for a thousand lamps as a thousand times one', () => {
    const lamp: Lamp = { where: hangzhou, a: programme('sunset', 'sunrise', ['on 100']), b: dimmed(60) };
    const one = whole(inputOf([lamp], 30));
    const many = whole(
      inputOf(
        Array.from({ length: 1000 }, () => lamp),
        30,
      ),
    );
    expect(many.lamps).toBe(1000);
    expect(many.months[0]?.b.kwh).toBeCloseTo(1000 * (one.months[0]?.b.kwh ?? 0), 6);
    const rounded = (of: YearDifference) => meanLevels(of, 'b').map((level) => Math.round(level * 1e6));
    expect(rounded(many)).toEqual(rounded(one));
  });

  it('shows nothing where the wall clock is moved on, and both hours where it is moved back', () => {
    const lamp: Lamp = { where: newYork, a: dimmed(50), b: dimmed(50) };
    const found = whole({ ...inputOf([lamp], 365) });
    const night = (day: string, hour: number) => {
      const index = Math.round((Date.parse(day) - Date.parse(from)) / 86_400_000);
      return meanLevels(found, 'a')[index * cellsOfDay + (hour + 12) * 6];
    };
    expect([night('2026-03-06', 2), night('2026-03-07', 2), night('2026-03-07', 3)]).toEqual([50, NaN, 50]);
    expect([night('2026-10-31', 1), night('2026-10-31', 2)]).toEqual([50, 50]);
  });
});

const dimmed = (level: number, pattern = 'all') =>
  programme('sunset', 'sunrise', ['on 100', `23:00 ${level} ${pattern}`]);
const always = programme('sunset', 'sunrise', ['on 100']);

/** What is found on side b, one line each. */
const said = (found: YearDifference): string[] =>
  found.findings.flatMap(({ side, code, severity, period: of, nights, lamps }) =>
    side === 'b' ? [[severity, code, of, nights, lamps].filter((part) => part !== null).join(' ')] : [],
  );
const ofB = (b: Programme, lamp: Partial<Lamp> = {}, count = 365): string[] =>
  said(whole(inputOf([{ where: hangzhou, a: always, b, ...lamp }], count)));

describe('what a year finds', () => {
  it('nothing in a plan that is sound', () => {
    expect(ofB(dimmed(60))).toEqual([]);
  });

  it('periods that are never reached, and those that some nights do not reach', () => {
    expect(ofB(programme('sunset', 'sunrise', ['on 100', '11:00 50']))).toEqual(['warning periodNeverReached 1 365 1']);
    const [line] = ofB(programme('sunset', 'sunrise', ['on 100', '05:30 50']));
    expect(line).toMatch(/^note periodUnused 1 \d+ 1$/);
    expect(Number(line?.split(' ')[3])).toBeGreaterThan(50);
    expect(Number(line?.split(' ')[3])).toBeLessThan(200);
  });

  it('nights without light, plans that never get dark, the sun that stays up or down', () => {
    expect(ofB(programme('sunset', 'sunrise', ['on 0']))).toEqual(['warning nightWithoutLight 365 1']);
    expect(ofB(programme('20:00', '19:00', ['on 100']))).toEqual(['error neverDark 365 1']);
    const polar = ofB(always, { where: tromso });
    expect(polar.map((line) => line.split(' ')[1])).toEqual(expect.arrayContaining(['polarDay', 'polarNight']));
  });

  it('short stretches at an end of the night that are left out', () => {
    const b = programme('sunset', 'sunrise', ['on 0', 'sunrise-5 100'], 10);
    expect(ofB(b)).toEqual(expect.arrayContaining(['note minimumBurning 1 365 1']));
  });

  it('clock times that daylight saving skips and repeats', () => {
    const b = programme('sunset', 'sunrise', ['on 100', '01:30 80', '02:30 90']);
    expect(ofB(b, { where: newYork })).toEqual(['note skippedTime 2 1 1', 'note repeatedTime 1 1 1']);
  });

  it('switching further than 15 minutes from civil twilight', () => {
    expect(ofB(programme('sunset-10', 'sunrise+5', ['on 100']))).toEqual([]);
    expect(ofB(programme('sunset-20', 'sunrise', ['on 100']))).toEqual(['warning farFromTwilight 365 1']);
    expect(ofB(programme('dusk+20', 'sunrise', ['on 100']))).toEqual(['warning farFromTwilight 365 1']);
    expect(ofB(programme('sunset', 'sunrise+20', ['on 100']))).toEqual(['warning farFromTwilight 365 1']);
  });

  describe('neighbours of a row that are dark together', () => {
    const roleAt = (position: number): LampRole => ({ ...noRole, position, rowLength: 12, rotation: 'nightly' });
    const rowOf =
      (positions: readonly number[]) =>
      (classes: readonly number[]): YearRow[] => [
        { lamps: classes.map((_, index) => 100 + index), positions, classes },
      ];
    const lampAt = (position: number, b: Programme): Lamp => ({
      where: hangzhou,
      a: always,
      b,
      role: roleAt(position),
    });
    const [off, third] = [
      programme('sunset', 'sunrise', ['on 100', '23:00 0']),
      programme('sunset', 'sunrise', ['on 100', '23:00 100 alternateTwo']),
    ];

    it('more than two, where plans of one row differ', () => {
      const lamps = Array.from({ length: 12 }, (_, index) => lampAt(index, index > 3 && index < 7 ? off : always));
      const found = whole(inputOf(lamps, 30, rowOf(lamps.map((_, index) => index))));
      const dark = found.findings.find(({ code }) => code === 'darkNeighbours');
      expect(dark).toMatchObject({ side: 'b', severity: 'warning', nights: 30, first: from, lamps: 3 });
      expect(dark?.named).toEqual([104, 105, 106]);
    });

    it('not where a pole between them is of others, nor in the patterns of one plan', () => {
      const codes = (lamps: readonly Lamp[], positions: readonly number[]) =>
        whole(inputOf(lamps, 30, rowOf(positions))).findings.filter(({ code }) => code === 'darkNeighbours');
      const lamps = Array.from({ length: 12 }, (_, index) => lampAt(index, index > 3 && index < 7 ? off : always));
      expect(
        codes(
          lamps,
          lamps.map((_, index) => (index > 4 ? index + 1 : index)),
        ),
      ).toEqual([]);
      const alternate = Array.from({ length: 12 }, (_, index) => lampAt(index, third));
      expect(
        codes(
          alternate,
          alternate.map((_, index) => index),
        ),
      ).toEqual([]);
    });

    it('where the dark lamps of a pattern meet those of another plan', () => {
      const lamps = Array.from({ length: 12 }, (_, index) => lampAt(index, index === 5 ? off : third));
      const found = whole(inputOf(lamps, 30, rowOf(lamps.map((_, index) => index))));
      const dark = found.findings.find(({ code }) => code === 'darkNeighbours');
      // One night of three it is the lamp at 5 that the pattern would light.
      expect(dark).toMatchObject({ nights: 10 });
    });
  });
});
