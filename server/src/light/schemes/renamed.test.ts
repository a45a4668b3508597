import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { givenDevice } from '../../testing/devices.ts';
import { createLampPlans, hashOf } from '../plans/index.ts';
import { path, schemeOffice, type Scheme } from './testing/office.ts';

const { app, call, db, frozen } = await schemeOffice();

test('a scheme that is renamed is no other plan: what devices were told keeps its hash', async () => {
  const { id, version } = await frozen();
  const lamp = await givenDevice(db, { workAreaId: 20, roadId: null });
  await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
    SELECT ${lamp}, v.id, '2025-01-01', 'test', now() FROM scheme_version v
    WHERE v.scheme_id = ${id} AND v.number = ${version.number}`.execute(db);
  const now = Date.now();
  // Each time as a process that has just begun.
  const hash = async () => {
    const plans = createLampPlans(app.bus);
    const plan = (await plans.of(db, [lamp], now)).get(lamp);
    plans.stop();
    return plan && hashOf(plan, now);
  };
  const told = await hash();
  expect(told).toMatch(/^[0-9a-f]{12}$/);
  const row = (await call<Scheme>(`${path}/${id}`)).body;
  const renamed = { version: row.version, code: `${row.code}-X`, name: '新名称' };
  expect((await call(`${path}/${id}`, { method: 'PUT', body: renamed })).status).toBe(200);
  expect(await hash()).toBe(told);
  await sql`DELETE FROM plan_assignment WHERE device_id = ${lamp}`.execute(db);
});
