import type pg from 'pg';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { onLentDatabase } from '../lent-database.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { productDatabase } from '../product-database.ts';

const firstId = 7_000_001;
type What = 'raw' | 'command' | 'touch' | 'single' | 'group' | 'warm';
interface Slice {
  readonly what: What;
  readonly seconds: number;
  readonly nodeSeconds: number;
  readonly databaseSeconds: number;
}

/**
 * A command to lamps on real connections, rows and operation log written, against a loop that publishes the same to the
 * same clients; and how one command and a group's grow.
 */
export const commandsAtScale: Measure = {
  key: 'commands-scale',
  async run() {
    const small = process.argv.includes('--small');
    const [connected, sizes] = small ? [1000, [1000, 10_000, 100_000]] : [10_000, [10_000, 100_000, 1_000_000]];
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    const figures: Figure[] = [];
    const [single, touch, group]: [number[], number[], number[]] = [[], [], []];
    try {
      await database.query(`INSERT INTO work_area (id, work_code, work_name) VALUES (901, 'BENCHC', 'bench')
        ON CONFLICT DO NOTHING;
        INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (1900001, 901, 'BC1', 'connected')
          ON CONFLICT DO NOTHING;
        INSERT INTO equipment_group (id, work_area_id, group_code, group_name, family)
          VALUES (1900002, 901, 'BC2', 'group', 'single-lamp-controller') ON CONFLICT DO NOTHING`);
      let there = 0;
      for (const size of sizes) {
        await register(database, there, size, connected);
        there = size;
        // The product would send these commands too, to its own broker: it lends its database and stands still.
        const rounds = size === sizes[0] ? 8 : 2;
        const slices = await onLentDatabase<Slice>(product, database, 'command-speed.ts', [firstId, connected, rounds]);
        // Each slice counted its own rows; a missing one has measured nothing.
        if (slices.filter(({ what }) => what === 'group').length !== 2)
          throw new Error(`the script ended after ${slices.length} slices`);
        const seconds = (what: What) => slices.filter((slice) => slice.what === what).map((slice) => slice.seconds);
        single.push(median(seconds('single')));
        touch.push(median(seconds('touch')));
        group.push(median(seconds('group')));
        if (size === sizes[0]) figures.push(against(connected, slices));
      }
      figures.push(
        growth('A command to one lamp', sizes, single, 0.15),
        growth('A command to a tenth of the lamps', sizes, group, 1.05),
      );
      // What else the machine did in those minutes slowed both.
      figures.push(
        growth(
          'A command to one lamp, against a row and a message beside it',
          sizes,
          single.map((cost, n) => cost / (touch[n] ?? Number.NaN)),
          0.15,
          `times for ${sizes.join(', ')} devices; seconds of the row and the message: ${touch.map((each) => each.toPrecision(3)).join(', ')}`,
        ),
      );
      return figures;
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

/** The first ones are connected and on one road; the first tenth is a group. */
async function register(database: pg.Client, from: number, to: number, connected: number): Promise<void> {
  await database.query(`INSERT INTO device (id, family, work_area_id, equipment_code, rated_watts, road_id,
    search_words)
    SELECT ${firstId} + i, 'single-lamp-controller', 901, 'BK-' || i, 100, CASE WHEN i < ${connected} THEN 1900001 END,
      '' FROM generate_series(${from}, ${to - 1}) i`);
  await database.query(
    `UPDATE device SET group_id = 1900002 WHERE id >= ${firstId + from / 10} AND id < ${firstId + to / 10}`,
  );
  await database.query('VACUUM ANALYZE device');
}

function against(connected: number, slices: readonly Slice[]): Figure {
  const of = (what: What) => slices.filter((slice) => slice.what === what);
  const ratios = of('command').map((slice, index) => slice.seconds / (of('raw')[index]?.seconds ?? Number.NaN));
  const told = (what: What) =>
    `${median(of(what).map(({ seconds }) => seconds)).toFixed(2)} s (${median(of(what).map(({ nodeSeconds }) => nodeSeconds)).toFixed(2)} s of the server’s processor, ${median(of(what).map(({ databaseSeconds }) => databaseSeconds)).toFixed(2)} s of the database’s)`;
  return {
    name: `Command to ${connected} connected lamps, rows and operation log written, against publishing alone`,
    value: median(ratios),
    unit: 'times',
    reach: 4,
    samples: ratios,
    note: `${told('command')} against ${told('raw')}`,
  };
}

const growth = (
  name: string,
  sizes: readonly number[],
  costs: readonly number[],
  reach: number,
  note = `seconds for ${sizes.join(', ')} devices`,
): Figure => ({
  name: `${name}, growth from ${sizes[0]} to ${sizes.at(-1)} devices`,
  value: Math.log((costs.at(-1) ?? NaN) / (costs[0] ?? NaN)) / Math.log((sizes.at(-1) ?? NaN) / (sizes[0] ?? NaN)),
  unit: 'exponent',
  reach,
  samples: costs,
  note,
});
