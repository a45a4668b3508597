import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { nightOutcomes } from '../../../../catalogue/lighting/nights.ts';
import { testDatabase } from '../../testing/database.ts';
import { queryPlans } from '../../testing/query-plans.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import { testClock } from '../../testing/clock.ts';
import { createLamps, reportPeriods } from '../lamps/index.ts';
import { findConditions, findGivenAt, findTroubles } from './facts.store.ts';
import { findLastRehearsal, findLastReport } from './metrics.store.ts';
import * as nights from './nights.store.ts';
import * as reading from './reading.store.ts';
import { countAstray, countExceptions, countPublications } from './tonight.store.ts';

const database = await testDatabase();
const { db } = database;
const plans = queryPlans(database);
const day = '2026-11-23';
const key = { workAreaId: 1, day };
const caller = { accountId: 1, workAreas: [1, 2], workAreaId: null } as const;
const everybody = { ...caller, workAreas: 'all' } as const;
const ids = Array.from({ length: 500 }, (_none, index) => index + 1);
/** Tables with rows for each lamp. What is asked for a page never looks through one of them. */
const large = [
  ...['device', 'device_state', 'device_latest', 'plan_report', 'plan_assignment', 'plan_night_lamp'],
  ...['plan_night_dark', 'plan_night', 'publication_item', 'plan_exception_item', 'command_item', 'connection_log'],
  ...['fault_log', 'reading_test'],
];

/** 2,000 lamps of four areas, with 60 nights of which 200 lamps each did not run their plan: they stand for 100,000. */
beforeAll(async () => {
  for (const statement of [
    sql`INSERT INTO work_area (id, work_code, work_name, latitude, longitude)
      SELECT n, 'A' || n, 'A' || n, 30.25, 120.2 FROM generate_series(1, 4) n`,
    sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`,
    sql`INSERT INTO device (id, family, work_area_id, equipment_code, equipment_name, enabled, latitude, longitude,
        rated_watts, created_at)
      SELECT n, 'single-lamp-controller', 1 + n % 4, 'L' || n, '灯' || n, true, 30.25, 120.2, 100, '2026-01-01'
      FROM generate_series(1, 2000) n`,
    sql`INSERT INTO scheme (id, code, name) VALUES (1, 'S', 'S')`,
    sql`INSERT INTO scheme_version (id, scheme_id, number, content, content_hash, created_by, created_at)
      VALUES (1, 1, 1, '{}', 'h', 'x', now())`,
    sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT id, 1, '2026-11-01', 'x', '2026-11-01' FROM device`,
    sql`INSERT INTO device_state (device_id, online, state, since, judged_at)
      SELECT id, true, 'on', now(), now() FROM device`,
    sql`INSERT INTO device_latest (device_id, at, received_at, values) SELECT id, now(), now(), '{"level": 60}' FROM device`,
    sql`INSERT INTO plan_report (device_id, plan_hash, reported_at) SELECT id, 'h', now() FROM device`,
    sql`INSERT INTO reading (at, device_id, received_at, values)
      SELECT '2026-11-23T17:00+08:00'::timestamptz + n * interval '1 hour', id, now(), '{"level": 60}'
      FROM device, generate_series(0, 9) n`,
    sql`INSERT INTO connection_log (device_id, kind, reason, began_at, noticed_at, last_at, ended_at)
      SELECT id, 'offline', 'silent', now() - interval '2 days', now(), now(), now() - interval '1 day' FROM device`,
    sql`INSERT INTO fault_log (device_id, fault, began_at, ended_at)
      SELECT id, 'L101', now() - interval '2 days', now() FROM device`,
    sql`INSERT INTO command (id, command, actor_name) VALUES (1, 'read', 'x')`,
    sql`INSERT INTO command_item (command_id, device_id, state, expires_at, ended_at)
      SELECT 1, id, 'confirmed', now(), now() FROM device`,
    sql`INSERT INTO publication (id, scheme_version_id, scope, effective_from, phase, phase_since, criteria,
        auto_revert, go_on, findings, total, actor_id, actor_name, created_at, ended_at)
      SELECT n, 1, '{}', '2026-11-01', CASE n WHEN 40 THEN 'proving' ELSE 'done' END, now(), '{}', true, false, '[]', 50,
        1, 'x', now(),
        CASE WHEN n < 40 THEN now() END FROM generate_series(1, 40) n`,
    sql`INSERT INTO publication_item (publication_id, device_id, state, open, told_at)
      SELECT p, p * 50 + n, CASE WHEN n = 1 THEN 'diverged' ELSE 'proven' END, p = 40, now()
      FROM generate_series(1, 39) p, generate_series(1, 50) n`,
    sql`INSERT INTO publication_item (publication_id, device_id, state, open)
      SELECT 40, n, 'pending', true FROM generate_series(1, 50) n`,
    sql`INSERT INTO plan_exception (id, scope, from_at, to_at, op, level, reason, state, total, actor_id, actor_name,
        created_at, holds_from, announced)
      SELECT n, '{}', now(), now() + interval '1 hour', 'set', 80, 'x', CASE n WHEN 40 THEN 'inForce' ELSE 'ended' END,
        50, 1, 'x', now(), now(), true FROM generate_series(1, 40) n`,
    sql`INSERT INTO plan_exception_item (exception_id, device_id)
      SELECT p, (p - 1) * 50 + n FROM generate_series(1, 40) p, generate_series(1, 50) n`,
    sql`INSERT INTO plan_night (work_area_id, day, first_on, looked_at, rehearsal, listed_at, lit, report, reported_at,
        counts, command_id)
      SELECT a, ${day}::date - n, now(), now(), 'over', now(), 500, 'done', now(), '{"ran": 450}', 1
      FROM generate_series(1, 4) a, generate_series(0, 59) n`,
    sql`INSERT INTO plan_night_lamp (day, part, work_area_id, device_id, outcome, reason, step_at, expected, observed)
      SELECT ${day}::date - n, part, d.work_area_id, d.id, CASE part WHEN 'report' THEN 'diverged' ELSE 'dark' END,
        'fault', now(), 60, 0
      FROM generate_series(0, 59) n, unnest(ARRAY['report', 'rehearsal']) part, device d WHERE d.id % 10 = n % 10`,
    sql`INSERT INTO plan_night_dark (work_area_id, day, after, lamps)
      SELECT a, ${day}::date - n, 0, ARRAY(SELECT id FROM device WHERE work_area_id = a AND id % 10 = 9)
      FROM generate_series(1, 4) a, generate_series(0, 59) n`,
  ])
    await statement.execute(db);
  await plans.multiply(large, 50);
});

