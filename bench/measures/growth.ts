import { signInAdmin, login } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const password = 'Growth-4711-lamp';
const rounds = 15;

/** A page of a list and a sign-in beside more and more registered devices: they must not notice. */
export const growth: Measure = {
  key: 'growth',
  async run() {
    const sizes = process.argv.includes('--small') ? [1000, 10_000, 100_000] : [10_000, 100_000, 1_000_000];
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, password);
      await database.query(
        `INSERT INTO work_area (id, work_code, work_name) VALUES (900, 'BENCH', 'bench') ON CONFLICT DO NOTHING`,
      );
      const lists: number[] = [];
      const signIns: number[] = [];
      let there = 0;
      for (const size of sizes) {
        await database.query(
          `INSERT INTO device (family, work_area_id, equipment_code, rated_watts, search_words)
            SELECT 'single-lamp-controller', 900, 'BG-' || i, 100, '' FROM generate_series($1::int, $2::int) i`,
          [there + 1, size],
        );
        await database.query('VACUUM ANALYZE device');
        there = size;
        // The first ones find their plans.
        for (let round = 0; round < 3; round += 1)
          await admin.get('/api/v1/devices?family=single-lamp-controller&size=50');
        lists.push(await of(() => admin.get('/api/v1/devices?family=single-lamp-controller&size=50')));
        signIns.push(await of(() => login(product.url, 'admin', password)));
      }
      return [figure('A page of 50 devices', sizes, lists), figure('A sign-in', sizes, signIns)];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

async function of(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work));
  return median(times);
}

const figure = (name: string, sizes: readonly number[], costs: readonly number[]): Figure => ({
  name: `${name}, growth from ${sizes[0]} to ${sizes.at(-1)} devices`,
  value:
    Math.log((costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN)) /
    Math.log((sizes.at(-1) ?? Number.NaN) / (sizes[0] ?? Number.NaN)),
  unit: 'exponent',
  reach: 0.15,
  samples: costs,
  note: `median ms for ${sizes.join(', ')} devices`,
});
