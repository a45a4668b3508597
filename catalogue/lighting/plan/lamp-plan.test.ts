import { describe, expect, it } from 'vitest';
import fc from '../../testing/properties.ts';
import { apia, hangzhou, kathmandu, lordHowe, newYork, place, programme, tromso, wall } from '../../testing/nights.ts';
import { lightingDay, lightingDayOf } from '../sun.ts';
import { addDays, dayNumber } from '../zone.ts';
import { levelAt, levelsBetween, litBetween, nextChange, nextSwitch, nightOf, switchTimes } from './lamp-plan.ts';
import {
  noRole,
  patterns,
  rotations,
  type Anchor,
  type LampPlan,
  type Night,
  type Period,
  type Programme,
} from './programme.ts';
import { defaultTable, planOfTable, tableOf } from './table.ts';

const hour = 3_600_000;
const minute = 60_000;
const everyNight = (where: typeof hangzhou, what: Programme): LampPlan => ({
  place: where,
  role: noRole,
  programmeOn: () => what,
});

const zones = [
  hangzhou,
  newYork,
  lordHowe,
  kathmandu,
  apia,
  place(48.8566, 2.3522, 'Europe/Paris'),
  place(30.2, 120.2, 'Asia/Shanghai', -359),
];
const clocks = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const anchors: fc.Arbitrary<Anchor> = fc.record({
  at: fc.oneof(fc.constantFrom('sunset', 'sunrise', 'dusk', 'dawn'), clocks),
  offsetMinutes: fc.oneof(fc.constant(0), fc.integer({ min: -240, max: 240 })),
});
const bounds = fc.option(clocks, { nil: null, freq: 4 });
const ends = (own: string) =>
  fc.record({
    at: fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: clocks }),
    offsetMinutes: fc.oneof(fc.constant(0), fc.integer({ min: -240, max: 240 })),
    notBefore: bounds,
    notAfter: bounds,
    light: fc.constant(null),
  });
const periods: fc.Arbitrary<Period> = fc.record({
  start: fc.oneof(
    anchors,
    fc.record({ at: fc.constant('middle'), offsetMinutes: fc.integer({ min: -240, max: 240 }) }),
  ),
  level: fc.constantFrom(0, 0, 5, 40, 60, 100),
  pattern: fc.constantFrom(...patterns),
  rampSeconds: fc.constant(0),
});
const programmes: fc.Arbitrary<Programme> = fc.record({
  on: ends('sunset'),
  off: ends('sunrise'),
  periods: fc
    .tuple(fc.constantFrom(0, 60, 100), fc.array(periods, { maxLength: 5 }))
    .map(([level, later]) => [{ start: 'on' as const, level, pattern: 'all' as const, rampSeconds: 0 }, ...later]),
  minimumMinutes: fc.constantFrom(0, 10, 60),
});
const roles = fc.record({
  position: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
  rowLength: fc.integer({ min: 1, max: 30 }),
  right: fc.boolean(),
  keep: fc.boolean(),
  minLevel: fc.constantFrom(0, 10, 50),
  rotation: fc.constantFrom(...rotations),
});
const places = fc
  .tuple(fc.constantFrom(...zones), fc.double({ min: -72, max: 72, noNaN: true }), fc.boolean())
  .map(([zone, latitude, own]) => (own ? zone : { ...zone, latitude }));
const plans: fc.Arbitrary<LampPlan> = fc
  .record({ place: places, role: roles, what: programmes })
  .map(({ what, ...rest }) => ({ ...rest, programmeOn: () => what }));
const days = fc.integer({ min: 0, max: 1500 }).map((count) => addDays('2024-01-01', count));
const instants = fc
  .integer({ min: Date.UTC(2024, 0, 3) / minute, max: Date.UTC(2028, 0, 1) / minute })
  .map((at) => at * minute);

