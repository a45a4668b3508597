import { setTimeout as sleep } from 'node:timers/promises';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { freePort } from '../../e2e/fixtures/free-port.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { exampleScheme } from '../../catalogue/lighting/plan/examples.ts';
import { onLentDatabase } from '../lent-database.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { registerPlanned } from '../planned-lamps.ts';
import { productDatabase, withoutIndexes } from '../product-database.ts';

const firstId = 8_000_001;
const password = 'Plans-4711-night';

interface Slice {
  readonly what: 'bare' | 'settings' | 'stored' | 'proven' | 'warm' | 'bytes';
  readonly seconds: number;
  readonly nodeSeconds: number;
  readonly databaseSeconds: number;
}

/** What it costs to tell lamps a plan, and to prove by their readings that they run it. */
export const plans: Measure = {
  key: 'plans',
  async run() {
    const small = process.argv.includes('--small');
    const [lamps, rounds] = small ? [10_000, 3] : [100_000, 5];
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      await registerPlanned(database, firstId, lamps);
      const slices = await onLentDatabase<Slice>(product, database, 'plan-speed.ts', [firstId, lamps, rounds]);
      const bytes = slices.find(({ what }) => what === 'bytes')?.seconds ?? Number.NaN;
      return [
        against(
          slices,
          ['settings', 'bare'],
          `Plans to ${lamps} retained topics, against a bare loop of retained messages on the same broker`,
          2,
          `${bytes} bytes each`,
        ),
        against(
          slices,
          ['proven', 'stored'],
          `Proving a switch-on of ${lamps} lamps, against storing the same readings alone`,
          1.15,
          'each lamp proven by one reading',
        ),
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

function against(
  slices: readonly Slice[],
  [work, anchor]: readonly [Slice['what'], Slice['what']],
  name: string,
  reach: number,
  note: string,
): Figure {
  const of = (what: Slice['what']) => slices.filter((slice) => slice.what === what);
  const samples = of(work).map(({ seconds }, index) => seconds / (of(anchor)[index]?.seconds ?? Number.NaN));
  const told = (what: Slice['what']) =>
    `${median(of(what).map(({ seconds }) => seconds)).toFixed(2)} s (${median(of(what).map(({ nodeSeconds }) => nodeSeconds)).toFixed(2)} s of the server’s processor, ${median(of(what).map((slice) => slice.databaseSeconds)).toFixed(2)} s of the database’s)`;
  return {
    name,
    value: median(samples),
    unit: '×',
    reach,
    samples,
    note: `${told(work)} against ${told(anchor)}; ${note}; ${samples.length} rounds`,
  };
}

/** Why a lamp is as it is, beside the plain page of its device. */
export const why: Measure = {
  key: 'why',
  async run() {
    const small = process.argv.includes('--small');
    const [lamps, rounds] = small ? [10_000, 300] : [100_000, 1500];
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, password);
      await registerPlanned(database, firstId, lamps);
      await database.query(
        `INSERT INTO reading (at, device_id, received_at, values)
          SELECT now() - interval '5 minutes', i, now(), '{"level": 60, "power": 60, "relay": true, "voltage": 226.8}'
          FROM generate_series($1::bigint, $2::bigint) i`,
        [firstId, firstId + lamps - 1],
      );
      await database.query('VACUUM ANALYZE reading');
      const [plain, asked]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds + 50; round += 1) {
        const id = firstId + ((round * 7919) % lamps);
        const page = await timed(() => admin.get(`/api/v1/devices/${id}`));
        const answer = await timed(() => admin.get(`/api/v1/lamps/${id}/why`));
        // The first ones find their plans.
        if (round < 50) continue;
        plain.push(page);
        asked.push(answer);
      }
      const [page, answer] = [percentile(plain, 0.95), percentile(asked, 0.95)];
      return [
        {
          name: `Why a lamp of ${lamps} is as it is, 95 % of answers within, against the plain page of its device`,
          value: answer / page,
          unit: '×',
          reach: 3,
          samples: [answer, page, median(asked), median(plain)],
          note: `${answer.toFixed(1)} against ${page.toFixed(1)} ms; half within ${median(asked).toFixed(1)} and ${median(plain).toFixed(1)} ms; ${rounds} lamps, one after the other; samples: both, then both halves, ms`,
        },
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

/** How long the simulation of a whole city keeps others waiting in the process that begins it. */
export const simulation: Measure = {
  key: 'simulation',
  async run() {
    const lamps = process.argv.includes('--small') ? 100_000 : 1_000_000;
    const metricsPort = await freePort();
    const product = await startProduct({ env: { METRICS_PORT: String(metricsPort) } });
    const database = await productDatabase(product.dataDir);
    const longest = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return 1000 * Number(/^lampyris_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(text)?.[1]);
    };
    try {
      const admin = await signInAdmin(product, password);
      // Without triggers and foreign keys: the server would tell each of a million lamps what to do, and note the change.
      await database.query('SET session_replication_role = replica');
      try {
        await withoutIndexes(database, 'device', async () => {
          await registerPlanned(database, firstId, lamps);
          await standInRows(database.query.bind(database), Math.min(lamps, 100_000));
        });
        await database.query('VACUUM ANALYZE device');
      } finally {
        await database.query('RESET session_replication_role');
      }
      const { id } = await admin.send<{ id: number }>('POST', '/api/v1/schemes', {
        code: 'SIM',
        name: '节能方案',
        workAreaId: null,
      });
      await admin.send('PUT', `/api/v1/schemes/${id}/draft`, { version: 1, content: exampleScheme(40) });
      // Of reading so many rows into the database.
      await longest();
      await sleep(5000);
      const quiet = await longest();
      const begun = performance.now();
      const found = await simulated(admin, id);
      const seconds = (performance.now() - begun) / 1000;
      const worst = await longest();
      if (found !== lamps) throw new Error(`${found} lamps of ${lamps} simulated`);
      return [
        {
          name: `Longest block of the event loop while a year of ${lamps} lamps is simulated`,
          value: worst,
          unit: 'ms',
          reach: 50,
          samples: [worst, quiet],
          note: `a timer of 20 ms, of the server that reads the lamps and stores the result; without anything to do ${quiet.toFixed(0)} ms; whole simulation ${seconds.toFixed(0)} s; 100,000 lamps stand in rows that follow different plans`,
        },
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

/** Lamps stand in rows of 50, every third of which follows no plan. */
async function standInRows(query: (text: string, values?: unknown[]) => Promise<unknown>, count: number) {
  await query(
    `INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
      SELECT 2000000 + i, 900, 'BR-' || i, 'bench', 'arterial' FROM generate_series(0, $1::int) i`,
    [count / 50],
  );
  await query(
    `INSERT INTO device (id, family, work_area_id, equipment_code, road_id, search_words)
      SELECT $1::bigint + 1000000 + i, 'lamp-pole', 900, 'BP-' || i, 2000000 + i / 50, ''
      FROM generate_series(0, $2::int - 1) i`,
    [firstId, count],
  );
  await query(
    `INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
      SELECT $1::bigint + 1000000 + i, 2000000 + i / 50, 'left', i % 50, 50, 'auto'
      FROM generate_series(0, $2::int - 1) i`,
    [firstId, count],
  );
  await query(
    `UPDATE device SET pole_id = id + 1000000, road_id = 2000000 + (id - $1::bigint) / 50
      WHERE id BETWEEN $1 AND $1::bigint + $2::int - 1`,
    [firstId, count],
  );
  await query(
    `DELETE FROM plan_assignment WHERE device_id % 3 = 0 AND device_id BETWEEN $1 AND $1::bigint + $2::int - 1`,
    [firstId, count],
  );
  await query('VACUUM ANALYZE device, lamp_position, plan_assignment');
}

/** The number of lamps of a simulation of everything; half a second passes between two looks at it. */
async function simulated(admin: Client, schemeId: number): Promise<number> {
  const { id } = await admin.send<{ id: number }>('POST', '/api/v1/plan-simulations', {
    scope: { workAreaId: 900 },
    from: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    to: new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10),
    b: { schemeId },
  });
  for (;;) {
    await sleep(500);
    const { task, result } = await admin.get<{
      task: { state: string; endedAt: string | null } | null;
      result: { lamps: number } | null;
    }>(`/api/v1/plan-simulations/${id}`);
    if (result) return result.lamps;
    if (task?.endedAt) throw new Error(`the simulation ended as ${task.state}`);
  }
}
