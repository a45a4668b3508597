import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { families, sharedFields, sqlTypeOf, type Family, type Field } from '../../../../catalogue/index.ts';
import { createRowCounter, type Db } from '../../platform/db/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { findPage } from './devices.list.ts';
import { conditionsOf, tablesOf, type DeviceQuery } from './devices.query.ts';
import { createDevices, devicesRoutes } from './index.ts';
import { createIndex, listIndexes } from './list-indexes.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-list-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const app = await testApp({
  routes: (parts) => devicesRoutes(createDevices({ ...parts, keys: openKeys(join(folder, 'secret.key')) })),
});
const { db, call } = app;
const everybody = { accountId: 1, workAreas: 'all', workAreaId: null } as const;
const counter = createRowCounter(app);

/** What real registers hold: nothing, the same again, other widths and cases, numbers inside of texts. */
const dirt: readonly (string | null)[] = [
  null,
  null,
  'P2',
  'p2',
  'Ｐ2',
  'P10',
  'P010',
  'P10',
  '杆-3',
  '杆-12',
  ' x',
  "O'Hara",
  '%_',
  'é',
  'É',
  '',
];
const pick = <T>(list: readonly T[], seed: number): T => list[(seed * 7919 + (seed >> 3)) % list.length] as T;
function valueOf(field: Field, seed: number): string | number | boolean | null {
  if (field.kind === 'select') return pick([null, ...field.options], seed);
  if (field.kind === 'boolean') return pick([null, true, false], seed);
  const type = sqlTypeOf(field);
  if (type === 'date') return pick([null, '2019-12-31', '2020-01-01', '2020-01-01', '0999-05-05'], seed);
  if (type === 'double precision') return pick([null, 0, -0, 0.1, 0.30000000000000004, 2, 10, 10, 1e21, 1.5e-7], seed);
  return pick(dirt, seed);
}
const sortsOf = (family: Family): string[] => family.fields.filter((field) => field.sort).map((field) => field.key);
/** What is derived sorts alike in every family; fields that all have are asked of a few. */
const askedOf = (family: Family, number: number): string[] =>
  number < 3
    ? [
        ...sortsOf(family),
        'isOnline',
        'updateTime',
        'state',
        'id',
        ...family.quantities.slice(0, 1).map((q) => `latest.${q.key}`),
      ]
    : sortsOf(family).filter((key) => key === 'equipmentCode' || !sharedFields.some((field) => field.key === key));

