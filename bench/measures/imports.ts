import { readFileSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct, type Product } from '../../e2e/fixtures/product.ts';
import type { Measure } from '../measure.ts';
import { timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const poles = 100_000;
const roads = 200;

/** 100,000 poles out of a CSV file, looked at and written, against COPY of the same rows into the same table. */
export const imports: Measure = {
  key: 'imports',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await database.query(`INSERT INTO work_area (id, work_code, work_name) VALUES (900, 'BENCH', 'bench')
        ON CONFLICT DO NOTHING;
        INSERT INTO road (id, work_area_id, road_code, road_name) SELECT 90000 + i, 900, 'BR' || i, 'Bench road ' || i
          FROM generate_series(1, ${roads}) i`);
      const copied = await copy(database);
      const { seconds, grown } = await imported(product, admin);
      const {
        rows: [counted],
      } = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM device WHERE family = 'lamp-pole' AND work_area_id = 900`,
      );
      if (counted?.n !== poles) throw new Error(`${counted?.n ?? 0} poles of ${poles} are there`);
      const again = await copy(database, 'lamp-pole-again');
      const anchor = (copied + again) / 2;
      return [
        {
          name: `Import of ${poles} poles against COPY of the same rows`,
          value: seconds / anchor,
          unit: 'times',
          reach: 15,
          samples: [seconds, copied, again],
          note: `${seconds.toFixed(1)} s from upload to written, every row judged; COPY with the same indexes ${copied.toFixed(1)} and ${again.toFixed(1)} s, before and after`,
        },
        {
          name: 'Memory the process grows by during the import',
          value: Math.max(...grown),
          unit: 'MB',
          reach: 300,
          samples: grown,
          note: 'resident; the file is 7 MB',
        },
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

const codeOf = (i: number): string => `BP-${String(i).padStart(6, '0')}`;
const placeOf = (i: number): [number, number] => [120 + (i % 400) * 0.0005, 30 + Math.floor(i / 400) * 0.0005];

/**
 * The anchor: the rows as the table has them, from a file, into the table with its indexes; taken away again. Seconds.
 */
async function copy(database: pg.Client, family = 'lamp-pole'): Promise<number> {
  const file = join(tmpdir(), `lampyris-bench-${process.pid}.csv`);
  const lines = Array.from({ length: poles }, (_, i) => {
    const [x, y] = placeOf(i);
    return `${family},900,${codeOf(i)},Bench pole ${i},${90001 + (i % roads)},${x},${y},t,150,"{""equipmentTypeId"":""equipment_type_13"",""lampNum"":1,""lamppostTypeId"":""single_arm"",""material"":""steel""}"\n`;
  });
  writeFileSync(file, lines.join(''), { mode: 0o644 });
  try {
    return (
      (await timed(() =>
        database.query(
          `COPY device (family, work_area_id, equipment_code, equipment_name, road_id, longitude, latitude, enabled,
            rated_watts, props) FROM '${file}' WITH (FORMAT csv)`,
        ),
      )) / 1000
    );
  } finally {
    rmSync(file, { force: true });
    await database.query('DELETE FROM device WHERE family = $1 AND work_area_id = 900 AND equipment_code LIKE $2', [
      family,
      'BP-%',
    ]);
    await database.query('VACUUM ANALYZE device');
  }
}

interface Imported {
  id: number;
  plan: { fields: object };
  counts: Record<string, number> | null;
  task: { state: string; error: string | null } | null;
}

async function imported(product: Product, admin: Client): Promise<{ seconds: number; grown: number[] }> {
  const lines = Array.from({ length: poles }, (_, i) => {
    const [x, y] = placeOf(i);
    return `${codeOf(i)},Bench pole ${i},BENCH,Bench road ${1 + (i % roads)},${x},${y},150,equipment_type_13,1,single_arm,steel\n`;
  });
  const file = `equipmentCode,equipmentName,workId,roadId,longitude,latitude,power,equipmentTypeId,lampNum,lamppostTypeId,material\n${lines.join('')}`;
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
  const before = memory();
  const grown: number[] = [];
  const begun = performance.now();
  const reply = await fetch(`${product.url}/api/v1/imports?family=lamp-pole&name=bench.csv`, {
    method: 'POST',
    headers: { authorization: admin.token, 'content-type': 'application/octet-stream' },
    body: file,
  });
  const one = (await reply.json()) as Imported;
  const ended = async () => {
    for (;;) {
      const now = await admin.get<Imported>(`/api/v1/imports/${one.id}`);
      grown.push(memory() - before);
      if (now.task && now.task.state !== 'queued' && now.task.state !== 'running') return now;
      await sleep(100);
    }
  };
  await admin.send('POST', `/api/v1/imports/${one.id}/check`, one.plan);
  const checked = await ended();
  if (checked.counts?.['new'] !== poles)
    throw new Error(`the check did not end well: ${JSON.stringify(checked.counts)} ${checked.task?.error ?? ''}`);
  await admin.send('POST', `/api/v1/imports/${one.id}/apply`, { rows: 'all' });
  const written = await ended();
  if (written.task?.state !== 'done') throw new Error(`the import did not end well: ${written.task?.error ?? ''}`);
  return { seconds: (performance.now() - begun) / 1000, grown };
}
