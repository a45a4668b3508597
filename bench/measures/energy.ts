import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { mostCurveDevices } from '../../contract/history/history.ts';
import { signInAdmin } from '../../e2e/fixtures/api.ts';
import { startProduct, type Product } from '../../e2e/fixtures/product.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { productDatabase } from '../product-database.ts';

const password = 'Bench-4711-energy';
const firstId = 7_000_001;
const rounds = 3;
const dayMs = 86_400_000;

interface Month {
  readonly step: string;
  readonly deviceId: number;
  readonly kwh: number;
}

/**
 * A year of lamps that report every quarter of an hour (1,000; with --small 100): the energy of each in each month as
 * the product tells it against the same reckoned by SQL from the readings; and curves of one lamp. A counter that
 * begins anew, a few jumps and silences are among them.
 */
export const energy: Measure = {
  key: 'energy',
  async run() {
    const lamps = process.argv.includes('--small') ? 100 : 1000;
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const today = new Date().toISOString().slice(0, 10);
      const begin = new Date(Date.parse(today) - 366 * dayMs).toISOString().slice(0, 10);
      const readings = await fill(database, lamps, begin);
      const rolled = await rolling(database);
      // Only now: rolling may take longer than a session lasts that nobody uses.
      const { token } = await signInAdmin(product, password);
      const months = `/api/v1/history/energy?workId=900&by=month&each=device&from=${begin}&to=${today}`;
      const own: number[] = [];
      const scans: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [told, ms] = await timed(() => get<{ rows: Month[] }>(product, token, months));
        const [reckoned, scanMs] = await timed(() => scan(database));
        compare(told.rows, reckoned, lamps);
        own.push(ms);
        scans.push(scanMs);
      }
      const ratios = own.map((ms, i) => ms / (scans[i] ?? NaN));
      const sizes = await sizesOf(database);
      return [
        {
          name: `Monthly energy of each of ${lamps.toLocaleString('en')} lamps over a year (${(readings / 1e6).toFixed(1)} million readings), share of the time of a raw scan`,
          value: median(ratios),
          unit: '×',
          reach: 1 / 30,
          samples: ratios,
          note: `product ${median(own).toFixed(0)} ms over HTTP, the same SQL over the readings ${(median(scans) / 1000).toFixed(1)} s; equal within 1e-6 for each lamp and month; aim 0.01; rolled in ${rolled.toFixed(0)} s; ${sizes}`,
        },
        ...(await curves(product, token, begin, today)),
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

async function get<T>(product: Product, token: string, path: string): Promise<T> {
  const reply = await fetch(`${product.url}${path}`, { headers: { authorization: token } });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}

/**
 * Lit from 18 to 6 o'clock; the counter as a formula of time, so that a year of it is one statement a day. Returns how
 * many readings there are.
 */
async function fill(database: pg.Client, lamps: number, begin: string): Promise<number> {
  await database.query(
    `INSERT INTO work_area (id, work_code, work_name, longitude, latitude)
      VALUES (900, 'BENCH', 'bench', 120.2, 30.25)`,
  );
  await database.query(
    `INSERT INTO device (id, family, work_area_id, equipment_code, rated_watts, search_words)
      SELECT ${firstId} + i, 'single-lamp-controller', 900, 'BE-' || i, 150, ''
      FROM generate_series(0, ${lamps - 1}) i`,
  );
  for (let day = 0; day < 365; day += 1) {
    const from = new Date(Date.parse(begin) + day * dayMs).toISOString().slice(0, 10);
    const to = new Date(Date.parse(begin) + (day + 1) * dayMs).toISOString().slice(0, 10);
    await database.query(
      `CREATE TABLE IF NOT EXISTS reading_${from.replaceAll('-', '')} PARTITION OF reading FOR VALUES
        FROM ('${from}') TO ('${to}')`,
    );
    await database.query(`INSERT INTO reading (at, device_id, received_at, values)
      SELECT t.at, ${firstId} + i, t.at,
        jsonb_build_object('level', CASE WHEN t.lit THEN 100 ELSE 0 END, 'power', CASE WHEN t.lit THEN w.watts
        ELSE 0 END, 'relay', t.lit, 'voltage', 220 + i % 10 + t.q % 7,
          'current', CASE WHEN t.lit THEN 0.4 ELSE 0 END, 'powerFactor', 0.96, 'temperature', 20 + t.q % 30, 'energy',
            round((t.quarters * w.watts / 4000.0 - CASE WHEN i % 50 = 0 AND t.day >= 100 THEN 4800 * w.watts / 4000.0
            ELSE 0 END
          + CASE WHEN i % 25 = 3 AND t.day >= 200 THEN 500 ELSE 0 END)::numeric, 3))
      FROM (SELECT q.at, q.q, q.day, q.q >= 72 OR q.q < 24 AS lit,
        q.day * 48 + least(q.q, 24) + greatest(q.q - 72, 0) AS quarters FROM (
          SELECT s AS at, ${day} + (extract(epoch FROM s - '${from}'::timestamptz)::int + 28800) / 86400 AS day,
            ((extract(epoch FROM s - '${from}'::timestamptz)::int + 28800) % 86400) / 900 AS q
          FROM generate_series('${from}T00:00:00Z'::timestamptz, '${from}T23:45:00Z'::timestamptz,
            interval '15 minutes') s) q) t
        CROSS JOIN generate_series(0, ${lamps - 1}) i CROSS JOIN LATERAL (SELECT 60 + i % 40 AS watts) w
      WHERE NOT (i % 10 = 1 AND extract(day FROM t.at) = 12) ORDER BY t.at, i`);
  }
  await database.query('VACUUM ANALYZE reading');
  const { rows } = await database.query<{ n: string }>('SELECT count(*) AS n FROM reading');
  const n = Number(rows[0]?.n);
  const expected = lamps * 365 * 96 - Math.ceil((lamps - 1) / 10) * 96 * 12;
  if (n !== expected) throw new Error(`${n} readings instead of ${expected}`);
  return n;
}

/** Has the running product roll the whole year, and says how long that took, seconds. */
async function rolling(database: pg.Client): Promise<number> {
  await database.query(`UPDATE rollup_state SET closed_to = '-infinity', rolled_to = '-infinity', device_after = 0`);
  const started = performance.now();
  for (;;) {
    const { rows } = await database.query<{ done: boolean }>(
      `SELECT rolled_to > now() - interval '3 hours' AND rolled_to = closed_to
        AND NOT EXISTS (SELECT 1 FROM rollup_day_due WHERE due_at <= now()) AS done FROM rollup_state`,
    );
    if (rows[0]?.done) break;
    if (performance.now() - started > 3 * 3_600_000) throw new Error('a year was not rolled within three hours');
    await sleep(1000);
  }
  await database.query('VACUUM ANALYZE reading_hour, reading_day, energy_hour, energy_day');
  return (performance.now() - started) / 1000;
}

/**
 * By the same definition from the readings: differences of the counter; what falls begins anew; what is more than 1.5 ×
 * rated × time is left out.
 */
async function scan(database: pg.Client): Promise<Month[]> {
  const { rows } = await database.query<Month>(`SELECT step, device_id::int AS "deviceId", sum(used) AS kwh FROM (
      SELECT device_id, to_char((at - interval '1 microsecond') AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM') AS step,
        CASE WHEN kwh >= before THEN kwh - before WHEN before > 0.9e9 THEN 1e9 - before + kwh ELSE kwh END AS used,
        1.5 * 0.150 * extract(epoch FROM at - before_at)::float8 / 3600 + 0.001 AS most
      FROM (SELECT device_id, at, kwh, lag(kwh) OVER w AS before, lag(at) OVER w AS before_at
        FROM (SELECT device_id, at, (values->'energy')::float8 AS kwh FROM reading) r
        WINDOW w AS (PARTITION BY device_id ORDER BY at)) s
      WHERE before IS NOT NULL) j
    WHERE used <= most GROUP BY device_id, step ORDER BY step, device_id`);
  return rows;
}

function compare(told: readonly Month[], reckoned: readonly Month[], lamps: number): void {
  const known = new Map(reckoned.map(({ step, deviceId, kwh }) => [`${step} ${deviceId}`, kwh]));
  if (told.length !== reckoned.length || told.length < lamps * 12)
    throw new Error(`${told.length} months of lamps told, ${reckoned.length} reckoned`);
  for (const { step, deviceId, kwh } of told) {
    const other = known.get(`${step} ${deviceId}`) ?? NaN;
    if (!(Math.abs(kwh - other) <= 1e-6 * Math.max(1, other)))
      throw new Error(`lamp ${deviceId} in ${step}: ${kwh} told, ${other} reckoned`);
  }
}

async function sizesOf(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{
    name: string;
    bytes: string;
    n: string;
  }>(`SELECT p.relname AS name, sum(pg_total_relation_size(i.inhrelid)) AS bytes, sum(c.reltuples)::bigint AS n
    FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid
    WHERE p.relname IN ('reading', 'reading_hour', 'reading_day', 'energy_hour', 'energy_day') GROUP BY p.relname
      ORDER BY p.relname`);
  return rows
    .map(
      ({ name, bytes, n }) =>
        `${name} ${(Number(bytes) / 1e6).toFixed(0)} MB, ${(Number(bytes) / Math.max(1, Number(n))).toFixed(0)} B a row`,
    )
    .join('; ');
}

async function curves(product: Product, token: string, begin: string, today: string): Promise<Figure[]> {
  const ask = async (what: string, reach: number, query: string, devices = 1): Promise<Figure> => {
    const samples: number[] = [];
    let points = 0;
    for (let i = 0; i < 7; i += 1) {
      // Others than the time before; with --small there are a hundred.
      const ids = Array.from({ length: devices }, (_, n) => firstId + 10 + ((i * devices) % 80) + n).join(',');
      const [{ series }, ms] = await timed(() =>
        get<{ series: { points: unknown[] }[] }>(product, token, `/api/v1/history/series?deviceIds=${ids}&${query}`),
      );
      points = series.reduce((sum, one) => sum + one.points.length, 0);
      samples.push(ms);
    }
    if (points === 0) throw new Error(`no points: ${what}`);
    return {
      name: `Curve of ${devices === 1 ? 'one lamp' : `${devices} lamps`}: ${what}`,
      value: median(samples),
      unit: 'ms',
      reach,
      samples,
      note: `${points} points; absolute on this machine`,
    };
  };
  const year = `from=${begin}T00:00:00Z&to=${today}T00:00:00Z`;
  const week = new Date(Date.parse(today) - 40 * dayMs).toISOString();
  const end = new Date(Date.parse(today) - 33 * dayMs).toISOString();
  const night = new Date(Date.parse(week) + dayMs).toISOString();
  return [
    await ask(
      'a year, days of eight quantities',
      300,
      `${year}&resolution=day&quantities=level,power,relay,voltage,current,powerFactor,temperature,energy`,
    ),
    await ask('a year, hours of two quantities', 600, `${year}&resolution=hour&quantities=power,voltage`),
    await ask(
      'a week, readings of eight quantities',
      300,
      `from=${week}&to=${end}&resolution=raw&quantities=level,power,relay,voltage,current,powerFactor,temperature,energy`,
    ),
    await ask(
      'a week, quarters of an hour of eight quantities',
      400,
      `from=${week}&to=${end}&resolution=15m&quantities=level,power,relay,voltage,current,powerFactor,temperature,energy`,
    ),
    await ask(
      'a day, readings of two quantities',
      300,
      `from=${week}&to=${night}&resolution=raw&quantities=level,power`,
      mostCurveDevices,
    ),
    await ask('a year, days of two quantities', 600, `${year}&resolution=day&quantities=level,power`, mostCurveDevices),
  ];
}
