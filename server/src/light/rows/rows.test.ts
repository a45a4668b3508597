import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { getLamp } from '../../../../contract/light/lamps.ts';
import type { getRows, listRowRoads } from '../../../../contract/light/rows.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { RowSide } from '../../../../catalogue/lighting/rows.ts';
import { noRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { testApp } from '../../testing/app.ts';
import { createLamps, lampsRoutes } from '../lamps/index.ts';
import { rolesOf } from './index.ts';
import { rowsRoutes } from './rows.routes.ts';
import { createRows } from './rows.service.ts';
import { createRowSweep } from './sweep.ts';

type Rows = ReplyOf<typeof getRows>;
type Roads = ReplyOf<typeof listRowRoads>;
interface Problem {
  readonly params: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
}

const app = await testApp({
  routes: (parts) => [
    ...rowsRoutes(createRows(parts)),
    ...lampsRoutes(createLamps({ ...parts, periods: { litSeconds: 900, unlitSeconds: 3600 } })),
  ],
});
const { db, bus, clock } = app;
const sweep = createRowSweep({ db, bus, clock });

let count = 0;
const area = async (): Promise<number> =>
  (
    await db
      .insertInto('work_area')
      .values({ work_code: `A${(count += 1)}`, work_name: '滨江' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const road = async (workAreaId: number, name = '滨江大道'): Promise<number> =>
  (
    await db
      .insertInto('road')
      .values({ work_area_id: workAreaId, road_code: `R${(count += 1)}`, road_name: name })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const device = async (values: {
  family?: string;
  code?: string;
  roadId?: number | null;
  poleId?: number | null;
  east?: number | null;
  side?: RowSide;
  junction?: boolean;
}): Promise<number> =>
  (
    await db
      .insertInto('device')
      .values({
        family: values.family ?? 'lamp-pole',
        work_area_id: here,
        equipment_code: values.code ?? `P-${(count += 1)}`,
        road_id: values.roadId ?? null,
        pole_id: values.poleId ?? null,
        longitude: values.east === null || values.east === undefined ? null : 120 + values.east / 96_000,
        latitude: values.east === null || values.east === undefined ? null : 30,
        props: JSON.stringify({
          ...(values.side === undefined ? {} : { roadside: values.side }),
          ...(values.junction === undefined ? {} : { ifIntersection: values.junction }),
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const poles = (roadId: number, places: readonly number[], side?: RowSide): Promise<number[]> =>
  Promise.all(places.map((east) => device({ roadId, east, ...(side === undefined ? {} : { side }) })));
const edited = (id: number, set: ReturnType<typeof sql>) =>
  sql`UPDATE device SET ${set}, version = version + 1 WHERE id = ${id}`.execute(db);

const get = async (roadId: number): Promise<Rows> => (await app.call<Rows>(`/api/v1/rows?roadId=${roadId}`)).body;
const inRows = ({ rows }: Rows) => rows.map((row) => [row.side, row.source, row.poles.map(({ id }) => id)]);
const put = (roadId: number, body: object, more = {}) =>
  app.call<Rows & Problem>(`/api/v1/rows/${roadId}`, { method: 'PUT', body, ...more });
const order = (roadId: number, body: object = {}) =>
  app.call<Rows>(`/api/v1/rows/${roadId}/order`, { method: 'POST', body });

let here = 0;
let at = 0;
beforeEach(async () => {
  here = await area();
  at = await road(here);
});

describe('the job', () => {
  it('gives every road its rows: a side each, who has no coordinates is named, lamps at their poles', async () => {
    const [b, a, c] = (await poles(at, [30, 0, 60], 'left')) as [number, number, number];
    const [f, e] = (await poles(at, [60, 0], 'right')) as [number, number];
    const nowhere = await device({ roadId: at, east: null });
    const lamp = await device({ family: 'single-lamp-controller', code: `L-${count}`, roadId: at, poleId: b });
    await sweep.turn();
    const found = await get(at);
    // Ascending codes: b before a before c would be longer; both ways along the road are as good.
    expect(inRows(found).map(([side]) => side)).toEqual(['left', 'right']);
    expect([
      [a, b, c],
      [c, b, a],
    ]).toContainEqual(found.rows[0]?.poles.map(({ id }) => id));
    const first = found.rows[0]?.poles[0]?.id;
    expect(found.rows[1]?.poles.map(({ id }) => id)).toEqual(first === a ? [e, f] : [f, e]);
    expect(found.rows[0]?.poles[1]).toMatchObject({ id: b, kept: null, lamps: [{ id: lamp }], roadside: 'left' });
    expect(found.rows[0]?.poles[0]).toMatchObject({ kept: 'end' });
    expect(found.rows[1]?.poles[0]).toMatchObject({ kept: 'short' });
    expect(found.unplaced.map(({ id }) => id)).toEqual([nowhere]);
    expect(found.version).toBe(1);
  });

  it('leaves what is right as it is, and follows what is moved, deleted, or set to another road', async () => {
    const [a, b, c, d] = (await poles(at, [0, 30, 60, 90])) as [number, number, number, number];
    const other = await road(here);
    await sweep.turn();
    await sweep.turn();
    expect(inRows(await get(at))).toEqual([['none', 'auto', [a, b, c, d]]]);
    expect((await get(at)).version).toBe(1);
    await edited(a, sql`longitude = ${120 + 45 / 96_000}`);
    await sweep.turn();
    expect(inRows(await get(at))).toEqual([['none', 'auto', [b, a, c, d]]]);
    await db.deleteFrom('device').where('id', '=', a).execute();
    await edited(d, sql`road_id = ${other}`);
    await sweep.turn();
    expect(inRows(await get(at))).toEqual([['none', 'auto', [b, c]]]);
    expect(inRows(await get(other))).toEqual([['none', 'auto', [d]]]);
    // Positions close up: what patterns count has no hole.
    const kept = await sql`SELECT position, row_length AS n FROM lamp_position WHERE road_id = ${at}
      ORDER BY position`.execute(db);
    expect(kept.rows).toEqual([
      { position: 0, n: 2 },
      { position: 1, n: 2 },
    ]);
  });

  it('begins by itself and again when the register changes, and says which area follows another pattern', async () => {
    const areas: (number | null)[] = [];
    const silence = bus.subscribe('settings.changed', ({ workAreaId }) => void areas.push(workAreaId));
    const [a] = await poles(at, [0, 30, 60]);
    const stop = createRowSweep({ db, bus, clock }).start();
    await clock.advance(10);
    await expect.poll(async () => (await get(at)).rows[0]?.poles.length).toBe(3);
    const late = await device({ roadId: at, east: 90 });
    bus.publish('register.changed', {});
    await expect
      .poll(async () => {
        await clock.advance(5000);
        return (await get(at)).rows[0]?.poles.map(({ id }) => id);
      })
      .toContain(late);
    await stop();
    silence();
    expect(areas).toContain(here);
    expect(a).toBeDefined();
  });
});

describe('rows by hand', () => {
  it('are kept as they were made, by whom, with the poles that stay lit; the job only closes them up', async () => {
    const [a, b, c, d] = (await poles(at, [0, 30, 60, 90])) as [number, number, number, number];
    await sweep.turn();
    const saved = await put(at, { version: 1, rows: [{ side: 'left', poleIds: [c, a, d] }], keep: [a] });
    expect(saved.status).toBe(200);
    expect(inRows(saved.body)).toEqual([['left', 'hand', [c, a, d]]]);
    expect(saved.body.rows[0]).toMatchObject({ checkedBy: 'admin' });
    expect(saved.body.rows[0]?.poles.map(({ kept }) => kept)).toEqual(['end', 'hand', 'end']);
    expect(saved.body.unplaced.map(({ id }) => id)).toEqual([b]);
    const late = await device({ roadId: at, east: 120 });
    await db.deleteFrom('device').where('id', '=', d).execute();
    await sweep.turn();
    const after = await get(at);
    expect(inRows(after)).toEqual([['left', 'hand', [c, a]]]);
    expect(after.unplaced.map(({ id }) => id)).toEqual([b, late]);
    expect(after.version).toBe(3);
  });

  it('stay when the rest is ordered, unless everything is', async () => {
    const [a, b, c] = (await poles(at, [0, 30, 60], 'left')) as [number, number, number];
    const [d, e] = (await poles(at, [0, 30], 'right')) as [number, number];
    await put(at, { version: 0, rows: [{ side: 'left', poleIds: [b, a, c] }], keep: [b] });
    expect(inRows((await order(at)).body)).toEqual([
      ['left', 'hand', [b, a, c]],
      ['right', 'auto', [d, e]],
    ]);
    const all = await order(at, { all: true });
    expect(inRows(all.body)).toEqual([
      ['left', 'auto', [a, b, c]],
      ['right', 'auto', [d, e]],
    ]);
    // What stays lit by hand is no matter of order.
    expect(all.body.rows[0]?.poles[1]).toMatchObject({ id: b, keep: true, kept: 'hand' });
  });

  it('name every problem at once and change nothing', async () => {
    const [a, b] = (await poles(at, [0, 30])) as [number, number];
    const elsewhere = await device({ roadId: await road(here), east: 0 });
    const lamp = await device({ family: 'single-lamp-controller', code: `L-${count}`, roadId: at, east: 0 });
    await sweep.turn();
    const refused = await put(at, {
      version: 1,
      rows: [
        { side: 'left', poleIds: [a, elsewhere, a] },
        { side: 'left', poleIds: [lamp] },
      ],
      keep: [b],
    });
    expect(refused.status).toBe(400);
    expect(refused.body.params.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'rows.0.poleIds.1 otherRoad',
      'rows.0.poleIds.2 poleTwice',
      'rows.1.side sideTwice',
      'rows.1.poleIds.0 notFound',
      'keep.0 notInRow',
    ]);
    expect(refused.body.params[0]?.message).toBe('这根灯杆不在这条道路上');
    expect(inRows(await get(at))).toEqual([['none', 'auto', [a, b]]]);
    const shape = await put(at, { version: 1, rows: [], keep: [999_999] });
    expect(shape.body.params.map(({ field, rule }) => `${field} ${rule}`)).toEqual(['rows minItems']);
  });

  it('are refused for the second of two who began from the same', async () => {
    const [a, b] = (await poles(at, [0, 30])) as [number, number];
    await sweep.turn();
    const body = { version: 1, rows: [{ side: 'none', poleIds: [b, a] }], keep: [] };
    const both = await Promise.all([put(at, body), put(at, body)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await order(at, { version: 1 })).status).toBe(409);
  });

  it('stand in the operation log', async () => {
    const [a, b] = (await poles(at, [0, 30])) as [number, number];
    await put(at, { version: 0, rows: [{ side: 'none', poleIds: [a, b] }], keep: [a] });
    const { rows } = await sql<{ action: string; params: string }>`
      SELECT message AS action, params FROM operation_log ORDER BY id DESC LIMIT 1`.execute(db);
    expect(rows[0]?.action).toBe('row.order');
    expect(rows[0]?.params).toContain('"poles":2');
    expect(JSON.parse(rows[0]?.params ?? '')).toMatchObject({ rowsBefore: {}, rowsAfter: { none: 2 } });
  });
});

describe('who may', () => {
  it('sees the roads of its work areas, and orders none with the right to look alone', async () => {
    await poles(at, [0, 30]);
    await device({ roadId: at, east: null });
    await sweep.turn();
    const foreign = at;
    const foreignArea = here;
    here = await area();
    const own = await road(here, '江南大道');
    await poles(own, [0, 30, 60]);
    await sweep.turn();
    const reader = await app.signIn({ username: `r${count}`, permissions: ['plan.query'], workAreas: [here] });
    const { token } = reader;
    const list = await app.call<Roads>('/api/v1/row-roads', { token });
    expect(list.body).toMatchObject({
      recordsTotal: 1,
      data: [{ id: own, poles: 3, placed: 3, unplaced: 0, byHand: 0 }],
    });
    expect(
      (await app.call<Roads>('/api/v1/row-roads?q=%E6%BB%A8%E6%B1%9F', { workAreaId: foreignArea })).body,
    ).toMatchObject({
      data: [{ id: foreign, name: '滨江大道', poles: 3, placed: 2, unplaced: 1 }],
    });
    expect((await app.call(`/api/v1/rows?roadId=${foreign}`, { token })).status).toBe(403);
    expect((await app.call(`/api/v1/rows?roadId=999999999`, { token })).status).toBe(404);
    expect((await app.call(`/api/v1/rows/${own}/order`, { token, body: {} })).status).toBe(403);
    const editor = await app.signIn({ username: `e${count}`, permissions: ['plan.edit'], workAreas: [here] });
    expect((await app.call(`/api/v1/rows/${own}/order`, { token: editor.token, body: {} })).status).toBe(200);
    expect((await app.call(`/api/v1/rows/${foreign}/order`, { token: editor.token, body: {} })).status).toBe(403);
  });
});

describe('the way along a row', () => {
  it('leads from lamp to lamp, heads of one pole one after the other, past lamps that the caller does not see', async () => {
    const [a, b, c] = (await poles(at, [0, 30, 60], 'left')) as [number, number, number];
    await poles(at, [0, 30], 'right');
    const head = (poleId: number | null, name: string) =>
      device({ family: 'single-lamp-controller', code: `W${at}-${name}`, roadId: at, poleId });
    const own = here;
    const [one, two, ten] = [await head(a, '1'), await head(b, '2'), await head(b, '10')];
    const lone = await head(null, '0');
    here = await area();
    const foreign = await head(c, '11');
    await sweep.turn();
    await put(at, { version: 1, rows: [{ side: 'left', poleIds: [a, b, c] }], keep: [] });
    const rowOf = async (id: number, more = {}) =>
      (await app.call<ReplyOf<typeof getLamp>>(`/api/v1/lamps/${id}`, more)).body.row;
    const place = { side: 'left', poles: 3 };
    const [first, second, third, last] = [
      { id: one, code: `W${at}-1` },
      { id: two, code: `W${at}-2` },
      { id: ten, code: `W${at}-10` },
      { id: foreign, code: `W${at}-11` },
    ];
    expect(await rowOf(one)).toEqual({ ...place, position: 1, previous: null, next: second });
    expect(await rowOf(two)).toEqual({ ...place, position: 2, previous: first, next: third });
    expect(await rowOf(ten)).toEqual({ ...place, position: 2, previous: second, next: last });
    expect(await rowOf(foreign)).toEqual({ ...place, position: 3, previous: third, next: null });
    expect(await rowOf(lone)).toBeNull();
    const { token } = await app.signIn({ username: `w${count}`, permissions: ['lamp.monitor'], workAreas: [own] });
    expect(await rowOf(ten, { token })).toMatchObject({ previous: second, next: null });
  });
});

describe('roles of lamps', () => {
  it('are those of their poles: heads of one pole share a position, junctions and ends are kept', async () => {
    const places = (await poles(at, [0, 30, 60, 120], 'right')) as [number, number, number, number];
    const junction = await device({ roadId: at, east: 90, side: 'right', junction: true });
    const away = await device({ roadId: at, east: null });
    const head = (poleId: number | null) =>
      device({ family: 'single-lamp-controller', code: `L-${(count += 1)}`, roadId: at, poleId });
    const lamps = await Promise.all([places[1], places[1], junction, places[0], away, null].map(head));
    await sweep.turn();
    const roles = await rolesOf(db, [...lamps, 999_999_999]);
    const inRow = { ...noRole, rowLength: 5, right: true };
    const ids = (await get(at)).rows[0]?.poles.map(({ id }) => id) ?? [];
    const position = (id: number) => ids.indexOf(id);
    expect([...roles.values()]).toEqual([
      { ...inRow, position: position(places[1]) },
      { ...inRow, position: position(places[1]) },
      { ...inRow, position: position(junction), keep: true },
      { ...inRow, position: position(places[0]), keep: true },
      noRole,
      noRole,
      noRole,
    ]);
  });

  it('of 1,000 lamps are one look into indexes', async () => {
    const { rows } = await db.transaction().execute(async (tx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      return sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT p.position FROM device d
        JOIN lamp_position p ON p.pole_id = d.pole_id
        WHERE d.id = ANY(${Array.from({ length: 1000 }, (_, i) => i)}::bigint[])`.execute(tx);
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan');
  });
});
