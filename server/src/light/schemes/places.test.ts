import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { listSchemePlaces } from '../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { publishingOffice } from '../publications/testing/office.ts';

const office = await publishingOffice();
const { app, db, publish, turn } = office;
const places = async (token = office.publisher.token) =>
  (await office.call<ReplyOf<typeof listSchemePlaces>>(`/api/v1/schemes/${office.schemeId}/places`, { token })).body
    .data;
const along = async (count: number) => {
  const lamps = await office.lamps(count);
  await sql`UPDATE device SET road_id = 7 WHERE id = ANY(${lamps}::bigint[])`.execute(db);
  return lamps;
};

test('lamps that come to a road after it was published are named until they follow too', async () => {
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
    VALUES (7, 1, 'R7', '滨江大道', 'lane')`.execute(db);
  const first = await along(3);
  const { status, body } = await publish([], { scope: { roadIds: [7] }, canary: { count: 1 } });
  expect(status, JSON.stringify(body)).toBe(201);
  await turn();
  // What waits for its turn in the publication is not left out.
  expect(await places()).toEqual([]);
  // Those that came since are named at once, while the others are still on their way.
  const [late = 0, other = 0] = await along(2);
  expect(await places()).toEqual([
    { kind: 'road', id: 7, name: '滨江大道', following: 3, others: 2, deviceIds: [late, other] },
  ]);
  // One that is being given another scheme will not be on it, one that is being given this one will.
  const another = await office.version('scheme', exampleScheme(80));
  expect((await publish([late], { schemeId: another })).status).toBe(201);
  expect((await places())[0]).toMatchObject({ following: 3, others: 2 });
  expect((await publish([other])).status).toBe(201);
  expect((await places())[0]).toMatchObject({ following: 4, others: 1, deviceIds: [late] });
  await sql`UPDATE device SET road_id = NULL WHERE id = ANY(${[late, other]}::bigint[])`.execute(db);
  await sql`UPDATE publication_item SET open = false`.execute(db);
  const told = await sql<{ id: number }>`SELECT device_id AS id FROM plan_assignment`.execute(db);
  const later = await along(2);
  const [following] = told.rows.map(({ id }) => id);
  const others = [...first.filter((id) => id !== following), ...later].toSorted((a, b) => a - b);
  expect(await places()).toEqual([
    { kind: 'road', id: 7, name: '滨江大道', following: 1, others: 4, deviceIds: others },
  ]);
  await sql`UPDATE device SET enabled = false WHERE id = ${others[0]}`.execute(db);
  expect((await places())[0]).toMatchObject({ others: 3, deviceIds: others.slice(1) });
  const elsewhere = await app.signIn({ username: 'elsewhere', permissions: ['plan.query'], workAreas: [] });
  expect(await places(elsewhere.token)).toEqual([]);

  // Places that are foreign take no room from those that are seen, however many there are.
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'F', '别处')`.execute(db);
  const foreign = await sql<{ id: number }>`INSERT INTO road (id, work_area_id, road_code, road_name)
    SELECT n, 2, 'F' || n, 'A' || n FROM generate_series(1000, 1999) n RETURNING id`.execute(db);
  const named = [...foreign.rows.map(({ id }) => id), 7];
  await sql`UPDATE publication SET scope = ${JSON.stringify({ roadIds: named })}::jsonb`.execute(db);
  expect(await places()).toMatchObject([{ kind: 'road', id: 7, others: 3 }]);

  // More than one publication takes are counted.
  await sql`INSERT INTO device (family, work_area_id, equipment_code, road_id)
    SELECT 'single-lamp-controller', 1, 'MANY-' || n, 7 FROM generate_series(1, 20000) n`.execute(db);
  expect(await places()).toMatchObject([{ id: 7, following: 1, others: 20_003, deviceIds: [] }]);
});
