import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanAbilities } from '../../../../catalogue/lighting/plan/ability.ts';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { planOfTable, type TablePoint } from '../../../../catalogue/lighting/plan/table.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { givenArea, givenCredentials, givenDevice } from '../../testing/devices.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { assign, createLampPlans, createToldSettings, expectedHash, hashOf } from './index.ts';

// Wednesday 25 November 2026, 20:00 in Hangzhou.
const start = Date.parse('2026-11-25T12:00:00Z');
const wall = (text: string) => Date.parse(`${text}+08:00`);
const dayMs = 86_400_000;
const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const clock = testClock(new Date(start));
const bus = await startBus(database.connection, log);
const plans = createLampPlans(bus);
const told = createToldSettings(db, plans);
beforeAll(() => givenArea(db));
afterAll(async () => {
  plans.stop();
  await bus.stop();
});

let counted = 0;
async function follow(deviceIds: readonly number[], content: SchemeContent, fromDay = '2026-11-25'): Promise<void> {
  counted += 1;
  const { rows } = await sql<{ id: number }>`
    WITH item AS (INSERT INTO scheme (code, name) VALUES (${`S-${counted}`}, '方案') RETURNING id)
    INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
    SELECT id, 1, ${JSON.stringify(content)}::jsonb, ${String(counted)}, 'test', ${clock.now()} FROM item
      RETURNING id`.execute(db);
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds,
      schemeVersionIds: deviceIds.map(() => rows[0]?.id ?? 0),
      templateVersionIds: deviceIds.map(() => null),
      ...{ fromDay, publicationId: null, by: 'test', at: clock.now() },
    }),
  );
}
const all: PlanAbilities = { periods: 6, calendar: true, light: false, cycle: true };
const says = (id: number, plan: PlanAbilities) =>
  sql`INSERT INTO plan_report (device_id, capabilities) VALUES (${id}, ${JSON.stringify({ plan })}::jsonb)`.execute(db);
