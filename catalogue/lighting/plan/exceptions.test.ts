import { describe, expect, it } from 'vitest';
import { harbin, hangzhou, lordHowe, newYork, programme, wall } from '../../testing/nights.ts';
import fc from '../../testing/properties.ts';
import { lightingDay } from '../sun.ts';
import { addDays } from '../zone.ts';
import { exceptedProgramme, type PlanException } from './exceptions.ts';
import { levelAt, levelsBetween, nightOf } from './lamp-plan.ts';
import { resolveNight } from './night.ts';
import { noRole, type LampPlan, type LampRole, type Programme } from './programme.ts';
import { levelInForce, type LayerInput } from './stack.ts';
import { validateProgramme } from './validate.ts';

const minute = 60_000;
const usual = programme('sunset-10', 'sunrise+5', ['on 100', '23:00 60', '05:00 90'], 10);
const day = '2026-11-23';
const at = (clock: string, on = day) => wall(on, clock, hangzhou);
const steps = (exception: Partial<PlanException>, base = usual, role: LampRole = noRole) => {
  const one: PlanException = {
    from: at('12:00'),
    to: at('12:00', '2026-11-24'),
    nightOnly: true,
    effect: { op: 'set', level: 80 },
    ...exception,
  };
  const { programme: excepted, left } = exceptedProgramme({ place: hangzhou, role }, [one], day, base);
  expect(left).toEqual([]);
  const night = resolveNight(excepted, hangzhou, day, role);
  return night.steps.map((step) => [
    new Date(step.at + 8 * 60 * minute + minute / 2).toISOString().slice(11, 16),
    step.level,
  ]);
};

describe('a lighting day with an exception', () => {
  it.each<[string, Partial<PlanException>, unknown[]]>([
    [
      'has one level from on to off',
      {},
      [
        ['16:50', 80],
        ['06:37', 0],
      ],
    ],
    [
      'is raised where it was darker',
      { effect: { op: 'max', level: 80 } },
      [
        ['16:50', 100],
        ['23:00', 80],
        ['05:00', 90],
        ['06:37', 0],
      ],
    ],
    [
      'is lowered where it was brighter',
      { effect: { op: 'min', level: 70 } },
      [
        ['16:50', 70],
        ['23:00', 60],
        ['05:00', 70],
        ['06:37', 0],
      ],
    ],
    [
      'runs another programme',
      { effect: { programme: programme('18:00', '22:00', ['on 50']) } },
      [
        ['18:00', 50],
        ['22:00', 0],
      ],
    ],
    [
      'from an instant to another',
      { nightOnly: false, from: at('20:00'), to: at('21:30') },
      [
        ['16:50', 100],
        ['20:00', 80],
        ['21:30', 100],
        ['23:00', 60],
        ['05:00', 90],
        ['06:37', 0],
      ],
    ],
    [
      'across a step of the plan',
      { nightOnly: false, from: at('22:00'), to: at('23:30') },
      [
        ['16:50', 100],
        ['22:00', 80],
        ['23:30', 60],
        ['05:00', 90],
        ['06:37', 0],
      ],
    ],
    [
      'before dusk: lamps go on earlier',
      { nightOnly: false, from: at('16:00'), to: at('17:00'), effect: { op: 'max', level: 60 } },
      [
        ['16:00', 60],
        ['16:50', 100],
        ['23:00', 60],
        ['05:00', 90],
        ['06:37', 0],
      ],
    ],
    [
      'by day, with the night as it is',
      { nightOnly: false, from: at('13:00'), to: at('14:00') },
      [
        ['13:00', 80],
        ['14:00', 0],
        ['16:50', 100],
        ['23:00', 60],
        ['05:00', 90],
        ['06:37', 0],
      ],
    ],
    [
      'of lighting days, begun in the night',
      { from: at('20:00') },
      [
        ['16:50', 100],
        ['20:00', 80],
        ['06:37', 0],
      ],
    ],
    [
      'another programme, begun in the night',
      { from: at('20:00'), effect: { programme: programme('18:00', '22:00', ['on 50']) } },
      [
        ['16:50', 100],
        ['20:00', 50],
        ['22:00', 0],
        ['06:37', 0],
      ],
    ],
    [
      'dark for an hour',
      {
        nightOnly: false,
        from: at('01:00', '2026-11-24'),
        to: at('02:00', '2026-11-24'),
        effect: { op: 'set', level: 0 },
      },
      [
        ['16:50', 100],
        ['23:00', 60],
        ['01:00', 0],
        ['02:00', 60],
        ['05:00', 90],
        ['06:37', 0],
      ],
    ],
    [
      'dark from end to end',
      { effect: { op: 'set', level: 0 } },
      [
        ['16:50', 0],
        ['06:37', 0],
      ],
    ],
  ])('%s', (_name, exception, expected) => {
    expect(steps(exception)).toEqual(expected);
  });

  it('raises a lamp that the pattern leaves dark, and leaves those dark that are only lowered', () => {
    const every = programme('sunset', 'sunrise', ['on 100 alternateOne']);
    const dark: LampRole = { ...noRole, position: 3, rowLength: 9, rotation: 'fixed' };
    expect(steps({ effect: { op: 'max', level: 40 } }, every, dark)[0]?.[1]).toBe(40);
    expect(steps({ effect: { op: 'max', level: 40 } }, every, { ...dark, position: 4 })[0]?.[1]).toBe(100);
    expect(steps({ effect: { op: 'min', level: 40 } }, every, dark)[0]?.[1]).toBe(0);
  });

  it('keeps the anchors of what it leaves: sunset stays sunset', () => {
    const window = { from: at('20:00'), to: at('21:00'), nightOnly: false, effect: { op: 'set', level: 30 } } as const;
    const { programme: excepted } = exceptedProgramme({ place: hangzhou, role: noRole }, [window], day, usual);
    expect(excepted.on).toEqual(usual.on);
    expect(excepted.off).toEqual(usual.off);
    expect(excepted.periods.map(({ start }) => (start === 'on' ? start : start.at))).toEqual([
      'on',
      '20:00',
      '21:00',
      '23:00',
      '05:00',
    ]);
  });

  it('leaves out what would need more periods than a device takes, and says so', () => {
    const full = programme('sunset', 'sunrise', ['on 100', '19:00 90', '20:00 80', '21:00 70', '22:00 60', '23:00 50']);
    const window = {
      from: at('01:00', '2026-11-24'),
      to: at('02:00', '2026-11-24'),
      nightOnly: false,
      effect: { op: 'set', level: 30 },
    } as const;
    const found = exceptedProgramme({ place: hangzhou, role: noRole }, [window], day, full);
    expect(found).toEqual({ programme: full, left: [window] });
  });

  it('stands in the hour that comes twice, where it was put', () => {
    const first = wall('2026-11-01', '01:00', newYork);
    const window = {
      from: first + 60 * minute,
      to: first + 90 * minute,
      nightOnly: false,
      effect: { op: 'set', level: 10 },
    } as const;
    const { programme: excepted } = exceptedProgramme({ place: newYork, role: noRole }, [window], '2026-10-31', usual);
    const night = resolveNight(excepted, newYork, '2026-10-31');
    expect(night.steps.map((step) => step.at)).toContain(window.from);
    expect(night.steps.map((step) => step.at)).toContain(window.to);
  });
});

