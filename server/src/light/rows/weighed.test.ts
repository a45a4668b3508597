import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { putRows } from '../../../../contract/light/rows.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { createRowWeighing } from '../weighing/index.ts';
import { rowsRoutes } from './rows.routes.ts';
import { createRows } from './rows.service.ts';

const office = await publishingOffice(({ db, bus, clock, plans }) =>
  rowsRoutes(createRows({ db, bus, clock, weigh: createRowWeighing({ plans, clock }) })),
);
const { app, db, call, clock, publish, turn } = office;
const { token } = await app.signIn({ username: 'editor', permissions: ['plan.edit', 'plan.query'], workAreas: [1] });
const policy = (approvalAbove: number) =>
  sql`INSERT INTO setting (name, value) VALUES ('commands.settings', ${JSON.stringify({ policy: { approvalAbove } })}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db);
beforeEach(async () => {
  clock.set(new Date(noon));
  await policy(200);
});

const alternating = (level = 100, floorExceptions: SchemeContent['floorExceptions'] = []) =>
  office.version('scheme', {
    ...exampleScheme(),
    floorExceptions,
    mode: 'alternateOne',
    programmes: [
      {
        key: 1,
        name: '平日',
        programme: {
          ...exampleProgramme(),
          periods: [{ start: 'on', level, pattern: 'alternateOne', rampSeconds: 0 }],
        },
      },
    ],
    calendar: { rules: [], default: 1 },
  });

/** A row whose poles are all kept lit, and whose lamps follow alternating schemes, those of one part another one. */
async function lit(
  count: number,
  roadClass: string,
  other?: { readonly schemeId: number; readonly lamps: number },
  later?: string,
) {
  const lamps = await givenRow(db, count, roadClass);
  await sql`UPDATE lamp_position SET keep = true WHERE pole_id IN (SELECT pole_id FROM device
    WHERE id = ANY(${lamps}::bigint[]))`.execute(db);
  const { rows } = await sql<{ pole: number; road: number }>`SELECT pole_id AS pole, road_id AS road FROM device
    WHERE id = ANY(${lamps}::bigint[]) ORDER BY id`.execute(db);
  const parts = [
    { schemeId: await alternating(), some: lamps.slice(other?.lamps ?? 0) },
    ...(other ? [{ schemeId: other.schemeId, some: lamps.slice(0, other.lamps) }] : []),
  ];
  for (const { schemeId, some } of parts) {
    const made = await publish(some, { schemeId, ...(later ? { effectiveFrom: later } : {}) });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  if (!later) await turn();
  const poleIds = rows.map(({ pole }) => pole);
  let version = 0;
  const put = async (keep: readonly number[], query = '') => {
    const reply = await call<ReplyOf<typeof putRows> & { code: number; count: number; answer: { darkens: number } }>(
      `/api/v1/rows/${rows[0]?.road}${query}`,
      { method: 'PUT', token, body: { version, rows: [{ side: 'none', poleIds }], keep } },
    );
    if (reply.status === 200 && query === '') version += 1;
    return reply;
  };
  const road = (roadClass: string) =>
    sql`UPDATE road SET road_class = ${roadClass} WHERE id = ${rows[0]?.road}`.execute(db);
  return { lamps, poleIds, put, road };
}

describe('rows that leave lamps dark by their patterns', () => {
  it('say how many, add up, and are refused above what an account may darken alone', async () => {
    const { poleIds, put } = await lit(9, 'lane');
    expect((await put([], '?dryRun=1')).body.answer.darkens).toBe(7);
    await policy(2);
    const refused = await put([]);
    expect([refused.status, refused.body.code, refused.body.count]).toEqual([400, 4330, 7]);
    const without = (...places: number[]) => poleIds.filter((_, place) => !places.includes(place));
    // The end of a row is kept anyway.
    expect((await put(without(0))).body.darkens).toBe(0);
    expect((await put(without(0, 1))).body.darkens).toBe(1);
    expect((await put(without(0, 1, 2))).body.darkens).toBe(1);
    expect((await put(without(0, 1, 2, 3))).status).toBe(400);
    // More light is always welcome.
    expect((await put(poleIds)).body.darkens).toBe(0);
    clock.set(new Date(noon + 11 * 60_000));
    expect((await put(without(0, 3))).body.darkens).toBe(1);
    const { rows } = await sql<{ params: string }>`SELECT params FROM operation_log WHERE message = 'row.order'
      ORDER BY id DESC LIMIT 1`.execute(db);
    expect(rows[0]?.params).toContain('"darkens":1');
  });

  it('are refused below the floor of the road, however few they are', async () => {
    const { poleIds, put } = await lit(9, 'secondary');
    const refused = await put([]);
    expect([refused.status, refused.body.code]).toEqual([400, 4331]);
    expect((await put(poleIds.filter((_, place) => place !== 4))).body.darkens).toBe(1);
  });

  it('are weighed by a pattern that waits for its day', async () => {
    const { poleIds, put, road } = await lit(9, 'lane', undefined, '2026-12-20');
    expect((await put([], '?dryRun=1')).body.answer.darkens).toBe(7);
    await road('secondary');
    const refused = await put([]);
    expect([refused.status, refused.body.code]).toEqual([400, 4331]);
    expect((await put(poleIds.filter((_, place) => place !== 4))).body.darkens).toBe(1);
  });

  it('are ordered beside a lamp whose plan cannot be made any more', async () => {
    const { lamps, put } = await lit(9, 'lane');
    const schemeId = await office.version('scheme', exampleScheme());
    await sql`WITH broken AS (UPDATE scheme_version SET content = '{}' WHERE scheme_id = ${schemeId} RETURNING id)
      INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT ${lamps[0]}, id, '2026-11-01', 'test', ${clock.now()} FROM broken`.execute(db);
    expect((await put([], '?dryRun=1')).body.answer?.darkens).toBe(7);
  });

  it('are refused where the darker lamps beside them follow a scheme that is excepted from the floor', async () => {
    const schemeId = await alternating(80, [{ roadClass: 'secondary', reason: '深夜无人通行' }]);
    const { poleIds, put, road } = await lit(10, 'lane', { schemeId, lamps: 5 });
    await road('secondary');
    const refused = await put([]);
    expect([refused.status, refused.body.code]).toEqual([400, 4331]);
    // Those of the excepted scheme alone were agreed to.
    expect((await put(poleIds.slice(4))).status).toBe(200);
  });
});