const aFamily = 17;
const page = 6;
beforeAll(async () => {
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name)
    SELECT i, 1, 'R' || i, (ARRAY['R2 road', 'R10 road', 'R2 road'])[i] FROM generate_series(1, 3) i`.execute(db);
  await sql`INSERT INTO channel (id, work_area_id, channel_code, channel_name, protocol)
    SELECT i, 1, 'C' || i, 'C' || i, 'other' FROM generate_series(1, 2) i`.execute(db);
  for (const [number, family] of families.entries()) {
    const rows = Array.from({ length: aFamily }, (_, i) => {
      const props = Object.fromEntries(
        family.fields.flatMap((field, at) => {
          const v = field.column || field.kind === 'reference' ? null : valueOf(field, i * 31 + at);
          return v === null ? [] : [[field.key, v]];
        }),
      );
      return {
        family: family.key,
        code: `${pick(dirt, i) ?? 'n'}${i}`,
        name: pick(dirt, i + 5),
        road: pick([null, 1, 2, 3], i),
        channel: pick([null, null, 1, 2], i),
        watts: pick([null, 0, 60, 60, 150], i),
        enabled: i % 3 > 0,
        props,
      };
    });
    await sql`INSERT INTO device (family, work_area_id, equipment_code, equipment_name, road_id, channel_id,
      rated_watts, enabled, props, pole_id)
      SELECT family, 1, code, name, road, channel, watts, enabled, props,
        (SELECT id FROM device p WHERE p.family = 'lamp-pole' AND ${number} > 0 AND n % 4 > 0 ORDER BY p.id OFFSET n % 5
        LIMIT 1)
      FROM ROWS FROM
        (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS (family text, code text, name text, road bigint,
        channel bigint, watts float8, enabled boolean, props jsonb)) WITH ORDINALITY
        AS x(family, code, name, road, channel, watts, enabled, props, n)`.execute(db);
  }
  await sql`INSERT INTO device_state (device_id, state, online, since, judged_at)
    SELECT id, (ARRAY['on', 'off'])[1 + id % 2], id % 3 = 0, now(), now() FROM device WHERE id % 5 > 0`.execute(db);
  await sql`INSERT INTO device_latest (device_id, at, received_at, values)
    SELECT id, now(), now() - (id % 4) * interval '0.000001 s', '{"power": 1.5}' FROM device WHERE id % 7 > 0`.execute(
    db,
  );
});

const find = (query: DeviceQuery) =>
  findPage({ db, counter }, { tables: tablesOf(query), where: conditionsOf(everybody, query) }, query);
type Found = Awaited<ReturnType<typeof find>>;

/** All pages from one end to the other. */
async function walk(query: DeviceQuery, from: Found, way: 'next' | 'previous'): Promise<number[]> {
  const seen: (readonly number[])[] = [from.ids];
  for (let at = from; at[way] !== undefined; seen.push(at.ids))
    at = await find(way === 'next' ? { ...query, after: at.next ?? '' } : { ...query, before: at.previous ?? '' });
  return (way === 'next' ? seen : seen.toReversed()).flat();
}

describe('next and previous', () => {
  test('walk through what pages by number show, in every order of every family', async () => {
    for (const [number, family] of families.entries()) {
      for (const sort of askedOf(family, number).flatMap((key) => [`${key},asc`, `${key},desc`])) {
        const query = { family: family.key, sort, size: page };
        const whole = (await find({ ...query, size: 1000 })).ids;
        const last = await find({ ...query, page: 3 });
        const numbered = [...(await Promise.all([1, 2].map((at) => find({ ...query, page: at })))), last].flatMap(
          ({ ids }) => ids,
        );
        const said = `${family.key} ${sort}`;
        expect(new Set(whole).size, said).toBe(aFamily);
        expect(numbered, said).toEqual(whole);
        expect(await walk(query, await find({ ...query, page: 1 }), 'next'), said).toEqual(whole);
        expect(await walk(query, last, 'previous'), said).toEqual(whole);
      }
    }
  }, 120_000);

  test('what is empty comes last in both directions; equal ones keep one order', async () => {
    const named = async (sort: string) =>
      (
        await call<{ data: { manufacturer: string | null }[] }>(`/api/v1/devices?family=wifi&size=100&sort=${sort}`)
      ).body.data.map((row) => row.manufacturer);
    const [up, down] = [await named('manufacturer,asc'), await named('manufacturer,desc')];
    const filled = up.filter((value) => value !== null);
    expect(filled.length).toBeGreaterThan(8);
    expect([up.slice(0, filled.length), down.slice(0, filled.length)]).toEqual([filled, filled.toReversed()]);
    expect(filled.indexOf('P2')).toBeLessThan(filled.indexOf('P10'));
  });

  test('show nothing twice and leave nothing out that stayed, while devices come and go', async () => {
    const query = { family: 'trash-can', sort: 'manufacturer,asc', size: 5 };
    const before = (await find({ ...query, size: 1000 })).ids;
    const gone = new Set([before[2], before[4], before[9], before[12], before[16]]);
    const seen: number[] = [];
    let at = await find(query);
    for (let turn = 0; ; turn += 1) {
      seen.push(...at.ids);
      if (at.next === undefined) break;
      // The row at the end of the page goes too; others come in front, behind and among the empty ones.
      await sql`DELETE FROM device WHERE id = ANY(${[...gone].slice(turn, turn + 2)}::bigint[])`.execute(db);
      await sql`INSERT INTO device (family, work_area_id, equipment_code, props)
        SELECT 'trash-can', 1, 'NEW-' || ${turn}::text || k, CASE WHEN k = '' THEN '{}'
        ELSE jsonb_build_object('manufacturer', k) END FROM unnest(ARRAY['', ' ', 'P5', '杆-99']) k`.execute(db);
      at = await find({ ...query, after: at.next });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((id) => !gone.has(id) && !seen.includes(id))).toEqual([]);
  });

  test('through HTTP: the first page has no previous one, the last no next one, both say how many there are', async () => {
    type Page = { data: { id: number }[]; recordsTotal: number; next?: string; previous?: string };
    const list = async (more: string) => (await call<Page>(`/api/v1/devices?family=gateway&size=12${more}`)).body;
    const first = await list('');
    expect(first).toMatchObject({ recordsTotal: aFamily });
    expect([first.data.length, first.previous]).toEqual([12, undefined]);
    const second = await list(`&after=${first.next}`);
    expect([second.data.length, second.next, second.recordsTotal]).toEqual([5, undefined, aFamily]);
    expect(await list(`&before=${second.previous}`)).toEqual(first);
    expect((await list('&page=9')).data).toEqual([]);
  });

  test('a place that is none, or belongs to another order, is refused by name', async () => {
    const { next = '' } = await find({ family: 'gateway', sort: 'power,asc', size: 5 });
    const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const refused = async (sort: string, more: string) =>
      (
        await call<{ params?: { field: string; rule: string }[] }>(
          `/api/v1/devices?family=gateway&sort=${sort}&${more}`,
        )
      ).body.params?.map((p) => `${p.field}:${p.rule}`);
    for (const [sort, cursor] of [
      ['power,desc', next],
      ['equipmentName,asc', next],
      ['power,asc', 'x'],
      ['power,asc', made(null)],
      ['power,asc', made(['power,asc', 0, '1); --', 1])],
      ['power,asc', made(['power,asc', 0, '1e999', 1])],
      ['power,asc', made(['power,asc', 0, '1e-999', 1])],
      ['power,asc', made(['power,asc', 0, 'NaN', 1])],
      ['power,asc', made(['power,asc', 0, null, 1])],
      ['power,asc', made(['power,asc', 2, '1', 1])],
      ['power,asc', made(['power,asc', 0, '1', 1e300])],
      ['power,asc', made(['power,asc', 0, '1', '1'])],
      ['equipmentCode,asc', made(['equipmentCode,asc', 0, 'a\0b', 1])],
      ['updateTime,asc', made(['updateTime,asc', 0, '2026-02-30 00:00:00+00', 1])],
      ['isOnline,asc', made(['isOnline,asc', 0, 'maybe', 1])],
    ] as const)
      expect(await refused(sort, `after=${cursor}`), `${sort} ${cursor}`).toEqual(['after:option']);
    expect(await refused('power,asc', `after=${next}&before=${next}`)).toEqual(['before:option']);
    expect((await call(`/api/v1/devices?family=gateway&sort=power,asc&after=${next}`)).status).toBe(200);
  });

  test('far pages, counted from the end, are those counted from the beginning', async () => {
    await sql`INSERT INTO device (family, work_area_id, equipment_code, rated_watts)
      SELECT 'micro-station-5g', 1, 'FAR-' || i, CASE WHEN i % 3 > 0 THEN i % 11 END
      FROM generate_series(1, 12100) i`.execute(db);
    const total = 12_100 + aFamily;
    for (const sort of ['equipmentCode,asc', 'power,desc']) {
      const query = { family: 'micro-station-5g', sort, size: 1000 };
      const near = await find({ ...query, page: 11 });
      for (const number of [11, 13, 14]) {
        const far = await find({ ...query, page: number });
        const { rows } = await sql<{
          id: number;
        }>`SELECT id FROM device WHERE family = 'micro-station-5g'
          ORDER BY ${sort === 'power,desc' ? sql`rated_watts DESC NULLS LAST, id DESC` : sql`equipment_code COLLATE natural_order, id`} LIMIT 1000 OFFSET ${(number - 1) * 1000}`.execute(
          db,
        );
        expect(far.ids).toEqual(rows.map((row) => row.id));
        expect(await far.count()).toEqual({ count: total, exact: false });
        expect(far.next === undefined).toBe(number > 11);
      }
      expect((await find({ ...query, after: near.next ?? '' })).ids).toEqual((await find({ ...query, page: 12 })).ids);
    }
    await sql`DELETE FROM device WHERE equipment_code LIKE 'FAR-%'`.execute(db);
  }, 120_000);
});

describe('indexes', () => {
  test('every field marked sort, and every reference marked filter, has its index', async () => {
    await sql`CREATE SCHEMA wanted`.execute(db);
    const normal = (text: string) => text.replaceAll(/\b(?:wanted|public)\./g, '');
    for (const table of ['device', 'road', 'channel'])
      await sql`CREATE TABLE ${sql.id('wanted', table)} (LIKE ${sql.id('public', table)} INCLUDING GENERATED)`.execute(
        db,
      );
    const missing: string[] = [];
    for (const index of listIndexes()) {
      await sql.raw(createIndex({ ...index, table: `wanted.${index.table}` })).execute(db);
      const { rows } = await sql<{
        definition: string;
      }>`SELECT indexdef AS definition FROM pg_indexes WHERE indexname = ${index.name}
        ORDER BY schemaname = 'wanted'`.execute(db);
      if (rows.length !== 2 || normal(rows[0]?.definition ?? '') !== normal(rows[1]?.definition ?? ''))
        missing.push(createIndex(index));
    }
    // Each line belongs into a new migration.
    expect(missing).toEqual([]);
  });

  test('every order is read off them from any place, without sorting and without reading the whole table', async () => {
    const asked: { sql: string; parameters: readonly unknown[] }[] = [];
    const listening: Db = new Kysely({
      dialect: new PostgresDialect({ pool: app.database.pool }),
      log: ({ query }) => {
        asked.push(query);
      },
    });
    const client = await app.database.pool.connect();
    try {
      // Where there is a way by an index, it is taken, however few rows there are.
      await client.query(
        'SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off',
      );
      const bad: string[] = [];
      for (const family of families) {
        for (const sort of sortsOf(family).flatMap((key) => [`${key},asc`, `${key},desc`])) {
          const query = { family: family.key, sort, size: page };
          const chosen = { tables: [], where: conditionsOf(everybody, query) };
          asked.length = 0;
          for (let at = await findPage({ db: listening, counter }, chosen, query); at.next !== undefined;)
            at = await findPage({ db: listening, counter }, chosen, { ...query, after: at.next });
          for (const one of new Map(asked.map((query_) => [query_.sql, query_])).values()) {
            const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${one.sql}`, [
              ...one.parameters,
            ]);
            const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
            // What a reference is called stands in another table: within one road, its devices are put in order.
            if (/Seq Scan|(?<!Incremental )Sort$/m.test(plan)) bad.push(`${family.key} ${sort}\n${one.sql}\n${plan}`);
          }
        }
      }
      expect(bad).toEqual([]);
    } finally {
      client.release(true);
    }
  }, 120_000);
});
