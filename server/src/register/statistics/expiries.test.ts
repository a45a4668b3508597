import { sql, type KyselyPlugin } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { listExpiries } from '../../../../contract/register/statistics.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { testExports } from '../../testing/exports.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { createExpiries, createStatistics, expiryExportTask, statisticsRoutes } from './index.ts';

// 2026-02-28 23:30 in Shanghai, still 15:30 in London: in Auckland it is March already.
const clock = testClock(new Date('2026-02-28T15:30:00Z'));
/** What somebody else does as soon as a whole part of a workbook has been read. */
let meanwhile = (): Promise<void> => Promise.resolve();
const listening: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    if (result.rows.length === 2000) await meanwhile();
    return result;
  },
};
const exports = testExports((parts) => {
  const db = parts.db.withPlugin(listening);
  return expiryExportTask({ db, clock, sheets: sheetsHere({ db }), areasOf: parts.sessions.workAreasOf });
});
const app = await testApp({
  clock,
  routes: (parts) => [
    ...statisticsRoutes(createStatistics({ db: parts.db, clock }), createExpiries({ db: parts.db, clock })),
    ...exports.routes(parts),
  ],
});
const { db, call } = app;
type Expiries = ReplyOf<typeof listExpiries>;

const areas = { shanghai: 0, auckland: 0 };
let serial = 0;
async function device(props: object, more: object = {}): Promise<number> {
  const { id } = await db
    .insertInto('device')
    .values({
      family: 'lamp-pole',
      equipment_code: `P-${(serial += 1)}`,
      work_area_id: areas.shanghai,
      props: JSON.stringify(props),
      ...more,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const list = async (query: string, more = {}) =>
  (await call<Expiries>(`/api/v1/asset-statistics/expiries?${query}`, more)).body;
const days = async (query: string) => (await list(query)).data.map(({ code, day, days: left }) => [code, day, left]);

beforeAll(async () => {
  const area = async (code: string, zone: string) =>
    (
      await db
        .insertInto('work_area')
        .values({ work_code: code, work_name: code, time_zone: zone })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  areas.shanghai = await area('上海', 'Asia/Shanghai');
  areas.auckland = await area('Auckland', 'Pacific/Auckland');
  for (const warrantyUntil of [
    '2026-02-28',
    '2026-03-30',
    '2026-03-31',
    '2026-02-27',
    '2024-02-29',
    '2026-08-27',
    '2026-08-28',
    '2030-01-01',
  ])
    await device({ warrantyUntil });
  await device({ warrantyUntil: '2026-02-28' }, { work_area_id: areas.auckland });
  await device({});
  await device(
    { simExpiry: '2026-03-05', simNum: '0086', manufacturer: '=萤火' },
    { family: 'gateway', equipment_name: '网关' },
  );
});

test('days are counted from today where the device stands, the last day still counts', async () => {
  expect(await days('field=warrantyUntil&within=30')).toEqual([
    ['P-1', '2026-02-28', 0],
    ['P-2', '2026-03-30', 30],
  ]);
  expect(await days('field=warrantyUntil&within=60')).toEqual([
    ['P-1', '2026-02-28', 0],
    ['P-2', '2026-03-30', 30],
    ['P-3', '2026-03-31', 31],
  ]);
  // In Auckland the last of February is over.
  expect(await days('field=warrantyUntil&within=past')).toEqual([
    ['P-9', '2026-02-28', -1],
    ['P-4', '2026-02-27', -1],
    ['P-5', '2024-02-29', -730],
  ]);
  expect((await days('field=warrantyUntil&within=180')).at(-1)).toEqual(['P-6', '2026-08-27', 180]);
  expect((await list('field=warrantyUntil&within=180')).counts).toEqual({ past: 3, 30: 2, 60: 3, 90: 3, 180: 4 });
});

test('paged, filtered, and limited to what the caller sees', async () => {
  expect((await list('field=warrantyUntil&within=60&size=2&page=2')).data.map(({ code }) => code)).toEqual(['P-3']);
  expect((await list('field=warrantyUntil&within=past', { workAreaId: areas.auckland })).counts.past).toBe(1);
  expect(await days(`field=simExpiry&within=30&family=gateway&workId=${areas.shanghai}&status=enabled`)).toEqual([
    ['P-11', '2026-03-05', 5],
  ]);
  expect(await days('field=simExpiry&within=30&family=lamp-pole')).toEqual([]);
  const south = await app.signIn({ username: 'auckland', permissions: ['device.query'], workAreas: [areas.auckland] });
  expect((await list('field=warrantyUntil&within=30', { token: south.token })).counts).toEqual({
    past: 1,
    30: 0,
    60: 0,
    90: 0,
    180: 0,
  });
  for (const query of [
    'field=installTime&within=30',
    'field=simExpiry&within=31',
    'field=simExpiry&within=30&family=spaceship',
  ])
    expect((await call(`/api/v1/asset-statistics/expiries?${query}`)).status).toBe(400);
});

test('the workbook has the whole list in the language asked for', async () => {
  const reply = await exports.file(app, '/api/v1/expiry-exports', {
    body: { field: 'simExpiry', within: '30' },
    headers: { 'accept-language': 'fr-FR' },
  });
  expect(String(reply.headers['content-disposition'])).toContain(
    encodeURIComponent('Cartes SIM à échéance 2026-02-28.xlsx'),
  );
  const rows = await readSheet(reply.bytes);
  expect(rows[1]).toEqual(['P-11', '网关', 'Passerelle', '上海', null, '=萤火', null, '0086', '2026-03-05', 5]);
  expect(rows[0]?.slice(-3)).toEqual(['Numéro SIM', 'Échéance de la carte SIM', 'Jours restants']);
  expect(
    (
      await readSheet(
        (await exports.file(app, '/api/v1/expiry-exports', { body: { field: 'warrantyUntil', within: 'past' } })).bytes,
      )
    ).length,
  ).toBe(4);
});

describe('many', () => {
  const asked = { list: '', body: {} };
  let area = 0;
  const many = async (count: number, day: string) => {
    area = (
      await db
        .insertInto('work_area')
        .values({ work_code: day, work_name: day, time_zone: 'Asia/Shanghai' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
    await sql`INSERT INTO device (family, equipment_code, work_area_id, props)
      SELECT 'lamp-pole', 'W-' || n, ${area}, jsonb_build_object('warrantyUntil', ${day}::text)
      FROM generate_series(1, ${count}::int) n`.execute(db);
    const body = { field: 'warrantyUntil', workId: String(area), within: day < '2026-02-28' ? 'past' : '30' };
    Object.assign(asked, { list: String(new URLSearchParams(body)), body });
  };

  test.each(['2026-02-01', '2026-03-05'])(
    '%s: a workbook has each row once, although a day changes while it is read',
    async (day) => {
      await many(2300, day);
      let renewed = 0;
      meanwhile = async () => {
        if ((renewed += 1) > 1) return;
        await sql`UPDATE device SET props = '{"warrantyUntil":"2031-01-01"}'
          WHERE work_area_id = ${area} AND equipment_code IN ('W-7', 'W-2294')`.execute(db);
      };
      const rows = await readSheet((await exports.file(app, '/api/v1/expiry-exports', { body: asked.body })).bytes);
      expect([renewed, rows.length - 1, new Set(rows.slice(1).map(([code]) => code)).size]).toEqual([1, 2299, 2299]);
    },
  );

  test('what ended is counted once for ten seconds: turning pages does not count it again', async () => {
    await many(10_001, '2026-01-01');
    expect((await list(asked.list)).counts.past).toBe(10_001);
    await device({ warrantyUntil: '2026-01-01' }, { work_area_id: area });
    expect((await list(`${asked.list}&page=2`)).counts.past).toBe(10_001);
    await clock.advance(10_000);
    expect(await list(`${asked.list}&page=2`)).toMatchObject({ recordsTotal: 10_002, counts: { past: 10_002, 30: 0 } });
  });
});

test('what ends soon is read off an index', async () => {
  const {
    rows: [plan],
  } = await db.transaction().execute(async (tx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    return sql<{
      'QUERY PLAN': object;
    }>`EXPLAIN (FORMAT JSON) SELECT id FROM device d WHERE d.props ->> 'warrantyUntil' IS NOT NULL
      AND d.props ->> 'warrantyUntil' <= ${'2026-03-31'} ORDER BY d.props ->> 'warrantyUntil' LIMIT 10`.execute(tx);
  });
  expect(JSON.stringify(plan)).toContain('device_warranty_until');
});