describe('every night of every programme', () => {
  it('burns inside on–off alone, in ascending steps, one of them at each end', () => {
    fc.assert(
      fc.property(plans, days, (plan, day) => {
        const { on, off, steps, lit, plannedDark } = nightOf(plan, day);
        if (on === null || off === null) {
          expect({ steps, lit, plannedDark }).toEqual({ steps: [], lit: [], plannedDark: [] });
          return;
        }
        expect(on).toBeLessThan(off);
        expect(steps[0]?.at).toBe(on);
        expect(steps.at(-1)).toMatchObject({ at: off, level: 0 });
        for (const [index, step] of steps.entries()) {
          const before = steps[index - 1];
          if (before) expect(step.at).toBeGreaterThan(before.at);
          if (before && index < steps.length - 1)
            expect([step.level, step.pattern]).not.toEqual([before.level, before.pattern]);
        }
        for (const { from, to } of [...lit, ...plannedDark]) {
          expect(from).toBeGreaterThanOrEqual(on);
          expect(to).toBeLessThanOrEqual(off);
          expect(from).toBeLessThan(to);
        }
        // Lit is where a step has light, and no dark stretch inside is shorter than five minutes.
        for (const [index, { at, level }] of steps.slice(0, -1).entries()) {
          const end = steps[index + 1]?.at ?? off;
          expect(lit.some((span) => span.from <= at && end <= span.to)).toBe(level > 0);
        }
        for (const [index, span] of lit.entries())
          if (index > 0) expect(span.from - (lit[index - 1]?.to ?? 0)).toBeGreaterThanOrEqual(5 * minute);
      }),
    );
  });

  it('does not depend on the order of its periods', () => {
    fc.assert(
      fc.property(plans, days, fc.infiniteStream(fc.integer({ min: 0, max: 99 })), (plan, day, order) => {
        const what = plan.programmeOn(day);
        const keys = new Map(what.periods.map((period) => [period, order.next().value ?? 0]));
        const mixed = { ...what, periods: what.periods.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)) };
        const night = nightOf(plan, day);
        fc.pre(!night.warnings.some(({ code }) => code === 'sameInstant'));
        const levels = (one: typeof night) => one.steps.map(({ at, level, pattern }) => [at, level, pattern]);
        expect(levels(nightOf({ ...plan, programmeOn: () => mixed }, day))).toEqual(levels(night));
      }),
    );
  });

  it('is the same with a period more that it does not reach', () => {
    fc.assert(
      fc.property(plans, days, fc.constantFrom(0, 30, 100), (plan, day, level) => {
        const what = plan.programmeOn(day);
        const { off, ...night } = nightOf(plan, day);
        fc.pre(off !== null);
        const unused: Period = {
          start: { ...what.off, offsetMinutes: what.off.offsetMinutes + 600 },
          level,
          pattern: 'all',
          rampSeconds: 0,
        };
        const more = nightOf({ ...plan, programmeOn: () => ({ ...what, periods: [...what.periods, unused] }) }, day);
        fc.pre(more.warnings.some((one) => one.code === 'periodUnused' && one.period === what.periods.length));
        expect({ steps: more.steps, lit: more.lit }).toEqual({ steps: night.steps, lit: night.lit });
      }),
    );
  });
});

