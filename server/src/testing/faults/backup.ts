import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connect, openDatabase } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startScript } from '../child.ts';
import { since, type Result } from './figures.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { startPostgres } from './postgres.ts';
import { createRig, givenLamps } from './rig.ts';

export interface BackupVerdict {
  /** Readings that were acknowledged before the moment of the backup and are not in it, by where it was restored. */
  readonly missing: { readonly embedded: number; readonly site: number };
  /** Readings that nobody sent. */
  readonly foreign: number;
  /** Whether both have the same rows in every table. */
  readonly isSame: boolean;
  /** Logs that were found as they were written, of the two of each restored site. */
  readonly soundLogs: number;
}

/** What was acknowledged until when: sizes of a set that keeps the order in which its members came. */
async function watchAcknowledged(fleet: Fleet, signal: AbortSignal): Promise<{ at: number; size: number }[]> {
  const seen: { at: number; size: number }[] = [];
  while (!signal.aborted) {
    // The size first: what it counts was there before the time that is noted with it.
    const size = fleet.acknowledged.size;
    seen.push({ at: Date.now(), size });
    await sleep(5);
  }
  return seen;
}

/** Rows of every table, by name. */
async function rowsAt(connection: pg.ClientConfig): Promise<Record<string, number>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'schema_migration' ORDER BY 1`);
    const found: Record<string, number> = {};
    for (const { name } of rows) found[name] = Number((await client.query<{ count: string }>(`SELECT count(*) FROM "${name}"`)).rows[0]?.count);
    return found;
  } finally {
    await client.end();
  }
}

async function readingsAt(connection: pg.ClientConfig): Promise<Set<string>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string }>(`SELECT device_id || '/' || (values->>'energy') AS key FROM reading`);
    return new Set(rows.map(({ key }) => key));
  } finally {
    await client.end();
  }
}

async function admin(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const child = startScript('server/src/admin.ts', args, { env: { BACKUP_PASSPHRASE: 'a passphrase of the soak', ...env } });
  if (await child.ended !== 0) throw new Error(child.said());
  return child.said();
}

/** Backs up the program's own database while lamps report, and restores it into an empty folder and into a database of a site. */
export async function backupUnderLoad({ lamps, readings, pauseMs }: { readonly lamps: number; readonly readings: number; readonly pauseMs: number }): Promise<Result<BackupVerdict>> {
  const began = performance.now();
  const folders = ['from', 'into', 'site'].map((name) => mkdtempSync(join(tmpdir(), `lampyris-backup-${name}-`)));
  const [from = '', into = '', siteFolder = ''] = folders;
  const rig = await createRig({}, from);
  await rig.start();
  const database = connect({ connectionString: rig.embeddedUrl, max: 2 }, createLog('silent'));
  const fleet = await startFleet({ port: rig.mqttPort, members: await givenLamps(database.db, lamps), pauseMs });
  await database.stop();
  const postgres = await startPostgres(siteFolder);
  const file = join(siteFolder, 'backup.age');
  try {
    await fleet.further(readings);
    const watching = new AbortController();
    const watched = watchAcknowledged(fleet, watching.signal);
    const backupBegan = performance.now();
    const said = await admin({ DATA_DIR: from }, 'backup', '--encrypt', file);
    const backupSeconds = since(backupBegan);
    await fleet.further(lamps);
    watching.abort();
    await fleet.quiet();
    const takenAt = Date.parse(/acknowledged before (\S+) is in it/.exec(said)?.[1] ?? '');
    const before = (await watched).findLast(({ at }) => at < takenAt)?.size ?? 0;
    const due = [...fleet.acknowledged].slice(0, before);
    await fleet.stop();
    await rig.stop();

    const restored = [await admin({ DATA_DIR: into }, 'restore', file), await admin({ DATABASE_URL: postgres.url, DATA_DIR: siteFolder }, 'restore', file)];
    const own = await openDatabase({ databaseUrl: null, dataDir: into, log: createLog('silent') });
    try {
      const [here, there] = [await readingsAt(own.connection), await readingsAt({ connectionString: postgres.url })];
      const missing = { embedded: due.filter((key) => !here.has(key)).length, site: due.filter((key) => !there.has(key)).length };
      const isSame = JSON.stringify(await rowsAt(own.connection)) === JSON.stringify(await rowsAt({ connectionString: postgres.url }));
      return {
        verdict: { missing, foreign: [...here].filter((key) => !fleet.sent.has(key)).length, isSame, soundLogs: restored.join('\n').match(/sealed rows are as they were written/g)?.length ?? 0 },
        figures: { due: due.length, inIt: here.size, acknowledged: fleet.acknowledged.size, backupSeconds, seconds: since(began) },
      };
    } finally {
      await own.stop();
    }
  } finally {
    await fleet.stop();
    await rig.stop();
    await postgres.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
