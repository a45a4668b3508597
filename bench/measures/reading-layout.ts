import type pg from 'pg';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { copyIn } from '../copy-in.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

/** What history could be keyed by; decision record 27 chose `blocks`. */
const layouts = {
  time: ['PRIMARY KEY (at, device_id)', 'CREATE INDEX ON $t (device_id, at DESC)'],
  blocks: [
    'PRIMARY KEY (device_id, at)',
    'CREATE INDEX ON $t USING brin (at) WITH (pages_per_range = 16, autosummarize = on)',
  ],
  device: ['PRIMARY KEY (device_id, at)'],
} as const;
type Layout = keyof typeof layouts;
const names = Object.keys(layouts) as Layout[];

const devices = 10_000;
const perBatch = 1000;
const everyMs = 900_000;
const dayMs = 86_400_000;
const from = Date.parse('2026-01-01T00:00:00Z');
const columns = '(at, device_id, received_at, quality, values)';

/**
 * The layouts side by side: 1,000-row batches in time order of 10,000 devices into each in turn, size, and what the
 * product asks of them.
 */
export const readingLayout: Measure = {
  key: 'reading-layout',
  async run() {
    const rounds = process.argv.includes('--small') ? 48 : 208;
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      for (const name of names) await make(database, name, Math.ceil((rounds * everyMs) / dayMs));
      const spent = await fill(database, rounds);
      const figures: Figure[] = [];
      for (const name of names) figures.push(...(await look(database, name, rounds, spent[name], spent.time)));
      return figures;
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

async function make(database: pg.Client, name: Layout, days: number): Promise<void> {
  const table = `layout_${name}`;
  const [key, ...indexes] = layouts[name];
  await database.query(`CREATE TABLE ${table} (at timestamptz NOT NULL, device_id bigint NOT NULL,
    received_at timestamptz NOT NULL, quality smallint NOT NULL DEFAULT 0,
    values jsonb NOT NULL, rejected jsonb, ${key}) PARTITION BY RANGE (at)`);
  for (const index of indexes) await database.query(index.replace('$t', table));
  for (let day = 0; day < days; day += 1) {
    const [begin, end] = [0, 1].map((more) => new Date(from + (day + more) * dayMs).toISOString());
    await database.query(
      `CREATE TABLE ${table}_${day} PARTITION OF ${table} FOR VALUES FROM ('${begin}') TO ('${end}')`,
    );
  }
}

/**
 * Batches as they come: every device once a quarter of an hour, in an order of its own, written to each layout in turn.
 * Milliseconds and bytes of log a batch.
 */
async function fill(database: pg.Client, rounds: number): Promise<Record<Layout, { ms: number[]; log: number[] }>> {
  const spent: Record<Layout, { ms: number[]; log: number[] }> = {
    time: { ms: [], log: [] },
    blocks: { ms: [], log: [] },
    device: { ms: [], log: [] },
  };
  const order = Array.from({ length: devices }, (_, index) => ((index * 7919) % devices) + 1);
  for (let round = 0; round < rounds; round += 1) {
    for (let first = 0; first < devices; first += perBatch) {
      const rows = Buffer.from(
        order
          .slice(first, first + perBatch)
          .map((id, index) => rowOf(id, from + round * everyMs + Math.floor(((first + index) / devices) * everyMs)))
          .join(''),
      );
      const turn = (round + first / perBatch) % names.length;
      for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
        const before = await written(database);
        spent[name].ms.push(await timed(() => copyIn(database, `COPY layout_${name} ${columns} FROM STDIN`, rows)));
        spent[name].log.push((await written(database)) - before);
      }
    }
  }
  return spent;
}

function rowOf(id: number, at: number): string {
  const time = new Date(at).toISOString();
  const values = {
    level: at % 101,
    power: (at % 1500) / 10,
    relay: true,
    voltage: 220 + (id % 100) / 10,
    current: (id % 999) / 1000,
    energy: (at % 1e6) / 1000,
    powerFactor: 0.958,
    temperature: 41.2,
  };
  return `${time}\t${id}\t${time}\t0\t${JSON.stringify(values)}\n`;
}

const written = async (database: pg.Client): Promise<number> =>
  Number((await database.query<{ at: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS at`)).rows[0]?.at);

async function look(
  database: pg.Client,
  name: Layout,
  rounds: number,
  { ms, log }: { ms: number[]; log: number[] },
  anchor: { ms: number[]; log: number[] },
): Promise<Figure[]> {
  const table = `layout_${name}`;
  const rows = rounds * devices;
  await database.query(`VACUUM (ANALYZE) ${table}`);
  const {
    rows: [found],
  } = await database.query<{ n: string; bytes: string; indexes: string }>(`SELECT (SELECT count(*) FROM ${table}) AS n,
    sum(pg_total_relation_size(relid)) AS bytes, sum(pg_indexes_size(relid)) AS indexes
      FROM pg_partition_tree('${table}')`);
  if (Number(found?.n) !== rows) throw new Error(`${table} has ${found?.n} rows of ${rows}`);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const ratios = ms.map((value, index) => value / (anchor.ms[index] ?? Number.NaN));
  const asks: Record<string, (step: number) => string> = {
    'curve of one device over everything': (step) =>
      `SELECT at, values->>'power' FROM ${table} WHERE device_id = ${((step * 997) % devices) + 1}
        AND at >= '${new Date(from).toISOString()}' ORDER BY at`,
    'newest page of one device': (step) =>
      `SELECT at, values FROM ${table} WHERE device_id = ${((step * 991) % devices) + 1} ORDER BY at DESC LIMIT 20`,
    'one hour of all devices': (step) => {
      const begin = from + ((step * 5) % Math.floor(rounds / 4)) * 3_600_000;
      return `SELECT device_id, max((values->>'energy')::float8) FROM ${table}
        WHERE at >= '${new Date(begin).toISOString()}' AND at < '${new Date(begin + 3_600_000).toISOString()}'
        GROUP BY device_id`;
    },
  };
  const asked: Figure[] = [];
  for (const [what, text] of Object.entries(asks)) asked.push(await ask(database, what, name, text));
  return [
    {
      name: `History by ${name}: a batch against history by time`,
      value: median(ratios),
      unit: 'times',
      reach: 2,
      samples: ratios.filter((_, index) => index % 20 === 0),
      note: `${((rows / total(ms)) * 1000).toFixed(0)} rows/s, ${(total(log) / rows).toFixed(0)} bytes of log a row`,
    },
    {
      name: `History by ${name}: bytes a row`,
      value: Number(found?.bytes) / rows,
      unit: 'bytes',
      reach: 400,
      samples: [Number(found?.bytes)],
      note: `indexes ${(Number(found?.indexes) / rows).toFixed(1)} bytes a row, ${rows} rows of 8 values`,
    },
    ...asked,
  ];
}

async function ask(database: pg.Client, what: string, name: Layout, text: (step: number) => string): Promise<Figure> {
  const samples: number[] = [];
  const pages: number[] = [];
  for (let step = 0; step < 20; step += 1) {
    samples.push(await timed(() => database.query(text(step))));
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text(step)}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    pages.push((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0));
  }
  return {
    name: `History by ${name}: ${what}`,
    value: median(samples),
    unit: 'ms',
    reach: 1000,
    samples,
    note: `${median(pages)} pages`,
  };
}
