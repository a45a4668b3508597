import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isRunning } from '../../testing/child.ts';
import { emptyDatabase } from '../../testing/database.ts';
import { countTables, fillTables } from '../../testing/rows-of-schema.ts';
import { migrate, openDatabase, readMigrations } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { backUp } from './backup.ts';
import { shortLived } from './restore.ts';
import { fullSite } from './testing/site.ts';

const { pool, folder, place, parts, order, startAdmin, admin, at } = await fullSite();

/** Runs `restore` into a new folder, and tells what is left of it. */
async function restoreAnew(
  source: string,
  env: Record<string, string> = {},
): Promise<{ code: number | NodeJS.Signals; said: string; left: string[]; running: boolean }> {
  const fresh = mkdtempSync(join(tmpdir(), 'lampyris-damaged-'));
  try {
    const child = startAdmin({ DATA_DIR: fresh, ...env }, 'restore', source);
    const pidFile = join(fresh, 'postgres/data/postmaster.pid');
    await vi.waitUntil(() => existsSync(pidFile) || child.process.exitCode !== null, { timeout: 60_000, interval: 5 });
    const postgres = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0;
    const code = await child.ended;
    const running = postgres > 0 && isRunning(postgres);
    if (running) process.kill(postgres, 'SIGQUIT');
    await vi.waitUntil(() => postgres === 0 || !isRunning(postgres), { timeout: 60_000 });
    return { code, said: child.said(), left: readdirSync(fresh), running };
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

const large = place('large.tgz');
test(
  'one that is damaged in the middle of a large table is refused with one line, and leaves no database process and no file',
  { timeout: 120_000 },
  async () => {
    await pool.query(
      `INSERT INTO reading (at, device_id, received_at, values)
      SELECT '2026-11-01Z'::timestamptz + i * interval '1 second', 2, now(),
      jsonb_build_object('power', random(), 'level', random()) FROM generate_series(5001, 65000) i`,
    );
    await backUp(parts, { ...order, target: large });
    const bent = readFileSync(large);
    bent.write('XXXX', Math.round(bent.length / 2));
    writeFileSync(place('bent within.tgz'), bent);
    expect(await restoreAnew(place('bent within.tgz'))).toEqual({
      code: 1,
      said: expect.stringMatching(/^The backup .* is damaged: [^\n]*$/) as string,
      left: [],
      running: false,
    });
  },
);

test(
  'a fault of the program itself in the middle of a restore leaves no database process and no file',
  { timeout: 120_000 },
  async () => {
    const fault = `setInterval(() => { if (fs.existsSync(process.env.DATA_DIR + '/postgres/data/postmaster.pid')) throw new Error('outside of any promise'); }, 5).unref();`;
    const failed = await restoreAnew(large, {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'; ${fault}`)}`,
    });
    expect(failed).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^Error: outside of any promise\n {4}at [^]*\nThe restore was broken off: nothing of it is left\.$/,
      ) as string,
      left: [],
      running: false,
    });
  },
);

test(
  'a backup of an older program: its rows are restored and migrated; what fails after them says that they are in, and takes nothing away',
  { timeout: 120_000 },
  async () => {
    const migrations = readMigrations();
    const [old, target] = [await emptyDatabase(), await emptyDatabase()];
    const had = await at(old.url, async (client) => {
      await migrate(client, migrations.slice(0, -6));
      return fillTables(client, 2);
    });
    const archive = place('old.tgz');
    await backUp({ ...parts, connection: { connectionString: old.url } }, { ...order, target: archive });
    const site = { DATABASE_URL: target.url, DATA_DIR: place('old site'), SECRET_KEY_FILE: place('secret.key') };
    // A disk that is full after the rows, say.
    const last = /CREATE TABLE (\w+)/.exec(
      migrations.findLast(({ sql }) => sql.includes('CREATE TABLE'))?.sql ?? '',
    )?.[1];
    await at(target.url, (client) =>
      client.query(`CREATE SCHEMA failing; CREATE FUNCTION failing.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN IF current_query() ~ 'CREATE TABLE ${last}' THEN RAISE 'No space left'; END IF; END $$;
    CREATE EVENT TRIGGER refuse ON ddl_command_start EXECUTE FUNCTION failing.refuse()`),
    );
    const failed = await admin(site, 'restore', archive);
    expect(failed).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /Restored: the site as it was[^]*What is done after a restore was not done: Migration \S+ failed: No space left\n[^]*do not restore it again\. Mend the cause, start the program/,
      ) as string,
    });
    await at(target.url, (client) => client.query('DROP EVENT TRIGGER refuse; DROP SCHEMA failing CASCADE'));
    expect((await admin(site, 'verify-log')).said).toMatch(
      /^The database is that of an older program: it has \d+ migrations, this program \d+\. [^\n]+$/,
    );
    const started = await openDatabase({ databaseUrl: target.url, dataDir: folder, log: createLog('silent') });
    await started.stop();
    const has = await at(target.url, countTables);
    expect(Object.entries(had).filter(([name, rows]) => !shortLived.has(name) && (has[name] ?? 0) < rows)).toEqual([]);
    expect([...shortLived].map((name) => has[name])).toEqual([...shortLived].map(() => 0));
    await Promise.all([old.drop(), target.drop()]);
  },
);
