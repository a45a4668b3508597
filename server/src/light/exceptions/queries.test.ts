import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { Caller } from '../../platform/http/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { testDatabase } from '../../testing/database.ts';
import { queryPlans } from '../../testing/query-plans.ts';
import { createLampPlans } from '../plans/index.ts';
import { findLamp } from '../schedules/time-table.store.ts';
import { findStanding, writePlaces } from '../schedules/places.store.ts';
import * as store from './exceptions.store.ts';
import * as reading from './reading.store.ts';

const database = await testDatabase();
const { db } = database;
const plans = queryPlans(database);
const now = new Date('2026-11-23T12:00:00+08:00');
const caller = { accountId: 1, username: 'x', workAreas: [1, 2], workAreaId: null } as unknown as Caller;
const everybody: Caller = { ...caller, workAreas: 'all' };
const ids = Array.from({ length: 500 }, (_none, index) => index + 1);
const large = ['device', 'device_latest', 'plan_report', 'plan_assignment', 'plan_exception_item'];
const filter = { states: undefined, q: undefined, outcomes: undefined, now };
const page = { limit: 50, offset: 100 };

/** 2,000 lamps of four areas, each with settings of its own and 20 exceptions: they stand for 100,000. */
beforeAll(async () => {
  for (const statement of [
    sql`INSERT INTO work_area (id, work_code, work_name, latitude, longitude)
      SELECT n, 'A' || n, 'A' || n, 30.25, 120.2 FROM generate_series(1, 4) n`,
    sql`INSERT INTO device (id, family, work_area_id, equipment_code, latitude, longitude)
      SELECT 10000 + n, 'lamp-pole', 1 + n % 4, 'P' || n, 30.25, 120.2 FROM generate_series(1, 1000) n`,
    sql`INSERT INTO device (id, family, work_area_id, equipment_code, pole_id)
      SELECT n, 'single-lamp-controller', 1 + n % 4, 'L' || n, 10001 + n % 1000 FROM generate_series(1, 2000) n`,
    sql`INSERT INTO scheme (id, code, name, schedule) SELECT n, 'OWN-' || n, 'S', n > 1 FROM generate_series(1, 200) n`,
    sql`INSERT INTO scheme_version (id, scheme_id, number, content, content_hash, created_by, created_at)
      SELECT id, id, 1, ${JSON.stringify(exampleScheme())}::jsonb, 'h', 'x', now() FROM scheme`,
    sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT id, v, '2026-11-01', 'x', now() FROM device d
      CROSS JOIN LATERAL unnest(ARRAY[1, 2 + d.id % 199]) v WHERE d.id <= 2000`,
    sql`INSERT INTO plan_exception (id, scope, from_at, to_at, op, level, reason, state, total, actor_id, actor_name,
        created_at, holds_from, announced, counts, approval)
      SELECT n, '{}', ${now}, ${now}::timestamptz + interval '1 hour', 'set', 80, '检修' || n,
        CASE WHEN n > 390 THEN 'inForce' ELSE 'ended' END, 100, n % 9, 'x', now(), ${now}, true,
        '{"1": {"total": 25, "cannot": 0}, "2": {"total": 25, "cannot": 0}, "3": {"total": 50, "cannot": 0}}',
        CASE n % 50 WHEN 0 THEN '{"approved": true}'::jsonb END FROM generate_series(1, 400) n`,
    sql`INSERT INTO plan_exception_item (exception_id, device_id, cannot)
      SELECT e, 1 + (e * 100 + n) % 2000, CASE WHEN n % 20 = 0 THEN 'periods' END
      FROM generate_series(1, 400) e, generate_series(1, 100) n`,
    sql`INSERT INTO device_latest (device_id, at, received_at, values) SELECT id, now(), now(), '{}' FROM device
      WHERE id <= 2000`,
    sql`INSERT INTO plan_report (device_id, plan_hash, reported_at) SELECT id, 'h', now() FROM device WHERE id <= 2000`,
  ])
    await statement.execute(db);
  await plans.multiply(large, 50);
});

it('lists of exceptions, their lamps and what the job asks look through no table with rows for each lamp', async () => {
  const bad = await plans.scans(large, async (listening) => {
    for (const scope of [caller, everybody]) {
      for (const asked of [filter, { ...filter, q: '检修' }, { ...filter, outcomes: ['agreed'] }]) {
        expect((await reading.findRows(listening, scope, asked, { limit: 50 })).length).toBeLessThanOrEqual(50);
        await reading.countRows(listening, scope, asked);
      }
      await reading.findRows(listening, scope, filter, { limit: 200, before: 200 });
      await reading.findOne(listening, scope, 7).catch(() => undefined);
      await reading.findLampsOf(listening, scope, 7, page);
      await reading.refusePartlySeen(listening, scope, 7).catch(() => undefined);
    }
    await store.findOpen(listening);
    await store.findTargets(listening, 7);
    await store.findLampIds(listening, 7, { after: 500, limit: 500 });
    await store.findRequest(listening, 1, 'none');
  });
  expect([plans.asked > 20, bad]).toEqual([true, []]);
});

it('plans of lamps, time tables and places are read lamp by lamp', async () => {
  const bus = await startBus(database.connection, createLog('silent'));
  const lampPlans = createLampPlans(bus);
  const bad = await plans.scans(large, async (listening) => {
    await lampPlans.of(listening, ids, now.getTime());
    await findLamp(listening, caller, 7);
    await findStanding(listening, caller, ids, false);
    await listening.transaction().execute((tx) => writePlaces(tx, [{ id: 7, latitude: 30.26, longitude: 120.2 }]));
  });
  expect([plans.asked > 4, bad]).toEqual([true, []]);
  // Whether a lamp is excepted at all is looked up as well: by the exceptions first all of them would be read.
  for (const count of [1, 1000]) {
    const some = Array.from({ length: count }, (_none, index) => index + 2);
    const used = await plans.indexesOf('plan_exception_item', (listening) =>
      lampPlans.of(listening, some, now.getTime()),
    );
    expect(used).toEqual(['plan_exception_item_device']);
  }
  lampPlans.stop();
  await bus.stop();
});
