import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { getPublicationRoads } from '../../../../contract/light/publication-roads.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { publishingOffice } from './testing/office.ts';

const office = await publishingOffice();
const { db, publish, call, publisher, app } = office;
type Lines = ReplyOf<typeof getPublicationRoads>;
type Point = readonly [number, number];

const linesOf = async (id: number, token = publisher.token) =>
  call<Lines & { code: number }>(`/api/v1/publications/${id}/roads`, { token });
const place = (id: number, [longitude, latitude]: Point, roadId: number | null) =>
  sql`UPDATE device SET longitude = ${longitude}, latitude = ${latitude}, road_id = ${roadId} WHERE id = ${id}`.execute(
    db,
  );
let roads = 100;
async function road(): Promise<number> {
  roads += 1;
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (${roads}, 1, ${`L-${roads}`}, '弯路')`.execute(
    db,
  );
  return roads;
}
async function published(lamps: readonly number[]): Promise<number> {
  const { body, status } = await publish(lamps);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}
const lineOn = ({ body }: { readonly body: Lines }, roadId: number): Point[] =>
  (body.roads.find((one) => one.roadId === roadId)?.line ?? []).map(([x, y]) => [x, y] as const);

it('lie along the main axis of their lamps, from one end to the other', async () => {
  const id = await road();
  const lamps = await office.lamps(40);
  // Two sides of a road to the north-east, in no order.
  for (const [n, lamp] of lamps.entries()) {
    const k = (n * 17) % 40;
    await place(lamp, [120.2 + k * 0.0004 + (k % 2) * 0.0001, 30.2 + k * 0.0003], id);
  }
  const line = lineOn(await linesOf(await published(lamps)), id);
  expect(line.length).toBe(10);
  const way = line.map(([x]) => x);
  expect([way.toSorted((a, b) => a - b), way.toSorted((a, b) => b - a)]).toContainEqual(way);
  for (const [x, y] of line) expect(Math.abs((y - 30.2) / (x - 120.2) - 0.75)).toBeLessThan(0.1);
  const ends = [Math.min(...way), Math.max(...way)];
  expect(ends[0]).toBeLessThan(120.201);
  expect(ends[1]).toBeGreaterThan(120.2148);
});

it('follow the longer row where lamps stand in rows: a ring stays a ring', async () => {
  const id = await road();
  const lamps = await office.lamps(12);
  for (const [n, lamp] of lamps.entries()) {
    const angle = (n / 12) * 2 * Math.PI;
    await place(lamp, [120.3 + Math.cos(angle) * 0.01, 30.3 + Math.sin(angle) * 0.01], id);
    const { rows } = await sql<{ id: number }>`INSERT INTO device (family, work_area_id, equipment_code, road_id)
      VALUES ('lamp-pole', 1, ${`RING-${n}`}, ${id}) RETURNING id`.execute(db);
    const pole = rows[0]?.id ?? 0;
    await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${lamp}`.execute(db);
    await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, keep, junction, source, updated_at)
      VALUES (${pole}, ${id}, 'left', ${n}, 12, false, false, 'auto', now())`.execute(db);
  }
  const line = lineOn(await linesOf(await published(lamps)), id);
  expect(line.length).toBe(12);
  for (const [n, [x, y]] of line.entries()) {
    expect(x).toBeCloseTo(120.3 + Math.cos((n / 12) * 2 * Math.PI) * 0.01, 5);
    expect(y).toBeCloseTo(30.3 + Math.sin((n / 12) * 2 * Math.PI) * 0.01, 5);
  }
});

it('of one lamp are one point; lamps of no road or place are on no line', async () => {
  const id = await road();
  const [lamp = 0, homeless = 0, lost = 0] = await office.lamps(3);
  await place(lamp, [120.21, 30.21], id);
  await place(homeless, [120.21, 30.21], null);
  await sql`UPDATE device SET longitude = NULL, latitude = NULL, road_id = ${id} WHERE id = ${lost}`.execute(db);
  const { body } = await linesOf(await published([lamp, homeless, lost]));
  expect(body).toEqual({ roads: [{ roadId: id, line: [[120.21, 30.21]] }], without: 2 });
});

it('are made of the lamps that the reader sees; who sees none is refused', async () => {
  const [here, there] = [await road(), await road()];
  const [lamp = 0, other = 0] = await office.lamps(2);
  await place(lamp, [120.21, 30.21], here);
  await place(other, [120.22, 30.22], there);
  const id = await published([lamp, other]);
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '乙区'), (3, 'A3', '丙区')`.execute(db);
  await sql`UPDATE device SET work_area_id = 2 WHERE id = ${other}`.execute(db);
  const half = await app.signIn({ username: 'half', permissions: ['plan.query'], workAreas: [2] });
  const nobody = await app.signIn({ username: 'none', permissions: ['plan.query'], workAreas: [3] });
  expect((await linesOf(id, half.token)).body).toEqual({
    roads: [{ roadId: there, line: [[120.22, 30.22]] }],
    without: 0,
  });
  const refused = await linesOf(id, nobody.token);
  expect(refused.status).toBe(403);
  expect((await linesOf(99_999)).status).toBe(404);
});
