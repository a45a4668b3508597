import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAll } from '../log-seals/index.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys, rsaPair } from '../../platform/keys/index.ts';
import { startScript } from '../../testing/child.ts';
import { emptyDatabase, testDatabase } from '../../testing/database.ts';
import { migrate, openDatabase, type Database, type Migration } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { StartError } from '../../platform/start-error.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';

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

/** The command in a process of its own. */
async function admin(env: Record<string, string>, ...args: string[]): Promise<{ code: number | NodeJS.Signals; said: string }> {
  const child = startScript('server/src/admin.ts', args, { env: { BACKUP_PASSPHRASE: passphrase, ...env } });
  return { code: await child.ended, said: child.said() };
}

/** Rows of every table that is no part of another, and how many parts those have. */
async function counts(client: pg.ClientBase | pg.Pool): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`);
  const found: Record<string, number> = {};
  for (const { name } of rows) found[name] = Number((await client.query<{ count: string }>(`SELECT count(*) FROM ${name}`)).rows[0]?.count);
  const { rows: [shape] } = await client.query<{ parts: string; keys: string; triggers: string }>(`SELECT count(*) FILTER (WHERE relispartition AND relkind = 'r') AS parts,
    (SELECT count(*) FROM pg_constraint WHERE convalidated) AS keys, (SELECT count(*) FROM pg_trigger WHERE tgenabled = 'O') AS triggers FROM pg_class`);
  return { ...found, ...Object.fromEntries(Object.entries(shape ?? {}).map(([name, value]) => [`*${name}`, Number(value)])) };
}

async function countsAt(url: string): Promise<Record<string, number>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await counts(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await rsaPair(key, db);
  await db.insertInto('work_area').values({ id: 5, work_code: 'W', work_name: 'w\\tab\tline\nbreak \u0001 路灯' }).execute();
  // A device that names one which is written after it.
  await pool.query(`INSERT INTO device (id, family, work_area_id, equipment_code, pole_id) VALUES (1, 'lamp-pole', 5, 'A', NULL), (2, 'single-lamp-controller', 5, 'B', 1); UPDATE device SET pole_id = 2 WHERE id = 1`);
  await pool.query(`CREATE TABLE reading_20261101 PARTITION OF reading FOR VALUES FROM ('2026-11-01Z') TO ('2026-11-02Z')`);
  await pool.query(`INSERT INTO reading (at, device_id, received_at, values) SELECT '2026-11-01Z'::timestamptz + i * interval '1 second', 2, now(), '{"level": 60.123456789012345}' FROM generate_series(1, 5000) i`);
  await pool.query(`INSERT INTO operation_log (username, uri, ip, message, status) SELECT 'admin', 'x', '::1', 'm' || i, 200 FROM generate_series(1, 20) i`);
  await sealAll(db);
  const name = await files.put(randomBytes(300_000));
  await pool.query(`INSERT INTO task (kind, params, language, timezone_offset, created_at, file) VALUES ('x', '{}', 'zh-CN', 0, now(), $1)`, [name]);
  await pool.query('DROP TABLE IF EXISTS of_the_site; CREATE TABLE of_the_site (id integer); INSERT INTO of_the_site VALUES (1)');
});

test('no table is forgotten: an archive names every one of the database, and counts its rows', async () => {
  const done = await backUp(parts, { ...order, target: plain });
  expect(statSync(plain).mode & 0o777).toBe(0o600);
  const found = await counts(pool);
  const named: Record<string, number> = {};
  for (const { name, partOf } of done.manifest.tables) named[partOf?.parent ?? name] = (named[partOf?.parent ?? name] ?? 0) + (done.rows[name] ?? 0);
  const { rows: cut } = await pool.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'p'`);
  const empty = cut.filter(({ name }) => !(name in named)).map(({ name }): [string, number] => [name, 0]);
  expect({ ...named, ...Object.fromEntries(empty), schema_migration: done.manifest.migrations.length }).toEqual(Object.fromEntries(Object.entries(found).filter(([name]) => !name.startsWith('*'))));
  expect(done).toMatchObject({ files: 1, fileBytes: 300_000, missingFiles: 0 });
  expect(existsSync(`${plain}.${process.pid}.part`)).toBe(false);
  await expect(backUp(parts, { ...order, target: plain })).rejects.toThrow('is there already');
});

const embedded = { DATA_DIR: other };
let before: Record<string, number> = {};

test('an encrypted backup says what is in it, and that the key is', async () => {
  const from = { DATABASE_URL: database.url, DATA_DIR: folder };
  const backup = await admin(from, 'backup', '--encrypt', sealed);
  expect(backup).toMatchObject({ code: 0 });
  expect(backup.said).toMatch(/Everything that was acknowledged before 20\S+Z is in it/);
  expect(backup.said).toContain('THE KEY OF THE SITE IS IN IT');
  expect(readFileSync(sealed).includes('reading')).toBe(false);
  await pool.query('DROP TABLE of_the_site');
  before = await counts(pool);
});