describe('a plan at an instant', () => {
  it('has the level of the last step of the night that is under way, and none outside', () => {
    fc.assert(
      fc.property(plans, instants, (plan, at) => {
        const { day } = lightingDay(plan.place, at);
        // Nights that overlap: the later one holds.
        const night = [1, 0, -1]
          .map((ahead) => nightOf(plan, addDays(day, ahead)))
          .find(({ on, off }) => on !== null && off !== null && on <= at && at < off);
        expect(levelAt(plan, at)).toBe(night?.steps.findLast((step) => step.at <= at)?.level ?? 0);
      }),
    );
  });

  it('changes next where its level does, and nowhere before', () => {
    fc.assert(
      fc.property(plans, instants, (plan, at) => {
        const next = nextChange(plan, at);
        const level = levelAt(plan, at);
        const end = next ?? at + 72 * hour;
        for (let part = 1; part < 20; part++) expect(levelAt(plan, at + ((end - at - 1) * part) / 20)).toBe(level);
        if (next !== null) expect(levelAt(plan, next)).not.toBe(level);
        const change = nextSwitch(plan, at);
        if (change) {
          expect(levelAt(plan, change.at) > 0).toBe(change.to === 'on');
          expect(levelAt(plan, change.at - 1) > 0).toBe(change.to === 'off');
          expect(level > 0).toBe(change.to === 'off');
        }
      }),
    );
  });

  it('cuts a span into levels without a gap, the lit ones as `litBetween` has them', () => {
    fc.assert(
      fc.property(plans, instants, fc.integer({ min: 1, max: 80 * 60 }), (plan, from, minutes) => {
        const to = from + minutes * minute;
        const levels = levelsBetween(plan, from, to);
        expect(levels[0]?.from).toBe(from);
        expect(levels.at(-1)?.to).toBe(to);
        for (const [index, span] of levels.entries()) {
          if (index > 0) expect(span.from).toBe(levels[index - 1]?.to);
          expect(levelAt(plan, span.from)).toBe(span.level);
          expect(levelAt(plan, span.to - 1)).toBe(span.level);
        }
        const sum = (spans: readonly { from: number; to: number }[]) =>
          spans.reduce((all, span) => all + span.to - span.from, 0);
        expect(sum(litBetween(plan, from, to))).toBe(sum(levels.filter(({ level }) => level > 0)));
      }),
    );
  });

  it('cuts a span alike, whatever was asked before', () => {
    const spans = fc.array(fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: 0, max: 300 })), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(plans, instants, spans, (plan, at, asked) => {
        for (const [ahead, hours] of asked) {
          const [from, to] = [at + ahead * hour, at + (ahead + hours) * hour];
          expect(levelsBetween(plan, from, to)).toEqual(levelsBetween({ ...plan }, from, to));
        }
      }),
    );
  });

  it('has a year of nights that meet without gap or overlap at noon', () => {
    // From noon to noon: what a day has too much or too little shows at its ends.
    const plan = (where: typeof hangzhou) => everyNight(where, programme('12:00', '11:59+1', ['on 80', '00:00 30']));
    for (const where of zones) {
      const always = plan(where);
      const [from, to] = [wall('2026-01-01', '12:00', where), wall('2027-01-01', '12:00', where)];
      expect(litBetween(always, from, to)).toEqual([{ from, to }]);
      const nights = Array.from({ length: 365 }, (_, count) => nightOf(always, addDays('2026-01-01', count)));
      for (const [index, night] of nights.entries()) if (index > 0) expect(night.on).toBe(nights[index - 1]?.off);
      expect(dayNumber(nights.at(-1)?.day ?? '') - dayNumber('2026-01-01')).toBe(364);
    }
  });

  it('is told as a table that makes the same night, to the minute', () => {
    const levelOf = ({ on, off, steps }: Night, at: number) =>
      on === null || off === null || at < on || at >= off ? 0 : (steps.findLast((step) => step.at <= at)?.level ?? 0);
    fc.assert(
      fc.property(plans, days, (plan, day) => {
        const night = nightOf(plan, day);
        const { from, to } = lightingDayOf(plan.place, day);
        // A wall-clock time that comes twice is its first.
        fc.pre(to - from === 24 * hour);
        const again = nightOf(planOfTable(plan.place, tableOf(plan, day)), day);
        // Rounded to minutes, a dark stretch may become too short to be made.
        const shortDark = night.lit.flatMap((span, index) => {
          const before = night.lit[index - 1];
          return before && span.from - before.to < 6 * minute ? [{ from: before.to, to: span.from }] : [];
        });
        for (let at = from - 4 * hour; at < to + 4 * hour; at += 10 * minute) {
          const isNear = night.steps.some((step) => Math.abs(step.at - at) <= minute);
          if (!isNear && !shortDark.some((span) => span.from <= at && at < span.to))
            expect(levelOf(again, at)).toBe(levelOf(night, at));
        }
      }),
    );
  });
});

