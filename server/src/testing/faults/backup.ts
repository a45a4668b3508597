import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { shortLived } from '../../shell/backup/index.ts';
import { connect, openDatabase } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startScript } from '../child.ts';
import { countTables } from '../rows-of-schema.ts';
import { since, type Result } from './figures.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { startPostgres } from './postgres.ts';
import { createRig, givenLamps } from './rig.ts';

export interface BackupVerdict {
  /** Readings that were acknowledged before the moment of the backup and are not in it, by where it was restored. */
  readonly missing: { readonly embedded: number; readonly site: number };
  /** Readings that nobody sent. */
  readonly foreign: number;
  /** Tables, of both, whose rows are not as many as the backup told. */
  readonly miscounted: readonly string[];
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

/** The readings of a restored site, and how many rows each of its tables has. */
async function contentsAt(
  connection: pg.ClientConfig,
): Promise<{ readings: Set<string>; counts: Record<string, number> }> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string }>(
      `SELECT device_id || '/' || (values->>'energy') AS key FROM reading`,
    );
    return { readings: new Set(rows.map(({ key }) => key)), counts: await countTables(client) };
  } finally {
    await client.end();
  }
}

/** Rows by table as a backup tells them; tables without any are not told. */
const told = (said: string): Map<string, number> =>
  new Map(
    [...said.matchAll(/^ {2}(\w+) +([\d,]+)$/gm)].map(([, name = '', count = '']) => [
      name,
      Number(count.replaceAll(',', '')),
    ]),
  );

/**
 * What is restored as it was told: everything but what is good for a while only; the restore adds its own row to the
 * log.
 */
function miscounted(said: string, counts: Readonly<Record<string, number>>): string[] {
  const expected = told(said);
  return Object.entries(counts)
    .filter(([name, count]) => {
      const was = shortLived.has(name) ? 0 : (expected.get(name) ?? 0);
      return ['operation_log', 'log_name'].includes(name) ? count !== was + 1 : count !== was;
    })
    .map(([name]) => name);
}

async function admin(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const child = startScript('server/src/admin.ts', args, {
    env: { BACKUP_PASSPHRASE: 'a passphrase of the soak', ...env },
  });
  if ((await child.ended) !== 0) throw new Error(child.said());
  return child.said();
}

interface Order {
  /** Whose database it is: the program's own, or a PostgreSQL of the site. */
  readonly of: 'own' | 'site';
  readonly lamps: number;
  readonly readings: number;
  readonly pauseMs: number;
}

/** Backs up a database while lamps report, and restores it into an empty folder and into a database of a site. */
export async function backupUnderLoad({ of, lamps, readings, pauseMs }: Order): Promise<Result<BackupVerdict>> {
  const began = performance.now();
  const folders = ['from', 'into', 'site', 'source'].map((name) =>
    mkdtempSync(join(tmpdir(), `lampyris-backup-${name}-`)),
  );
  const [from = '', into = '', siteFolder = '', sourceFolder = ''] = folders;
  const source = of === 'site' ? await startPostgres(sourceFolder) : undefined;
  const env: Readonly<Record<string, string>> = source ? { DATABASE_URL: source.url } : {};
  const rig = await createRig(env, from);
  await rig.start();
  const database = connect({ connectionString: source?.url ?? rig.embeddedUrl, max: 2 }, createLog('silent'));
  const fleet = await startFleet({ port: rig.mqttPort, members: await givenLamps(database.db, lamps), pauseMs });
  await database.stop();
  const postgres = await startPostgres(siteFolder);
  const file = join(siteFolder, 'backup.age');
  try {
    await fleet.further(readings);
    const watching = new AbortController();
    const watched = watchAcknowledged(fleet, watching.signal);
    const [backupBegan, acknowledgedBefore] = [performance.now(), fleet.acknowledged.size];
    const said = await admin({ ...env, DATA_DIR: from }, 'backup', '--encrypt', file);
    const backupSeconds = since(backupBegan);
    const perSecond = Math.round((fleet.acknowledged.size - acknowledgedBefore) / backupSeconds);
    await fleet.further(lamps);
    watching.abort();
    await fleet.quiet();
    const takenAt = Date.parse(/acknowledged before (\S+) is in it/.exec(said)?.[1] ?? '');
    const before = (await watched).findLast(({ at }) => at < takenAt)?.size ?? 0;
    const due = [...fleet.acknowledged].slice(0, before);
    await fleet.stop();
    await rig.stop();

    const restored = [
      await admin({ DATA_DIR: into }, 'restore', file),
      await admin({ DATABASE_URL: postgres.url, DATA_DIR: siteFolder }, 'restore', file),
    ];
    const own = await openDatabase({ databaseUrl: null, dataDir: into, log: createLog('silent') });
    try {
      const [here, there] = [await contentsAt(own.connection), await contentsAt({ connectionString: postgres.url })];
      const missing = {
        embedded: due.filter((key) => !here.readings.has(key)).length,
        site: due.filter((key) => !there.readings.has(key)).length,
      };
      return {
        verdict: {
          missing,
          foreign: [...here.readings].filter((key) => !fleet.sent.has(key)).length,
          miscounted: [here, there].flatMap(({ counts }) => miscounted(said, counts)),
          soundLogs: restored.join('\n').match(/sealed rows are as they were written/g)?.length ?? 0,
        },
        figures: {
          due: due.length,
          inIt: here.readings.size,
          acknowledged: fleet.acknowledged.size,
          perSecond,
          backupSeconds,
          seconds: since(began),
        },
      };
    } finally {
      await own.stop();
    }
  } finally {
    await fleet.stop();
    await rig.stop();
    await postgres.stop();
    await source?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
