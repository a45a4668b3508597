import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { createHome, createHomeMap, createSince, homeRoutes } from '../home/index.ts';
import { createLamps, defaultThresholds, lampsRoutes } from './index.ts';

const periods = { litSeconds: 900, unlitSeconds: 3600 };
const { call, signIn, db } = await testApp({
  routes: ({ db: parts, clock }) => [
    ...lampsRoutes(createLamps({ db: parts, clock, periods })),
    ...homeRoutes(createHome({ db: parts, clock, thresholds: defaultThresholds, periods }), {
      map: createHomeMap({ db: parts, clock }),
      since: createSince({ db: parts, clock, absenceOf: () => Promise.resolve(undefined) }),
    }),
  ],
});

type List = { recordsTotal: number; data: { code: string; state: string; level: number | null }[] };
type Problem = { code: number; params: { field: string }[]; requestId: string };
let foreignLamp = 0;

beforeAll(async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (20, 'B', '城东'), (21, 'C', '城西')`.execute(db);
  for (const [area, code] of [
    [20, 'E-1'],
    [20, 'E-2'],
    [21, 'W-1'],
  ] as const) {
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code) VALUES ('single-lamp-controller', ${area}, ${code})
      RETURNING id`.execute(db);
    if (area === 21) foreignLamp = rows[0]?.id ?? 0;
  }
});

describe('the calls of the lamp monitor', () => {
  it('shows a lamp that never reported as unknown, its values as null and never as 0', async () => {
    const { body } = await call<List>('/api/v1/lamps');
    expect(body.recordsTotal).toBe(3);
    expect(body.data[0]).toMatchObject({
      code: 'E-1',
      state: 'unknown',
      level: null,
      power: null,
      energyTonight: null,
      at: null,
    });
  });

  it('limits every call to the areas of the account and to the one it works in', async () => {
    const { token } = await signIn({ username: 'east', permissions: ['lamp.monitor'], workAreas: [20] });
    expect((await call<List>('/api/v1/lamps', { token })).body.data.map((lamp) => lamp.code)).toEqual(['E-1', 'E-2']);
    expect((await call('/api/v1/lamps/map', { token })).body).toMatchObject({ ids: [], unplaced: 2 });
    expect((await call('/api/v1/lamps/map?q=E-2', { token })).body).toMatchObject({ ids: [], unplaced: 1 });
    expect((await call<{ total: number }>('/api/v1/lamps/counts', { token })).body.total).toBe(2);
    expect((await call<{ ids: number[] }>('/api/v1/lamps/ids', { token })).body.ids).toHaveLength(2);
    expect((await call<{ lamps: number }>('/api/v1/home', { token })).body.lamps).toBe(2);
    for (const path of ['', '/curve']) {
      expect(await call(`/api/v1/lamps/${foreignLamp}${path}`, { token })).toMatchObject({
        status: 403,
        body: { code: 1202 },
      });
      expect((await call(`/api/v1/lamps/999999${path}`, { token })).status).toBe(404);
    }
    expect((await call('/api/v1/lamps', { token, workAreaId: 21 })).status).toBe(403);
    expect((await call<List>('/api/v1/lamps', { workAreaId: 21 })).body.recordsTotal).toBe(1);
  });

  it('shows a lamp without a position of its own at its pole', async () => {
    const {
      rows: [pole],
    } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code, longitude, latitude)
      VALUES ('lamp-pole', 21, 'P-1', 120.5, 30.5) RETURNING id`.execute(db);
    await sql`UPDATE device SET pole_id = ${pole?.id ?? 0} WHERE id = ${foreignLamp}`.execute(db);
    expect((await call('/api/v1/lamps/map', { workAreaId: 21 })).body).toMatchObject({
      ids: [foreignLamp],
      longitudes: [120.5],
      latitudes: [30.5],
      unplaced: 0,
    });
    expect((await call(`/api/v1/lamps/${foreignLamp}`)).body['lamp']).toMatchObject({
      longitude: 120.5,
      latitude: 30.5,
    });
  });

  it('needs the code lamp.monitor', async () => {
    const { token } = await signIn({ username: 'nobody', workAreas: [20] });
    for (const path of ['', '/map', '/counts', '/ids', '/filters', `/${foreignLamp}`, `/${foreignLamp}/curve`])
      expect((await call(`/api/v1/lamps${path}`, { token })).status).toBe(403);
    expect((await call('/api/v1/lamps', { token: null })).status).toBe(401);
  });

  it('names every wrong filter at once', async () => {
    const { status, body } = await call<Problem>('/api/v1/lamps?size=1001&roadIds=a,b&online=perhaps&colour=red');
    expect(status).toBe(400);
    expect(body.params.map((problem) => problem.field).sort()).toEqual(['colour', 'online', 'roadIds', 'size']);
    expect((await call('/api/v1/lamps?roadIds=99999999999999999999')).status).toBe(400);
    for (const sort of ['__proto__,asc', 'code,up', 'password_hash,asc'])
      expect((await call<Problem>(`/api/v1/lamps?sort=${sort}`)).body.params[0]?.field).toBe('sort');
  });

  it('tells the power that is expected by what was learned of the lamp’s model, of one lamp and of the city', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude)
      VALUES (22, 'D', '城北', 120.2, 30.2)`.execute(db);
    const lamp = async (code: string, model: string) =>
      (
        await sql<{ id: number }>`INSERT INTO device (family, work_area_id, equipment_code, rated_watts, props)
      VALUES ('single-lamp-controller', 22, ${code}, 100,
        jsonb_build_object('manufacturer', 'M', 'model', ${model}::text)) RETURNING id`.execute(db)
      ).rows[0]?.id ?? 0;
    const [known, other] = [await lamp('N-1', 'A'), await lamp('N-2', 'B')];
    await sql`INSERT INTO lamp_curve VALUES ('M', 'A', '{50,100}', '{0.4,0.9}', 5, 50, now())`.execute(db);
    const wattsOf = async (id: number) =>
      [
        ...new Set(
          (await call<{ plan: { level: number; watts: number }[] }>(`/api/v1/lamps/${id}/curve`)).body.plan.map(
            ({ level, watts }) => `${level} % ${watts} W`,
          ),
        ),
      ].toSorted();
    expect([await wattsOf(known), await wattsOf(other)]).toEqual([
      ['0 % 0 W', '100 % 90 W'],
      ['0 % 0 W', '100 % 100 W'],
    ]);
    const { body } = await call<{ planKw: number[] }>('/api/v1/home/curve', { workAreaId: 22 });
    expect(new Set(body.planKw)).toEqual(new Set([0, 0.19]));
  });

  it('answers an empty home page without inventing numbers', async () => {
    const { body } = await call<{
      litRate: { counted: boolean; strict: { value: number | null } };
      energy: { kWh: number | null };
      stale: boolean;
      newestReadingAt: null;
    }>('/api/v1/home');
    expect(body).toMatchObject({
      litRate: { counted: false, strict: { value: null } },
      energy: { kWh: null },
      stale: false,
      newestReadingAt: null,
    });
    expect((await call('/api/v1/home/curve')).status).toBe(200);
    const none = { data: [], lines: 0, devices: 0 };
    expect((await call('/api/v1/home/changes')).body).toMatchObject({ open: none, ended: none });
    expect((await call('/api/v1/home/since')).body).toEqual({ away: null });
  });
});
