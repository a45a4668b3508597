import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { writePlanReports } from './plan-reports.store.ts';

const { db } = await testDatabase();

it('what is found of a device while its report is stored stays, unless it says that it can something else', async () => {
  const at = new Date('2026-11-23T12:00:00+08:00');
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (1, 'A', 'A')`.execute(db);
  const now = { plan: { programmes: 8 } };
  const cases = [
    { id: 1, says: undefined, kept: { ...now, foundBytes: 2000 } },
    { id: 2, says: JSON.stringify(now), kept: { ...now, foundBytes: 2000 } },
    { id: 3, says: '{"plan": {"programmes": 16}}', kept: { plan: { programmes: 16 } } },
  ];
  for (const { id } of cases) {
    await sql`INSERT INTO device (id, family, work_area_id, equipment_code)
      VALUES (${id}, 'single-lamp-controller', 1, ${`L${id}`})`.execute(db);
    await sql`INSERT INTO plan_report (device_id, plan_hash, capabilities, reported_at)
      VALUES (${id}, 'a', ${JSON.stringify(now)}::jsonb, ${at})`.execute(db);
  }
  const report = ({ id, says }: (typeof cases)[number]) => {
    return { deviceId: id, planHash: 'b', capabilities: says, clockAt: undefined, live: true };
  };
  const stored = await db.transaction().execute(async (finding) => {
    await sql`UPDATE plan_report SET capabilities = capabilities || '{"foundBytes": 2000}'`.execute(finding);
    // In an object, as a promise that is handed back would be awaited before the end of what was found.
    const storing = { all: db.transaction().execute((tx) => writePlanReports(tx, cases.map(report), at)) };
    await expect
      .poll(
        async () =>
          (await sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`.execute(db)).rows.length,
        { timeout: 10_000 },
      )
      .toBe(1);
    return storing;
  });
  expect(await stored.all).toEqual([1, 2, 3]);
  const { rows } = await sql`SELECT device_id AS id, plan_hash AS hash, capabilities AS kept FROM plan_report
    ORDER BY device_id`.execute(db);
  expect(rows).toEqual(cases.map(({ id, kept }) => ({ id, hash: 'b', kept })));
});
