import type pg from 'pg';
import { signInAdmin } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const devices = 1_000_000;
const roads = 500;
const rounds = 60;
const size = 20;

/** Lists of 1,000,000 poles: pages, filters and orders through HTTP against the bare SQL of the same rows; a jump to page 50,000. */
export const deviceLists: Measure = {
  key: 'device-lists',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await fill(database);
      const figures: Figure[] = [];
      for (const { name, query, bare } of asks) {
        const [ours, theirs]: [number[], number[]] = [[], []];
        for (let round = -3; round < rounds; round += 1) {
          const [product1, bare1] = [await timed(() => admin.get(`/api/v1/devices?${new URLSearchParams({ family: 'lamp-pole', size: String(size), ...query(round) })}`)), await timed(() => database.query(bare(round)))];
          if (round >= 0) { ours.push(product1); theirs.push(bare1); }
        }
        const [mine, anchor] = [percentile(ours, 0.95), percentile(theirs, 0.95)];
        figures.push({ name: `${devices} poles, ${name}, p95 against bare SQL`, value: mine / anchor, unit: 'times', reach: 3, samples: ours, note: `${mine.toFixed(1)} ms (median ${percentile(ours, 0.5).toFixed(1)}) against ${anchor.toFixed(1)} ms (median ${percentile(theirs, 0.5).toFixed(1)}); ${rounds} different asks` });
      }
      const jumps: number[] = [];
      for (let round = 0; round < 20; round += 1) jumps.push(await timed(() => admin.get(`/api/v1/devices?family=lamp-pole&size=${size}&page=${49_900 + round * 5}`)));
      figures.push({ name: `${devices} poles, a jump to page 50,000, p95`, value: percentile(jumps, 0.95), unit: 'ms', reach: 200, samples: jumps, note: `median ${percentile(jumps, 0.5).toFixed(1)} ms` });
      return figures;
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

const page = (round: number): number => 1 + ((round + 3) * 7) % 200;
const row = `SELECT d.*, a.work_name, r.road_name FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN road r ON r.id = d.road_id`;
const road = (round: number): number => 90_001 + ((round + 3) * 17) % roads;
const asks: readonly { readonly name: string; readonly query: (round: number) => Record<string, string>; readonly bare: (round: number) => string }[] = [
  { name: 'any of the first 200 pages', query: (round) => ({ page: String(page(round)) }), bare: (round) => `${row} WHERE d.family = 'lamp-pole' ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${size} OFFSET ${(page(round) - 1) * size}` },
  { name: 'the same backwards', query: (round) => ({ page: String(page(round)), sort: 'equipmentCode,desc' }), bare: (round) => `${row} WHERE d.family = 'lamp-pole' ORDER BY d.equipment_code COLLATE natural_order DESC, d.id DESC LIMIT ${size} OFFSET ${(page(round) - 1) * size}` },
  { name: 'one road', query: (round) => ({ roadId: String(road(round)) }), bare: (round) => `${row} WHERE d.family = 'lamp-pole' AND d.road_id = ${road(round)} ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${size}` },
  { name: 'a rare material on one road', query: (round) => ({ roadId: String(road(round)), material: 'composite' }), bare: (round) => `${row} WHERE d.family = 'lamp-pole' AND d.road_id = ${road(round)} AND d.props @> '{"material":"composite"}' ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${size}` },
];

/** Poles in one area; the indexes are made afterwards, which is quicker. */
async function fill(database: pg.Client): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(`SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'device' AND indexname <> 'device_pkey'`);
  await database.query(`INSERT INTO work_area (id, work_code, work_name) VALUES (900, 'BENCH', 'bench') ON CONFLICT DO NOTHING;
    INSERT INTO road (id, work_area_id, road_code, road_name) SELECT 90000 + i, 900, 'BR' || i, 'Bench road ' || i FROM generate_series(1, ${roads}) i;
    ${indexes.map(({ name }) => `DROP INDEX ${name};`).join('')}`);
  await database.query(`INSERT INTO device (family, work_area_id, equipment_code, equipment_name, road_id, longitude, latitude, props, search_words)
    SELECT 'lamp-pole', 900, 'BP-' || i, 'Bench pole ' || i, 90001 + i % ${roads}, 120 + i % 1000 * 0.0001, 30 + i / 1000 * 0.0001,
      jsonb_build_object('equipmentTypeId', 'equipment_type_13', 'material', CASE WHEN i % 97 = 0 THEN 'composite' ELSE 'steel' END), ''
    FROM generate_series(1, ${devices}) i`);
  await database.query(indexes.map(({ definition }) => `${definition};`).join(''));
  await database.query('VACUUM ANALYZE device');
}
