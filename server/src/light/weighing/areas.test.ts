import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { createRecords, recordsRoutes } from '../../register/records/index.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { createRegisterWeighing } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-areas-'));
const keys = openKeys(join(folder, 'secret.key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const office = await publishingOffice((parts) =>
  recordsRoutes(createRecords({ ...parts, keys, weighing: createRegisterWeighing(parts) })),
);
const { app, db, call, clock, publish, turn } = office;
const policy = (approvalAbove: number) =>
  sql`INSERT INTO setting (name, value) VALUES ('commands.settings', ${JSON.stringify({ policy: { approvalAbove } })}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db);
const here = { latitude: 30.25, longitude: 120.2 };
beforeEach(async () => {
  clock.set(new Date(noon));
  await policy(200);
  await sql`UPDATE work_area SET time_zone = 'Asia/Shanghai', latitude = ${here.latitude},
    longitude = ${here.longitude} WHERE id = 1`.execute(db);
  app.bus.publish('settings.changed', { workAreaId: 1 });
});

interface Answer {
  readonly code: number;
  readonly count: number;
  readonly darkens: number;
  readonly timeZone: string;
  readonly answer: { readonly darkens: number };
}
const save = (body: object, query = '') => call<Answer>(`/api/v1/records/work-area/1${query}`, { method: 'PUT', body });
/** In Tokyo it is 23:00 an hour before it is in Shanghai: from then on lamps have 60 %. */
const tokyo = { timeZone: 'Asia/Tokyo' };

describe('the time zone of a project', () => {
  it('moves the clock steps of its lamps: says how many get darker, and asks for their number above the limit', async () => {
    const lamps = await office.lamps(3);
    expect((await publish(lamps)).status).toBe(201);
    await turn();
    // A lamp without a plan goes by the sun, whatever the clock says.
    await office.lamps(1);
    const tried = await save(tokyo, '?dryRun=1');
    expect([tried.status, tried.body.answer.darkens]).toEqual([200, 3]);
    await policy(2);
    const refused = await save(tokyo);
    expect([refused.status, refused.body.code, refused.body.count]).toEqual([400, 4333, 3]);
    expect((await save({ ...tokyo, confirmCount: 2 })).status).toBe(400);
    const made = await save({ ...tokyo, confirmCount: 3 });
    expect([made.status, made.body.timeZone, made.body.darkens]).toEqual([200, 'Asia/Tokyo', 3]);
    const { rows } = await sql<{ params: string }>`SELECT params FROM operation_log WHERE message = 'work-area.update'
      ORDER BY id DESC LIMIT 1`.execute(db);
    expect(rows[0]?.params).toContain('"darkens":3');
    // What is no change of light is weighed by nobody.
    expect((await save({ workName: '滨江' })).body.darkens).toBeUndefined();
  });

  it('adds up with what the account darkens otherwise, and counts what is on its way', async () => {
    const [now = 0, later = 0] = await office.lamps(2);
    const schemeId = await office.version('scheme', exampleScheme(50));
    for (const [lamp, effectiveFrom] of [
      [now, '2026-11-23'],
      [later, '2026-12-20'],
    ] as const)
      expect((await publish([lamp], { schemeId, effectiveFrom })).status).toBe(201);
    await turn();
    await sql`DELETE FROM darkening`.execute(db);
    const { darkens } = (await save(tokyo, '?dryRun=1')).body.answer;
    expect(darkens).toBeGreaterThanOrEqual(2);
    const [first = 0] = (
      await sql<{ id: number }>`SELECT id FROM account WHERE username = 'admin'`.execute(db)
    ).rows.map(({ id }) => id);
    await sql`INSERT INTO darkening (actor_id, at, cause, lamps)
      VALUES (${first}, ${clock.now()}, 'rows', 4)`.execute(db);
    await policy(darkens + 3);
    const refused = await save(tokyo);
    expect([refused.status, refused.body.count]).toEqual([400, darkens + 4]);
  });
});

describe('the coordinates of a project', () => {
  const all = async () =>
    (
      await sql<{ id: number }>`SELECT d.id FROM device d WHERE d.family = 'single-lamp-controller' AND d.enabled
        AND NOT EXISTS (SELECT FROM plan_assignment a WHERE a.device_id = d.id)`.execute(db)
    ).rows.length;

  it('move the sun of lamps that were given no plan: each change is weighed, seconds darken nobody', async () => {
    await office.lamps(2);
    const west = { ...here, longitude: 60 };
    expect((await save(west, '?dryRun=1')).body.answer.darkens).toBe(await all());
    expect((await save({ ...here, longitude: 120.5 }, '?dryRun=1')).body.answer.darkens).toBe(await all());
    expect((await save({ ...here, longitude: 120.25 }, '?dryRun=1')).body.answer.darkens).toBe(0);
    expect((await save(here, '?dryRun=1')).body.answer.darkens).toBeUndefined();
  });

  it('count lamps without a plan where they are lost or gained', async () => {
    await office.lamps(2);
    const nowhere = { latitude: null, longitude: null };
    await sql`UPDATE device SET latitude = NULL, longitude = NULL WHERE family = 'single-lamp-controller'`.execute(db);
    const darkens = await all();
    expect((await save(nowhere, '?dryRun=1')).body.answer.darkens).toBeGreaterThanOrEqual(darkens);
    await policy(1);
    expect((await save(nowhere)).body.code).toBe(4333);
    await sql`UPDATE work_area SET latitude = NULL, longitude = NULL WHERE id = 1`.execute(db);
    expect((await save(here)).body.code).toBe(4333);
    // Where no sun is known the time of its day is.
    expect((await save(tokyo, '?dryRun=1')).body.answer.darkens).toBeTypeOf('number');
  });

  it('are weighed after what is refused anyway', async () => {
    await policy(0);
    await office.lamps(1);
    const refused = await save({ ...here, longitude: 60, version: 99 });
    expect([refused.status, refused.body.code]).toEqual([409, 1401]);
    expect((await save({ longitude: 200 })).body.code).toBe(1001);
  });
});