/** 60 % from 23:00 on workdays, 80 % at the weekend. */
const weekly = exampleScheme(60);
const everyDay: SchemeContent = {
  ...weekly,
  programmes: weekly.programmes.slice(0, 1),
  calendar: { rules: [], default: 1 },
};
const alternate: SchemeContent = {
  ...everyDay,
  mode: 'alternateOne',
  programmes: [
    {
      key: 1,
      name: '平日',
      programme: {
        ...exampleProgramme(),
        periods: [
          { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
          { start: { at: '23:00', offsetMinutes: 0 }, level: 60, pattern: 'alternateOne', rampSeconds: 0 },
        ],
      },
    },
  ],
};
/** The level of the table for after 23:00. */
const lateOf = async (id: number, at: number) => {
  const { table } = (await told.of([id], at)).get(id) ?? expect.fail('settings');
  const plan = (await plans.of(db, [id], at)).get(id) ?? expect.fail('a plan');
  return levelAt(planOfTable(plan.place, table), wall('2026-11-29T00:30'));
};

describe('a device that said what it can', () => {
  it.each([
    ['no calendar', weekly, { ...all, calendar: false }, 80],
    ['fewer periods', weekly, { ...all, periods: 1 }, 80],
    ['all that the plan asks for', weekly, { ...all, periods: 2, cycle: false }, 60],
  ])(
    'is told the table of the coming night unless it follows the plan by itself: %s',
    async (_name, scheme, can, late) => {
      const lamp = await givenDevice(db);
      await follow([lamp], scheme);
      await says(lamp, can);
      // A Saturday. What stays the same for who follows the plan is its usual programme.
      expect([await lateOf(lamp, wall('2026-11-28T11:29')), await lateOf(lamp, wall('2026-11-28T11:30'))]).toEqual([
        60,
        late,
      ]);
    },
  );

  it('is sent no plan that is larger than what it takes, and one that fits', async () => {
    const [small, large] = [await givenDevice(db), await givenDevice(db)];
    await follow([small, large], weekly);
    for (const [id, messageBytes] of [
      [small, 1024],
      [large, 16_384],
    ] as const)
      await sql`INSERT INTO plan_report (device_id, capabilities)
        VALUES (${id}, ${JSON.stringify({ plan: all, messageBytes })}::jsonb)`.execute(db);
    const settings = await told.of([small, large], wall('2026-11-28T11:30'));
    expect([settings.get(small)?.plan, settings.get(small)?.table[1]?.level]).toEqual([undefined, 80]);
    expect(JSON.stringify(settings.get(small)).length).toBeLessThan(1024);
    expect([settings.get(large)?.plan?.scheme, settings.get(large)?.table[1]?.level]).toEqual([`S-${counted}`, 60]);
  });

  it('runs a plan of one programme without a calendar, and reports it', async () => {
    const [alone, several] = [await givenDevice(db), await givenDevice(db)];
    await follow([alone], everyDay);
    await follow([several], weekly);
    for (const id of [alone, several]) await says(id, { ...all, calendar: false });
    const found = await plans.of(db, [alone, several], start);
    const able = await plans.abilities(db, [alone, several]);
    const hashes = [alone, several].map((id) => {
      const plan = found.get(id) ?? expect.fail('a plan');
      return [expectedHash(plan, able(id), start), hashOf(plan, start)];
    });
    expect(hashes[0]?.[0]).toBe(hashes[0]?.[1]);
    expect(hashes[1]?.[0]).toBeNull();
  });

  it('of a row, without patterns: the table is dark in the lamp’s own turn, night by night', async () => {
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (7, 1, 'R7', '路')`.execute(db);
    const lamps: number[] = [];
    for (let position = 0; position < 8; position += 1) {
      const [pole, lamp] = [await givenDevice(db, { family: 'lamp-pole' }), await givenDevice(db)];
      await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${lamp}`.execute(db);
      await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
        VALUES (${pole}, 7, 'left', ${position}, 8, 'hand')`.execute(db);
      await says(lamp, { ...all, cycle: false });
      lamps.push(lamp);
    }
    await follow(lamps, alternate);
    const seen = new Set<string>();
    for (let at = wall('2026-11-26T12:00'); at < start + 16 * dayMs; at += dayMs) {
      const [settings, found] = [await told.of(lamps, at), await plans.of(db, lamps, at)];
      const row = lamps.map((id) => {
        const plan = found.get(id) ?? expect.fail('a plan');
        const table: readonly TablePoint[] = settings.get(id)?.table ?? [];
        const own = planOfTable(plan.place, table);
        for (let hours = 0; hours < 24; hours += 0.5)
          expect(levelAt(own, at + hours * 3_600_000)).toBe(levelAt(plan, at + hours * 3_600_000));
        return levelAt(own, at + 12.5 * 3_600_000);
      });
      seen.add(row.join(' '));
    }
    // One week the one half of the row, the next week the other.
    expect(seen.size).toBe(2);
  });
});

describe('the table of the coming night', () => {
  it('is told in twenty slices from half past eleven on, each device once, and only where it is another', async () => {
    clock.set(new Date(wall('2026-11-28T11:20')));
    const lamps: number[] = [];
    while (lamps.length < 40) {
      const lamp = await givenDevice(db);
      await givenCredentials(db, lamp);
      lamps.push(lamp);
    }
    const [same = 0, able = 0, ...rest] = lamps;
    const [relay = 0, ahead = 0] = rest;
    await follow([same], everyDay);
    await follow([able, ...rest], weekly);
    for (const id of [able, relay, ahead]) await says(id, all);
    await sql`UPDATE device SET props = props || '{"type":"switch"}' WHERE id = ${relay}`.execute(db);
    // Until Monday it does as before, and has the old plan no more.
    await follow([ahead], everyDay, '2026-11-30');
    const sent: { readonly id: number; readonly minute: number; readonly late: number | undefined }[] = [];
    const settings = createDeviceSettings({
      db,
      clock,
      bus,
      plans: told,
      log,
      link: {
        problem: () => null,
        set: async ({ deviceId }, message) => {
          const minute = (clock.now().getTime() - wall('2026-11-28T11:00')) / 60_000;
          if (lamps.includes(deviceId)) sent.push({ id: deviceId, minute, late: message?.table.at(1)?.level });
          return undefined;
        },
      },
    });
    const stop = settings.start();
    await clock.advance(9 * 60_000);
    expect(sent.map(({ late }) => late)).toEqual(lamps.map(() => 60));
    sent.length = 0;
    await clock.advance(35 * 60_000);
    expect(sent.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(rest);
    expect(new Set(sent.map(({ late }) => late))).toEqual(new Set([80]));
    const minutes = sent.map(({ minute }) => minute);
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(30);
    expect(Math.max(...minutes)).toBeLessThanOrEqual(52);
    // Neighbouring ids fall into different slices: nobody is told with all the others.
    for (const minute of minutes) expect(minutes.filter((one) => one === minute).length).toBeLessThanOrEqual(2);
    stop();
  });
});
