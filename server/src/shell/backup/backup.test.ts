import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { openFiles } from '../../platform/files/index.ts';
import { isRunning, startChild } from '../../testing/child.ts';
import { emptyDatabase } from '../../testing/database.ts';
import { migrate, openDatabase, type Database, type Migration } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { StartError } from '../../platform/start-error.ts';
import { readArchive } from './archive.ts';
import { backUp } from './backup.ts';
import { restore, shortLived } from './restore.ts';
import { fullSite } from './testing/site.ts';

const {
  database,
  pool,
  folder,
  other,
  place,
  passphrase,
  plain,
  sealed,
  parts,
  order,
  startAdmin,
  admin,
  counts,
  countsAt,
} = await fullSite();

test('no table is forgotten: an archive names every one of the database, and counts its rows', async () => {
  const done = await backUp(parts, { ...order, target: plain });
  expect(statSync(plain).mode & 0o777).toBe(0o600);
  const found = await counts(pool);
  const named: Record<string, number> = {};
  for (const { name, partOf } of done.manifest.tables)
    named[partOf?.parent ?? name] = (named[partOf?.parent ?? name] ?? 0) + (done.rows[name] ?? 0);
  const { rows: cut } = await pool.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'p'`);
  const empty = cut.filter(({ name }) => !(name in named)).map(({ name }): [string, number] => [name, 0]);
  expect({ ...named, ...Object.fromEntries(empty), schema_migration: done.manifest.migrations.length }).toEqual(
    Object.fromEntries(Object.entries(found).filter(([name]) => !name.startsWith('*'))),
  );
  expect(done).toMatchObject({ files: 1, fileBytes: 300_000, missingFiles: 0 });
  expect(existsSync(`${plain}.${process.pid}.part`)).toBe(false);
  await expect(backUp(parts, { ...order, target: plain })).rejects.toThrow('is there already');
});

const embedded = { DATA_DIR: other };
let before: Record<string, number> = {};

/** As exFAT and many network shares are: without hard links. */
const noLinks = `--import data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
  fs.promises.link = () => Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })); syncBuiltinESMExports();`)}`;

test('an encrypted backup says what is in it, and that the key is; a file system without hard links is enough', async () => {
  const from = { DATABASE_URL: database.url, DATA_DIR: folder, NODE_OPTIONS: noLinks };
  const backup = await admin(from, 'backup', '--encrypt', sealed);
  expect(backup).toMatchObject({ code: 0 });
  expect(backup.said).toMatch(/Everything that was acknowledged before 20\S+Z is in it/);
  expect(backup.said).toContain('THE KEY OF THE SITE IS IN IT');
  expect(readFileSync(sealed).includes('reading')).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  await pool.query('DROP TABLE of_the_site');
  // Sessions and the like stay behind, and the log says that it was restored.
  const found = await counts(pool);
  before = {
    ...found,
    ...Object.fromEntries([...shortLived].map((name) => [name, 0])),
    operation_log: (found['operation_log'] ?? 0) + 1,
    log_name: (found['log_name'] ?? 0) + 1,
  };
});