describe('the table of a lamp', () => {
  const plan = planOfTable(hangzhou, defaultTable);

  it('switches at sunset and sunrise, and says so from both sides', () => {
    const { onAt, offAt } = switchTimes(plan, '2026-11-30');
    expect(nextSwitch(plan, wall('2026-11-30', '12:00', hangzhou))).toEqual({ at: onAt, to: 'on' });
    expect(nextSwitch(plan, wall('2026-11-30', '23:00', hangzhou))).toEqual({ at: offAt, to: 'off' });
    expect(nextSwitch(plan, onAt ?? 0)).toEqual({ at: offAt, to: 'off' });
  });

  it('is not switched by a step of its level', () => {
    const dimmed = planOfTable(hangzhou, [
      { at: 'sunset', offsetMinutes: 0, level: 100 },
      { at: '23:00', offsetMinutes: 0, level: 60 },
      { at: 'sunrise', offsetMinutes: 0, level: 0 },
    ]);
    const { offAt } = switchTimes(dimmed, '2026-11-30');
    const evening = wall('2026-11-30', '21:00', hangzhou);
    expect(nextChange(dimmed, evening)).toBe(wall('2026-11-30', '23:00', hangzhou));
    expect(nextSwitch(dimmed, evening)).toEqual({ at: offAt, to: 'off' });
  });

  it('yields to a manual state until its end, and not after it', () => {
    const night = wall('2026-11-21', '21:00', hangzhou);
    const manual = { level: 0, until: night + hour };
    expect(nextChange(plan, night, manual)).toBe(night + hour);
    expect(nextChange(plan, night, { level: 30, until: null })).toBeNull();
  });

  it('has no switch in polar night and polar day', () => {
    const polar = planOfTable(tromso, defaultTable);
    expect(levelAt(polar, Date.parse('2026-12-21T11:00:00Z'))).toBe(100);
    expect(levelAt(polar, Date.parse('2026-06-21T23:00:00Z'))).toBe(0);
    expect(nextSwitch(polar, Date.parse('2026-12-21T11:00:00Z'))).toBeNull();
    expect(nextSwitch(polar, Date.parse('2026-06-21T23:00:00Z'))).toBeNull();
  });

  it('burns all day where no point is dark, and never where none has light', () => {
    const [always, never] = [
      [{ at: '00:00', offsetMinutes: 0, level: 70 }],
      [{ at: 'sunrise', offsetMinutes: 0, level: 0 }],
    ];
    for (let at = wall('2026-11-20', '00:00', hangzhou), end = at + 72 * hour; at < end; at += hour) {
      expect(levelAt(planOfTable(hangzhou, always), at)).toBe(70);
      expect(levelAt(planOfTable(hangzhou, never), at)).toBe(0);
    }
  });

  it('is told for this night by the clock where a table has no word for it', () => {
    const what = programme('dusk', 'sunrise+5', ['on 100', '23:00 60', 'middle+15 30', '12:30 80']);
    expect(tableOf(everyNight(hangzhou, what), '2026-11-21')).toEqual([
      { at: '17:26', offsetMinutes: 0, level: 80 },
      { at: '23:00', offsetMinutes: 0, level: 60 },
      { at: '00:16', offsetMinutes: 0, level: 30 },
      { at: 'sunrise', offsetMinutes: 5, level: 0 },
    ]);
    const dark = everyNight(tromso, programme('sunset', 'sunrise', ['on 100']));
    expect(tableOf(dark, '2026-06-21').every(({ level }) => level === 0)).toBe(true);
  });
});
