import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import fc from '../../testing/properties.ts';
import { planLimits } from '../limits.ts';
import { addDays } from '../zone.ts';
import { compactPlan, planFromCompact, type CompactPlan, type PlanSource } from './compact.ts';
import { levelAt } from './lamp-plan.ts';
import { noRole, patterns, rotations, sunAnchors, type LampPlan, type LampRole, type Programme } from './programme.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const places = [
  { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 },
  { latitude: 69.65, longitude: 18.96, timeZone: 'Europe/Oslo', sunOffsetMinutes: 0 },
  { latitude: -31.55, longitude: 159.08, timeZone: 'Australia/Lord_Howe', sunOffsetMinutes: 0 },
];
const whole = ({ min, max }: { min: number; max: number }) => fc.integer({ min, max });
const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
const offsetMinutes = fc.oneof(fc.constant(0), whole(planLimits.offsetMinutes));
const anchor = fc.record({ at: fc.oneof(fc.constantFrom(...sunAnchors, 'middle'), clock), offsetMinutes });
const switching = fc.record({
  at: fc.oneof(fc.constantFrom(...sunAnchors), clock),
  offsetMinutes,
  notBefore: fc.option(clock),
  notAfter: fc.option(clock),
  light: fc.option(
    fc.record({
      lux: whole(planLimits.lux),
      sensitivity: fc.option(whole(planLimits.sensitivity)),
      beforeMinutes: whole(planLimits.lightWindowMinutes),
      afterMinutes: whole(planLimits.lightWindowMinutes),
      delayMinutes: whole(planLimits.lightDelayMinutes),
    }),
  ),
});
const period = fc.record({
  start: anchor,
  level: whole(planLimits.level),
  pattern: fc.constantFrom(...patterns),
  rampSeconds: fc.oneof(fc.constant(0), whole(planLimits.rampSeconds)),
});
const programme: fc.Arbitrary<Programme> = fc
  .record({
    on: switching,
    off: switching,
    minimumMinutes: whole(planLimits.minimumMinutes),
    periods: fc.array(period, { minLength: 1, maxLength: 6 }),
  })
  .map(({ periods: [first, ...others], ...rest }) => ({
    ...rest,
    periods: first ? [{ ...first, start: 'on' }, ...others] : [],
  }));
const role: fc.Arbitrary<LampRole> = fc.oneof(
  fc.record({ minLevel: whole(planLimits.minLevel) }).map(({ minLevel }) => ({ ...noRole, minLevel })),
  fc.record({
    position: fc.integer({ min: 0, max: 60 }),
    rowLength: fc.integer({ min: 1, max: 61 }),
    right: fc.boolean(),
    keep: fc.boolean(),
    minLevel: whole(planLimits.minLevel),
    rotation: fc.constantFrom(...rotations),
  }),
);
const first = '2026-11-23';
const source: fc.Arbitrary<PlanSource> = fc
  .record({
    programmes: fc.array(programme, { minLength: 1, maxLength: 8 }),
    spans: fc.array(fc.record({ gap: fc.nat(20), length: fc.nat(10), of: fc.nat(7) }), { maxLength: 20 }),
    role,
  })
  .map(({ programmes, spans, role: own }) => {
    let day = first;
    return {
      scheme: 'JN-03',
      version: 7,
      from: first,
      programmes: programmes.map((one, index) => ({ key: index * 3 + 1, programme: one })),
      default: 1,
      days: spans.map(({ gap, length, of }) => {
        const from = addDays(day, gap);
        const to = addDays(from, length);
        day = addDays(to, 1);
        return { from, to, programme: (of % programmes.length) * 3 + 1 };
      }),
      role: own,
    };
  });

/** What the server itself follows. */
function planOf({ programmes, days, default: usual, role: own }: PlanSource, place: LampPlan['place']): LampPlan {
  const byKey = new Map(programmes.map(({ key, programme: one }) => [key, one]));
  return {
    place,
    role: own,
    programmeOn: (day) => {
      const key = days.find(({ from, to }) => from <= day && day <= to)?.programme ?? usual;
      return byKey.get(key) ?? expect.fail(`no programme ${key}`);
    },
  };
}

it('makes of every plan a message, and of the message the same levels at every instant', () => {
  fc.assert(
    fc.property(
      source,
      fc.constantFrom(...places),
      fc.array(fc.integer({ min: 0, max: 400 * 1440 }), { minLength: 5, maxLength: 12 }),
      (given, place, minutes) => {
        // Over the wire and back: nothing that JSON would lose.
        const message = JSON.parse(JSON.stringify(compactPlan(given, digest))) as CompactPlan;
        const [server, device] = [planOf(given, place), planFromCompact(message, place)];
        for (const minute of minutes) {
          const at = Date.parse(`${first}T12:00:00Z`) + minute * 60_000;
          const day = addDays(first, Math.floor(minute / 1440));
          expect(device.programmeOn(day)).toEqual(server.programmeOn(day));
          expect(levelAt(device, at)).toBe(levelAt(server, at));
        }
      },
    ),
  );
});

it('has one hash for one content, and another for another place in the row', () => {
  fc.assert(
    fc.property(source, (given) => {
      const { hash } = compactPlan(given, digest);
      expect(hash).toMatch(/^[0-9a-f]{12}$/);
      const { from, role: own, ...others } = given;
      expect(compactPlan({ role: own, ...others, from }, digest).hash).toBe(hash);
      const moved = { ...own, position: (own.position ?? 0) + 1, rowLength: 62 };
      expect(compactPlan({ ...given, role: moved }, digest).hash).not.toBe(hash);
    }),
  );
});

it('goes by what it had before until the first day of the plan', () => {
  const [dim, full] = [30, 100].map((level): Programme => ({
    on: { at: 'sunset', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
    off: { at: 'sunrise', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
    minimumMinutes: 0,
    periods: [{ start: 'on', level, pattern: 'all', rampSeconds: 0 }],
  }));
  if (!dim || !full) expect.fail('two programmes');
  const message = compactPlan(
    {
      scheme: 'A',
      version: 1,
      from: first,
      programmes: [{ key: 1, programme: dim }],
      default: 1,
      days: [],
      role: noRole,
    },
    digest,
  );
  const plan = planFromCompact(message, places[0] ?? expect.fail('a place'), full);
  expect(plan.programmeOn(addDays(first, -1))).toBe(full);
  expect(plan.programmeOn(first)).toEqual(dim);
  expect(planFromCompact({ ...message, default: 9 }, plan.place).programmeOn(first).periods).toMatchObject([
    { level: 100 },
  ]);
});