it('what is asked before dusk and counted in the morning finds its lamps by an index', async () => {
  const bad = await plans.scans(large, async (listening) => {
    await nights.findNightLamps(listening, 1, 250, 500);
    await nights.findTheseLamps(listening, ids);
    await nights.findListed(listening, key, 0, 500);
    await nights.findCounted(listening, 1, day);
    await nights.findFirstNight(listening, 1);
    await nights.findQuestions(listening, day, new Date());
    await findConditions(listening, ids, { before: day, commandId: 1 });
    await findGivenAt(listening, ids, day);
    await findTroubles(
      listening,
      ids.map((id) => ({ id, at: Date.parse('2026-11-23T23:00+08:00') })),
    );
    await listening.transaction().execute((tx) => nights.removeListed(tx, key, [3, 7]));
    await nights.pruneNights(listening, '2026-01-01', 50);
  });
  expect([plans.asked > 10, bad]).toEqual([true, []]);
});

it('lists of nights and of their lamps, and what home and /metrics ask, look through no table with rows for each lamp', async () => {
  const page = { limit: 50, offset: 100 };
  const bad = await plans.scans(large, async (listening) => {
    const { days } = await reading.findDays(listening, caller, { limit: 20, offset: 0 });
    expect(days).toHaveLength(20);
    await reading.findNights(listening, caller, days);
    await reading.isNight(listening, day);
    await reading.findLastCounted(listening, caller);
    for (const scope of [caller, everybody]) {
      await reading.countReasons(listening, scope, day);
      const some = { day, part: 'report', reason: undefined, q: undefined } as const;
      const narrowed = [
        { ...some, outcome: undefined, areaId: undefined },
        { ...some, outcome: undefined, areaId: 1, q: '灯7' },
        { ...some, part: 'rehearsal' as const, outcome: undefined, areaId: undefined, reason: 'fault' as const },
        ...nightOutcomes.map((outcome) => ({ ...some, outcome, areaId: 1 })),
      ];
      for (const asked of narrowed) {
        await reading.findLampPage(listening, scope, asked, page);
        await reading.findLampsAfter(listening, scope, asked, { after: 100, limit: 1000 });
        await reading.countLamps(listening, scope, asked);
      }
      await countExceptions(listening, scope);
      await countPublications(listening, scope);
      await countAstray(listening, scope);
      await createLamps({ db: listening, clock: testClock(), periods: reportPeriods() }).ids(visibleDevices(scope), {
        plan: 'astray',
      });
    }
    await findLastRehearsal(listening);
    await findLastReport(listening);
  });
  expect([plans.asked > 40, bad]).toEqual([true, []]);
});