test('it comes back in an embedded database, key and all', async () => {
  const restored = await admin(embedded, 'restore', sealed);
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('Restored: the site as it was at 20') as string });
  expect(restored.said).toMatch(/operation_log: 20 sealed rows are as they were written/);
  expect(restored.said).toContain('Left out, because it is no table of this program: of_the_site.');
  expect(readFileSync(join(other, 'secret.key'))).toEqual(readFileSync(place('secret.key')));
  expect(statSync(join(other, 'secret.key')).mode & 0o777).toBe(0o600);
});

const again = place('again.tgz');
test('a plain one of that has no key, and says so', async () => {
  expect(await admin(embedded, 'backup', again)).toMatchObject({ code: 0, said: expect.stringContaining('THE KEY OF THE SITE IS NOT IN IT') as string });
});

test('and that one comes back in another DATABASE_URL: the same rows, numbers, checks and triggers', async () => {
  const { url, drop } = await emptyDatabase();
  const site = { DATABASE_URL: url, DATA_DIR: place('site'), FILES_URL: pathToFileURL(place('site files')).href };
  expect(await admin(site, 'restore', again)).toMatchObject({ code: 0, said: expect.stringContaining('THE KEY OF THE SITE WAS NOT IN THE BACKUP') as string });
  expect(await countsAt(url)).toEqual(before);
  expect(await admin(site, 'restore', again)).toMatchObject({ code: 1, said: expect.stringMatching(/is not empty: [^\n]*$/) as string });
  const client = new pg.Client(url);
  await client.connect();
  const { rows: [area] } = await client.query<{ name: string; level: string; next: string }>(`SELECT work_name AS name, (SELECT values->>'level' FROM reading LIMIT 1) AS level, nextval('operation_log_id_seq') AS next FROM work_area WHERE id = 5`);
  expect(area).toEqual({ name: 'w\\tab\tline\nbreak \u0001 路灯', level: '60.123456789012345', next: '21' });
  await expect(client.query('DELETE FROM operation_log')).rejects.toThrow('only ever added');
  await expect(client.query('DELETE FROM work_area')).rejects.toThrow(/foreign key/);
  await client.end();
  await drop();
});

test('a wrong passphrase, a damaged archive, a newer program, another key and what is no backup are refused with one line, and leave nothing', async () => {
  const locked = place('locked.age');
  await backUp(parts, { ...order, target: locked, passphrase, withKey: true, scryptLogN: 8 });
  await pool.query(`INSERT INTO schema_migration (number, name, checksum) SELECT max(number) + 1, 'of_tomorrow', 'x' FROM schema_migration`);
  const newer = place('newer.tgz');
  await backUp(parts, { ...order, target: newer });
  await pool.query(`DELETE FROM schema_migration WHERE name = 'of_tomorrow'`);
  const bytes = readFileSync(plain);
  const damaged = (name: string, change: (bytes: Buffer) => Uint8Array) => {
    writeFileSync(place(name), change(Buffer.from(bytes)));
    return place(name);
  };
  const cut = damaged('cut.tgz', (all) => all.subarray(0, -5000));
  const bent = damaged('bent.tgz', (all) => all.fill(0xff, all.length - 20_000, all.length - 19_990));
  const none = damaged('none', () => Buffer.from('no backup at all'));
  const { url, drop } = await emptyDatabase();
  const there = openFiles(place('refused'));
  const refused = async (source: string, secret: string | null = null, secretKeyFile = place('refused.key')) => {
    let opened: Database | undefined;
    const open = async (migrations: readonly Migration[]) => {
      opened = await openDatabase({ databaseUrl: url, dataDir: folder, log: createLog('error'), migrations: (client) => migrate(client, migrations) });
      return opened.connection;
    };
    const said = await restore({ database: open, files: there, secretKeyFile }, { source, passphrase: secret, progress: () => undefined }).then(() => 'restored', (thrown: unknown) => (thrown instanceof StartError ? thrown.message : thrown));
    await opened?.stop();
    return said;
  };
  expect(await refused(locked, 'another passphrase')).toMatch(/^The backup .* cannot be opened: the passphrase is wrong/);
  for (const file of [cut, bent, none]) expect(await refused(file)).toMatch(/^The backup \S+ is damaged: [^\n]*$/);
  expect(await refused(newer)).toMatch(/^The backup was made by a newer program \(0\.1\.0, \d+ migrations; this one knows \d+\): [^\n]*$/);
  writeFileSync(place('other.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  expect(await refused(plain, null, place('other.key'))).toMatch(/^SECRET_KEY_FILE .* holds another key than the site of this backup had: [^\n]*$/);
  expect((await admin({ DATABASE_URL: url, DATA_DIR: folder }, 'restore', place('absent'))).said).toMatch(/^The backup .* cannot be read: ENOENT[^\n]*$/);
  const left = await countsAt(url);
  expect([left['device'], left['work_area'], left['operation_log'], existsSync(place('refused.key')), readdirSync(place('refused'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())]).toEqual([0, 0, 0, false, []]);
  expect(await refused(locked, passphrase)).toBe('restored');
  await drop();
});
