import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { productDatabase } from '../product-database.ts';

const firstId = 5_000_001;
const inFlight = 3000;

/** One slice of the script: rows into `reading` by COPY or by the path of readings, wall and processor seconds. */
interface Slice {
  readonly what: 'copy' | 'ingest' | 'rows';
  readonly rows: number;
  readonly seconds: number;
  readonly nodeSeconds: number;
  readonly databaseSeconds: number;
  readonly refused?: Record<string, number>;
}

/**
 * Readings checked, told apart from repeats, written to history and latest values and committed, against COPY of the
 * same rows; and how that grows.
 */
export const ingest: Measure = {
  key: 'ingest',
  async run() {
    const small = process.argv.includes('--small');
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      await database.query(
        `INSERT INTO work_area (id, work_code, work_name) VALUES (900, 'BENCH', 'bench') ON CONFLICT DO NOTHING`,
      );
      const sizes = small ? [1000, 10_000, 100_000] : [10_000, 100_000, 1_000_000];
      const costs: number[] = [];
      const figures: Figure[] = [];
      let there = 0;
      for (const [index, size] of sizes.entries()) {
        await register(database, there, size);
        there = size;
        // A minute a slice, two slices a round; later sizes tell of later minutes, so that no reading is told twice.
        const minutes = sizes.slice(index).reduce((sum, one) => sum + 2 * roundsOf(one), 0);
        const slices = await run(product.dataDir, size, roundsOf(size), minutes);
        // The first of each makes the rows of latest values and warms up.
        const of = (what: Slice['what']) => slices.filter((slice) => slice.what === what).slice(1);
        costs.push(median(of('ingest').map((slice) => slice.seconds)));
        figures.push(against(size, of('copy'), of('ingest')));
      }
      const growth =
        Math.log((costs.at(-1) ?? NaN) / (costs[0] ?? NaN)) / Math.log((sizes.at(-1) ?? NaN) / (sizes[0] ?? NaN));
      figures.push({
        name: `Ingest of one reading of each device, growth from ${sizes[0]} to ${sizes.at(-1)} devices`,
        value: growth,
        unit: 'exponent',
        reach: 1.05,
        samples: costs,
        note: `seconds for ${sizes.join(', ')} devices`,
      });
      return figures;
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

const roundsOf = (size: number): number => (size > 100_000 ? 4 : size > 10_000 ? 11 : 21);

async function register(database: pg.Client, from: number, to: number): Promise<void> {
  await database.query(`INSERT INTO device (id, family, work_area_id, equipment_code, rated_watts, search_words)
    SELECT ${firstId} + i, 'single-lamp-controller', 900, 'BL-' || i, 100, ''
      FROM generate_series(${from}, ${to - 1}) i`);
  await database.query('VACUUM ANALYZE device');
}

async function run(dataDir: string, devices: number, rounds: number, minutesAgo: number): Promise<Slice[]> {
  const script = join(import.meta.dirname, '../../server/src/testing/scripts/ingest-speed.ts');
  const url = `postgres://lampyris@localhost/lampyris?host=${encodeURIComponent(join(dataDir, 'postgres/run'))}&port=5432`;
  const child = spawn(
    process.execPath,
    [script, String(firstId), String(devices), String(rounds), String(minutesAgo), String(inFlight)],
    { env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const slices: Slice[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => slices.push(JSON.parse(line) as Slice));
  const [code] = (await once(child, 'close')) as [number];
  const counted = slices.find(({ what }) => what === 'rows');
  // A fast run that lost a row, or refused one, has measured nothing.
  if (code !== 0 || counted?.rows !== 2 * devices * rounds || Object.keys(counted.refused ?? {}).length > 0)
    throw new Error(
      `ended with ${code}: ${counted?.rows} rows of ${2 * devices * rounds}, refused ${JSON.stringify(counted?.refused)}`,
    );
  return slices;
}

/** COPY stands beside each slice, before or after it in turn. */
function against(devices: number, copies: readonly Slice[], stored: readonly Slice[]): Figure {
  const ratios = stored.map((slice, index) => slice.seconds / (copies[index]?.seconds ?? Number.NaN));
  const per = (slices: readonly Slice[], of: (slice: Slice) => number) =>
    median(slices.map((slice) => (of(slice) / slice.rows) * 1e6)).toFixed(0);
  const rate = (slices: readonly Slice[]) => median(slices.map((slice) => slice.rows / slice.seconds)).toFixed(0);
  return {
    name: `Durable ingest against COPY, ${devices} devices`,
    value: median(ratios),
    unit: 'times',
    reach: 1 / 0.35,
    samples: ratios,
    note: `${rate(stored)} against ${rate(copies)} rows/s (share ${(1 / median(ratios)).toFixed(2)}); a row takes ${per(stored, (slice) => slice.nodeSeconds)} µs of the server's and ${per(stored, (slice) => slice.databaseSeconds)} µs of the database's processor, COPY ${per(copies, (slice) => slice.nodeSeconds)} and ${per(copies, (slice) => slice.databaseSeconds)}`,
  };
}