const places = [harbin, hangzhou, newYork, lordHowe, { ...hangzhou, sunOffsetMinutes: 137 }];
const given = fc.record({
  where: fc.constantFrom(...places),
  day: fc.integer({ min: 0, max: 700 }).map((days) => addDays('2026-01-01', days)),
  base: fc.constantFrom<Programme>(
    usual,
    programme('sunset', 'sunrise', ['on 100 alternateOne', '22:30 70']),
    programme('17:30', '05:30', ['on 40', 'middle 0', 'middle+90 40']),
  ),
  position: fc.option(fc.integer({ min: 0, max: 8 })),
  exceptions: fc.array(
    fc.record({
      // Minutes after the noon of the day, and how long.
      begin: fc.integer({ min: -300, max: 1700 }),
      length: fc.integer({ min: 1, max: 2000 }),
      nightOnly: fc.boolean(),
      op: fc.constantFrom('set', 'min', 'max'),
      level: fc.integer({ min: 0, max: 100 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  instants: fc.array(fc.integer({ min: 0, max: 1439 }), { minLength: 5, maxLength: 5 }),
});

describe('for any exceptions', () => {
  it('the plan with them is what the layers say, and a programme that devices take', () => {
    let compared = 0;
    fc.assert(
      fc.property(given, ({ where, day: on, base, position, exceptions, instants }) => {
        const role = { ...noRole, position, rowLength: 9 };
        const noon = lightingDay(where, wall(on, '18:00', where) + where.sunOffsetMinutes * minute).from;
        const all = exceptions.map(({ begin, length, nightOnly, op, level }): PlanException => ({
          from: noon + begin * minute,
          to: noon + (begin + length) * minute,
          nightOnly,
          effect: { op: op as 'set', level },
        }));
        const plain: LampPlan = { place: where, role, programmeOn: () => base };
        const isLeft = [-1, 0, 1].some(
          (ahead) => exceptedProgramme({ place: where, role }, all, addDays(on, ahead), base).left.length > 0,
        );
        if (isLeft) return;
        const plan: LampPlan = {
          ...plain,
          programmeOn: (asked) => exceptedProgramme({ place: where, role }, all, asked, base).programme,
        };
        expect(validateProgramme(plan.programmeOn(on))).toEqual([]);
        const night = nightOf(plain, on);
        const edges = [
          ...all.flatMap(({ from, to }) => [from, to]),
          ...levelsBetween(plain, noon - 1440 * minute, noon + 2880 * minute).map(({ from }) => from),
        ];
        for (const minutes of instants) {
          const instant = noon + minutes * minute;
          // Short dark stretches are closed, and clock times are whole minutes: near an edge they differ.
          if (edges.some((edge) => Math.abs(edge - instant) <= 6 * minute)) continue;
          const isNight = night.on !== null && night.off !== null && instant >= night.on && instant < night.off;
          if (all.some(({ nightOnly }) => nightOnly) && (!isNight || all.some(({ nightOnly }) => !nightOnly))) continue;
          const layers: LayerInput[] = [
            { layer: 'scheme', op: 'set', value: levelAt(plain, instant), from: noon, until: null },
            ...all.map(({ from, to, effect }): LayerInput => ({
              layer: 'exception',
              op: 'op' in effect ? effect.op : 'set',
              value: 'level' in effect ? effect.level : 0,
              from,
              until: to,
            })),
          ];
          expect(levelAt(plan, instant)).toBe(levelInForce(instant, layers).level);
          compared += 1;
        }
      }),
    );
    expect(compared).toBeGreaterThan(100);
  });
});
