import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeXlsxStream } from 'hucre/xlsx';
import type pg from 'pg';
import type { ReplyOf } from '../../contract/route.ts';
import type { getTask } from '../../contract/desk/tasks.ts';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct, type Product } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

type Task = ReplyOf<typeof getTask>;
const rows = 10_000_000;
const rowsADay = 50_000;
const users = 5000;
const rounds = 60;
const exportDays = 20;
const exportRows = exportDays * rowsADay;
const dayMs = 86_400_000;

/** The operation log with 10,000,000 rows: pages of its list, and an export of 1,000,000 rows beside other requests. */
export const logs: Measure = {
  key: 'logs',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await fill(database);
      return [...(await lists(admin)), ...(await exporting(product, admin))];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

/** Sealed rows, 50,000 a day of Beijing, until yesterday; the indexes are made afterwards, which is quicker. */
async function fill(database: pg.Client): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'operation_log' AND indexname <> 'operation_log_pkey'`);
  await database.query(
    `ALTER TABLE operation_log DISABLE TRIGGER USER; ${indexes.map(({ name }) => `DROP INDEX ${name};`).join('')}`,
  );
  await database.query(`INSERT INTO operation_log (account_id, username, uri, ip, at, params, message, status, seal,
    sealed_after)
    SELECT i % ${users}, 'user' || i % ${users}, 'PUT /api/v1/devices/' || i, '10.0.' || i % 250 || '.7',
      date_trunc('day', now(), 'Asia/Shanghai') - (i + 1) * interval '${86_400 / rowsADay} second',
      '{"params":{"id":"' || i || '"},"body":{"equipmentName":"灯杆 ' || i || '"}}',
      CASE WHEN i % 50 = 0 THEN 'missingPermission' ELSE 'device.update' END, CASE WHEN i % 50 = 0 THEN 403
        ELSE 200 END, '\\x00', 0
    FROM generate_series(0, ${rows - 1}) i`);
  await database.query(`INSERT INTO log_name (log, name) SELECT 'operation_log', 'user' || i
    FROM generate_series(0, ${users - 1}) i;
    UPDATE log_chain SET head_id = (SELECT max(id) FROM operation_log)
      WHERE log = 'operation_log'; ALTER TABLE operation_log ENABLE TRIGGER USER;
    ${indexes.map(({ definition }) => `${definition};`).join('')}`);
  await database.query('VACUUM ANALYZE operation_log');
  await database.query('ANALYZE log_name');
}

/** A day of Beijing so many days ago, `yyyy-MM-dd`. */
const day = (ago: number): string => new Date(Date.now() + 8 * 3_600_000 - ago * dayMs).toISOString().slice(0, 10);

async function lists(admin: Client): Promise<Figure[]> {
  const page = (query: Record<string, string>) =>
    admin.get<{ data: unknown[] }>(`/api/system/cscpLogOperations?${new URLSearchParams({ size: '50', ...query })}`);
  const someUser = (round: number) => ({ 'username.contains': `user${(round * 83) % users}` });
  const someDay = (round: number) => ({
    beginTime: day(1 + ((round * 3) % 190)),
    endTime: day(1 + ((round * 3) % 190)),
  });
  const asks: readonly (readonly [string, (round: number) => Record<string, string>])[] = [
    ['the newest page', () => ({})],
    ['one user', someUser],
    ['a part of a name (about 100 users)', (round) => ({ 'username.contains': `user${10 + (round % 90)}` })],
    ['a part of a name (all users)', () => ({ 'username.contains': 'ser' })],
    ['one day', someDay],
    ['a user and a day', (round) => ({ ...someUser(round), ...someDay(round) })],
    ['a part of a name and a day', (round) => ({ 'username.contains': `user${10 + (round % 90)}`, ...someDay(round) })],
    ['failures of a user', (round) => ({ ...someUser(round * 50), status: 'failure' })],
  ];
  const figures: Figure[] = [];
  for (const [name, query] of asks) {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await timed(() => page(query(round))));
    figures.push({
      name: `Operation log of ${rows} rows, ${name}, p95`,
      value: percentile(samples, 0.95),
      unit: 'ms',
      reach: 50,
      samples,
      note: `${rounds} different pages through HTTP, cold ones included; median ${percentile(samples, 0.5).toFixed(1)} ms`,
    });
  }
  return figures;
}

/** The resident memory of a process, megabytes. */
const memory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;

/** Begins the export of 20 days and calls `meanwhile` until it has ended. */
async function exported(admin: Client, meanwhile: () => Promise<unknown>): Promise<Task> {
  let task = await admin.send<Task>('POST', '/api/v1/tasks', {
    kind: 'export.operation-log',
    params: { beginTime: day(exportDays), endTime: day(1) },
  });
  for (let looks = 0; task.state === 'queued' || task.state === 'running'; looks += 1) {
    await meanwhile();
    if (looks % 20 === 19) task = await admin.get<Task>(`/api/v1/tasks/${task.id}`);
  }
  if (task.state !== 'done' || task.done !== exportRows)
    throw new Error(`the export did not end well: ${JSON.stringify(task)}`);
  return task;
}

async function exporting(product: Product, admin: Client): Promise<Figure[]> {
  const ask = () => timed(() => admin.get('/api/v1/me'));
  const [quiet, busy, grown]: [number[], number[], number[]] = [[], [], []];
  /** The anchor, at the pace of what it is compared with: half before the export, half after it. */
  const rest = async (until: number) => {
    while (quiet.length < until) {
      quiet.push(await ask());
      await sleep(10);
    }
  };
  // As many as during the export: what so many requests let the heap grow by is not the export's.
  for (let round = 0; round < 3000; round += 1) await ask();
  await rest(1000);
  const before = memory(product.pid);
  await exported(admin, async () => {
    busy.push(await ask());
    grown.push(memory(product.pid) - before);
    await sleep(10);
  });
  await rest(2000);
  const alone = await exported(admin, () => sleep(50));
  const seconds = (Date.parse(alone.endedAt ?? '') - Date.parse(alone.createdAt)) / 1000;
  const bare = (await timed(writeBare)) / 1000;
  const ratio = percentile(busy, 0.99) / percentile(quiet, 0.99);
  return [
    {
      name: `Export of ${exportRows} rows against writing the same sheet bare`,
      value: seconds / bare,
      unit: 'times',
      reach: 3,
      samples: [seconds, bare],
      note: `${seconds.toFixed(1)} s as a task, ${((alone.file?.bytes ?? 0) / 2 ** 20).toFixed(0)} MB; bare, to nowhere, ${bare.toFixed(1)} s`,
    },
    {
      name: 'Memory the process grows by during the export',
      value: Math.max(...grown),
      unit: 'MB',
      reach: 150,
      samples: grown,
      note: `resident, from ${before.toFixed(0)} MB`,
    },
    {
      name: 'Other requests during the export, p99 against without',
      value: ratio,
      unit: 'times',
      reach: 3,
      samples: busy,
      note: `${percentile(busy, 0.99).toFixed(1)} ms (median ${percentile(busy, 0.5).toFixed(1)}) against ${percentile(quiet, 0.99).toFixed(1)} ms (median ${percentile(quiet, 0.5).toFixed(1)}); ${busy.length} and ${quiet.length} calls`,
    },
  ];
}

/** The anchor: the same library writes the same rows out of nothing. */
async function writeBare(): Promise<void> {
  function* made() {
    const at = new Date();
    for (let i = 0; i < exportRows; i += 1)
      yield [
        at,
        `user${i % users}`,
        `10.0.${i % 250}.7`,
        `PUT /api/v1/devices/${i}`,
        '修改设备',
        `{"params":{"id":"${i}"},"body":{"equipmentName":"灯杆 ${i}"}}`,
        200,
        '成功',
        1,
      ];
  }
  const formats = ['yyyy-mm-dd hh:mm:ss', '@', '@', '@', '@', '@', '0', '@', '0'];
  await writeXlsxStream(made(), {
    name: 'bare',
    columns: formats.map((numFmt, at) => ({ header: String(at), style: { numFmt } })),
    zip64: true,
  }).pipeTo(new WritableStream());
}
