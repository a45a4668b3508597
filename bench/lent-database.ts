import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Product } from '../e2e/fixtures/product.ts';

/**
 * Runs a script of the server's tests on the database of a product that stands still meanwhile: it would do its own part
 * of the work too. The lines of JSON that the script printed.
 */
export async function onLentDatabase<Line>(
  { pid, dataDir }: Product,
  database: pg.Client,
  script: string,
  args: readonly number[],
): Promise<Line[]> {
  await standStill(pid, database);
  try {
    const url = `postgres://lampyris@localhost/lampyris?host=${encodeURIComponent(join(dataDir, 'postgres/run'))}&port=5432`;
    const path = join(import.meta.dirname, '../server/src/testing/scripts', script);
    const child = spawn(process.execPath, [path, ...args.map(String)], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: Line[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as Line));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(`${script} ended with ${code} after ${lines.length} lines`);
    return lines;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/**
 * Stops a process between two of its transactions: one that stayed open would keep every dead row from being cleared
 * away, and each claim would walk over all of them.
 */
async function standStill(pid: number, database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    process.kill(pid, 'SIGSTOP');
    await sleep(100);
    const { rowCount } = await database.query(
      "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND (xact_start IS NOT NULL OR backend_xmin IS NOT NULL)",
    );
    if (rowCount === 0) return;
    process.kill(pid, 'SIGCONT');
    await sleep(100);
  }
  throw new Error('the product never stood between two transactions');
}
