import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { sealAll } from '../../../people/log-seals/index.ts';
import { openFiles } from '../../../platform/files/index.ts';
import { openKeys, rsaPair } from '../../../platform/keys/index.ts';
import { startScript, type Child } from '../../../testing/child.ts';
import { testDatabase } from '../../../testing/database.ts';

/** A site with rows in every table, and the command line on it. Call it at the top of a test file. */
export async function fullSite() {
  const database = await testDatabase();
  const { db, pool } = database;
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-backup-'));
  // Of its own: the database's OS user must reach it.
  const other = mkdtempSync(join(tmpdir(), 'lampyris-restored-'));
  afterAll(() => [folder, other].forEach((path) => rmSync(path, { recursive: true, force: true })));
  const place = (name: string) => join(folder, name);
  const key = openKeys(place('secret.key'));
  const files = openFiles(place('files'));
  const passphrase = 'correct horse battery';
  const plain = place('plain.tgz');
  const sealed = place('sealed.age');

  const parts = { connection: database.connection, files, secretKeyFile: place('secret.key'), program: '0.1.0' };
  const order = { passphrase: null, withKey: false, progress: () => undefined };

  const startAdmin = (env: Record<string, string>, ...args: string[]): Child =>
    startScript('server/src/admin.ts', args, { env: { BACKUP_PASSPHRASE: passphrase, ...env } });

  /** The command in a process of its own. */
  async function admin(
    env: Record<string, string>,
    ...args: string[]
  ): Promise<{ code: number | NodeJS.Signals; said: string }> {
    const child = startAdmin(env, ...args);
    return { code: await child.ended, said: child.said() };
  }

  async function at<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Rows of every table that is no part of another, and how many parts those have. */
  async function counts(client: pg.ClientBase | pg.Pool): Promise<Record<string, number>> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition ORDER BY 1`,
    );
    const found: Record<string, number> = {};
    for (const { name } of rows)
      found[name] = Number((await client.query<{ count: string }>(`SELECT count(*) FROM ${name}`)).rows[0]?.count);
    const {
      rows: [shape],
    } = await client.query<{
      parts: string;
      keys: string;
      triggers: string;
    }>(`SELECT count(*) FILTER (WHERE relispartition AND relkind = 'r') AS parts,
    (SELECT count(*) FROM pg_constraint WHERE convalidated) AS keys,
      (SELECT count(*) FROM pg_trigger WHERE tgenabled = 'O') AS triggers FROM pg_class`);
    return {
      ...found,
      ...Object.fromEntries(Object.entries(shape ?? {}).map(([name, value]) => [`*${name}`, Number(value)])),
    };
  }

  const countsAt = (url: string): Promise<Record<string, number>> => at(url, counts);

  beforeAll(async () => {
    await rsaPair(key, db);
    await db
      .insertInto('work_area')
      .values({ id: 5, work_code: 'W', work_name: 'w\\tab\tline\nbreak \u0001 路灯' })
      .execute();
    // A device that names one which is written after it.
    await pool.query(
      `INSERT INTO device (id, family, work_area_id, equipment_code, pole_id)
      VALUES (1, 'lamp-pole', 5, 'A', NULL), (2, 'single-lamp-controller', 5, 'B', 1); UPDATE device SET pole_id = 2
      WHERE id = 1`,
    );
    await pool.query(
      `CREATE TABLE reading_20261101 PARTITION OF reading FOR VALUES FROM ('2026-11-01Z') TO ('2026-11-02Z')`,
    );
    await pool.query(
      `INSERT INTO reading (at, device_id, received_at, values)
      SELECT '2026-11-01Z'::timestamptz + i * interval '1 second', 2, now(), '{"level": 60.123456789012345}'
      FROM generate_series(1, 5000) i`,
    );
    await pool.query(
      `INSERT INTO operation_log (username, uri, ip, message, status) SELECT 'admin', 'x', '::1', 'm' || i, 200
      FROM generate_series(1, 20) i`,
    );
    await sealAll(db);
    const name = await files.put(randomBytes(300_000));
    await pool.query(
      `INSERT INTO task (kind, params, language, timezone_offset, created_at, file)
      VALUES ('x', '{}', 'zh-CN', 0, now(), $1)`,
      [name],
    );
    await pool.query(`INSERT INTO account (id, username, name_key, level, password_hash) VALUES (7, 'a', 'a', 0, '-');
    INSERT INTO session (id, account_id, address, expires_at)
      VALUES (1, 7, '::1', now() + interval '1 day'); INSERT INTO session_token VALUES ('\\x01', 1, NULL);
    INSERT INTO password_change_grant VALUES (7, '::1', now() + interval '1 day')`);
    await pool.query(
      'DROP TABLE IF EXISTS of_the_site; CREATE TABLE of_the_site (id integer); INSERT INTO of_the_site VALUES (1)',
    );
  });

  return {
    database,
    pool,
    folder,
    other,
    place,
    key,
    files,
    passphrase,
    plain,
    sealed,
    parts,
    order,
    startAdmin,
    admin,
    at,
    counts,
    countsAt,
  };
}