test('the program age opens it', async () => {
  const locked = place('locked.age');
  await backUp(parts, { ...order, target: locked, passphrase, withKey: true, scryptLogN: 8 });
  // It asks a terminal.
  const age = startChild('script', ['-qec', `age -d ${locked} | tar tz`, '/dev/null'], { stdin: 'pipe' });
  age.process.stdin?.write(`${passphrase}\n`);
  expect(await age.line(/contents\.json/)).toBeTruthy();
  age.process.stdin?.end();
  await age.ended;
  expect(age.said()).toMatch(/manifest\.json\s+secret\.key\s+files\/[0-9a-f]{64}\s+rows\//);
});

test('what was good for a while only is not restored: every such table is known', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('expires_at', 'valid_until') ORDER BY 1`,
  );
  // A batch of devices and a command are kept, and say themselves until when they are good.
  expect(rows.map(({ name }) => name).filter((name) => !shortLived.has(name))).toEqual([
    'batch',
    'command',
    'command_item',
  ]);
});

test('it comes back in an embedded database, key and all', async () => {
  const restored = await admin(embedded, 'restore', sealed);
  expect(restored).toMatchObject({
    code: 0,
    said: expect.stringContaining('Restored: the site as it was at 20') as string,
  });
  expect(restored.said).toMatch(/operation_log: 20 sealed rows are as they were written\. 1 more are not sealed yet/);
  expect(restored.said).toContain('Nobody is signed in');
  expect(restored.said).toContain('Left out, because it is no table of this program: of_the_site.');
  expect(readFileSync(join(other, 'secret.key'))).toEqual(readFileSync(place('secret.key')));
  expect(statSync(join(other, 'secret.key')).mode & 0o777).toBe(0o600);
});

const again = place('again.tgz');
test('a plain one of that has no key, and says so', async () => {
  expect(await admin(embedded, 'backup', again)).toMatchObject({
    code: 0,
    said: expect.stringContaining('THE KEY OF THE SITE IS NOT IN IT') as string,
  });
});

test('and that one comes back in another DATABASE_URL: the same rows, numbers, checks and triggers', async () => {
  const { url, drop } = await emptyDatabase();
  before['operation_log'] = (before['operation_log'] ?? 0) + 1;
  const site = { DATABASE_URL: url, DATA_DIR: place('site'), FILES_URL: pathToFileURL(place('site files')).href };
  expect(await admin(site, 'restore', again)).toMatchObject({
    code: 0,
    said: expect.stringContaining('THE KEY OF THE SITE WAS NOT IN THE BACKUP') as string,
  });
  expect(await countsAt(url)).toEqual(before);
  expect(await admin(site, 'restore', again)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/is not empty: [^\n]*$/) as string,
  });
  const client = new pg.Client(url);
  await client.connect();
  const {
    rows: [area],
  } = await client.query<{ name: string; level: string; next: string }>(
    `SELECT work_name AS name, (SELECT values->>'level' FROM reading LIMIT 1) AS level,
      nextval('operation_log_id_seq') AS next FROM work_area WHERE id = 5`,
  );
  expect(area).toEqual({ name: 'w\\tab\tline\nbreak \u0001 路灯', level: '60.123456789012345', next: '23' });
  expect((await client.query('SELECT message, ip FROM operation_log WHERE id > 20')).rows).toEqual(
    [1, 2].map(() => ({ message: 'site.restore', ip: 'local' })),
  );
  await expect(client.query('DELETE FROM operation_log')).rejects.toThrow('only ever added');
  await expect(client.query('DELETE FROM work_area')).rejects.toThrow(/foreign key/);
  await client.end();
  await drop();
});

test('a wrong passphrase, a damaged archive, a newer program, another key and what is no backup are refused with one line, and leave nothing', async () => {
  const locked = place('locked.age');
  await pool.query(
    `INSERT INTO schema_migration (number, name, checksum) SELECT max(number) + 1, 'of_tomorrow', 'x'
      FROM schema_migration`,
  );
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
      opened = await openDatabase({
        databaseUrl: url,
        dataDir: folder,
        log: createLog('error'),
        migrations: (client) => migrate(client, migrations),
      });
      return opened.connection;
    };
    const said = await restore(
      { database: open, files: there, secretKeyFile },
      { source, passphrase: secret, progress: () => undefined },
    ).then(
      () => 'restored',
      (thrown: unknown) => (thrown instanceof StartError ? thrown.message : thrown),
    );
    await opened?.stop();
    return said;
  };
  expect(await refused(locked, 'another passphrase')).toMatch(
    /^The backup .* cannot be opened: the passphrase is wrong/,
  );
  for (const file of [cut, bent, none]) expect(await refused(file)).toMatch(/^The backup \S+ is damaged: [^\n]*$/);
  expect(await refused(newer)).toMatch(
    /^The backup was made by a newer program \(0\.1\.0, \d+ migrations; this one knows \d+\): [^\n]*$/,
  );
  writeFileSync(place('other.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  expect(await refused(plain, null, place('other.key'))).toMatch(
    /^SECRET_KEY_FILE .* holds another key than the site of this backup had: [^\n]*$/,
  );
  expect((await admin({ DATABASE_URL: url, DATA_DIR: folder }, 'restore', place('absent'))).said).toMatch(
    /^The backup .* cannot be read: ENOENT[^\n]*$/,
  );
  const left = await countsAt(url);
  expect([
    left['device'],
    left['work_area'],
    left['operation_log'],
    existsSync(place('refused.key')),
    readdirSync(place('refused'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  ]).toEqual([0, 0, 0, false, []]);
  expect(await refused(locked, passphrase)).toBe('restored');
  await drop();
});

test('whoever stops reading what a command says does not break it off', async () => {
  const unread = startAdmin({ DATABASE_URL: database.url, DATA_DIR: folder }, 'backup', place('unread.tgz'));
  unread.process.stdout?.destroy();
  expect([await unread.ended, unread.said()]).toEqual([0, '']);
  const entries: string[] = [];
  await readArchive(place('unread.tgz'), { passphrase: null }, (name) => Promise.resolve(void entries.push(name)));
  expect(entries.at(-1)).toBe('contents.json');
});

test('Ctrl-C and SIGTERM break off a backup and a restore: 130 and 143, one line, no database process and no file', async () => {
  const kept =
    readdirSync(join(other, 'files'), { recursive: true, encoding: 'utf8' }).find((name) =>
      /[0-9a-f]{64}$/.test(name),
    ) ?? '';
  // Hours of work.
  truncateSync(join(other, 'files', kept), 2 ** 40);
  const backup = startAdmin(embedded, 'backup', '--encrypt', place('broken.age'));
  const parted = () => readdirSync(folder).filter((name) => name.includes('broken.age'));
  await vi.waitUntil(() => parted().length > 0, { timeout: 60_000, interval: 5 });
  const pidFile = join(other, 'postgres/data/postmaster.pid');
  const runs = [Number(readFileSync(pidFile, 'utf8').split('\n')[0])];
  backup.process.kill('SIGINT');
  // As npm and the terminal do.
  backup.process.kill('SIGINT');
  expect([await backup.ended, backup.said(), parted()]).toEqual([
    130,
    'The backup was broken off: nothing of it is left.',
    [],
  ]);

  const fresh = mkdtempSync(join(tmpdir(), 'lampyris-broken-'));
  const begun = startAdmin({ DATA_DIR: fresh }, 'restore', plain);
  const freshPid = join(fresh, 'postgres/data/postmaster.pid');
  await vi.waitUntil(() => existsSync(freshPid), { timeout: 60_000, interval: 5 });
  runs.push(Number(readFileSync(freshPid, 'utf8').split('\n')[0]));
  begun.process.kill('SIGTERM');
  expect([await begun.ended, begun.said()]).toEqual([143, 'The restore was broken off: nothing of it is left.']);
  await vi.waitUntil(() => !runs.some(isRunning));
  expect([existsSync(pidFile), readdirSync(fresh)]).toEqual([false, []]);
  rmSync(fresh, { recursive: true });
});
