import { open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { copyRows, migrate, readMigrations, type Migration, type RowsIn } from '../../platform/db/index.ts';
import type { Files } from '../../platform/files/index.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { StartError, reasonOf } from '../../platform/start-error.ts';
import { damageOf, readArchive, textOf, type ArchiveSettings } from './archive.ts';
import { fingerprintOf } from './backup.ts';
import { copyIn, makeParts, openForRows, tablesOf } from './catalogue.ts';
import { archiveFormat, readContents, readManifest, type Contents, type Manifest } from './manifest.ts';

export interface RestoreTarget {
  /**
   * Makes an empty database ready, with only these migrations, and says how to reach it; called once, after the archive
   * was found to fit.
   */
  readonly database: (migrations: readonly Migration[]) => Promise<pg.ClientConfig>;
  readonly files: Files;
  readonly secretKeyFile: string;
}

export interface RestoreOrder extends ArchiveSettings {
  readonly source: string;
  readonly progress: (line: string) => void;
}

export interface RestoreDone extends Contents {
  readonly manifest: Manifest;
  /**
   * `brought`: by the archive; `there`: it was at its place already; `missing`: it must be put there before the start.
   */
  readonly key: 'brought' | 'there' | 'missing' | 'none';
  /** Tables of the archive that are none of the program's; nothing of them is kept. */
  readonly leftOut: readonly string[];
  /** How to reach the database. */
  readonly connection: pg.ClientConfig;
}

/** The connection broke in the very moment of the end. */
export class RestoreUncertain extends StartError {}

interface Loading {
  readonly manifest: Manifest;
  readonly connection: pg.ClientConfig;
  readonly client: pg.Client;
  /** What is run when all rows are in. */
  readonly afterwards: readonly string[];
  readonly tables: ReadonlySet<string>;
}

/**
 * What was good for minutes or hours, and would be good again: sessions, their tokens, links, permissions, captchas,
 * counts of tries. None of it is restored.
 */
export const shortLived: ReadonlySet<string> = new Set([
  'session',
  'session_token',
  'sign_in_link',
  'password_change_grant',
  'captcha',
  'rate_window',
]);

/**
 * Puts a backup into an empty site, whole or not at all: its database in one transaction, its files, and its key when
 * it is in there. What does not fit, is damaged or was made by a newer program is refused with StartError, and leaves
 * no row, file or key behind. A database of an older program is as that left it: `settle` brings it up to date.
 */
export async function restore(target: RestoreTarget, order: RestoreOrder): Promise<RestoreDone> {
  const { source, progress, signal } = order;
  let loading: Loading | undefined;
  let client: pg.Client | undefined;
  let contents: Contents | undefined;
  const seen: Contents = { rows: {}, files: 0, fileBytes: 0, missingFiles: 0 };
  const leftOut = new Set<string>();
  const received: string[] = [];
  let broughtKey = false;
  let isCommitting = false;
  let into: { readonly name: string; readonly rows: RowsIn } | undefined;

  async function closeTable(): Promise<void> {
    if (into) seen.rows[into.name] = await into.rows.end();
    into = undefined;
  }

  async function begin(body: AsyncIterable<Buffer>): Promise<void> {
    const manifest = readManifest(await textOf(body));
    if (!manifest) throw new StartError(`${source} is no backup of Lampyris, or of a newer program.`);
    const migrations = fitting(manifest);
    await refuseFiles(target.files);
    await refuseOtherKey(manifest, target.secretKeyFile);
    const connection = await target.database(migrations);
    signal?.throwIfAborted();
    client = connectionTo(connection, order, () => !isCommitting);
    await client.connect();
    await client.query(
      `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET timezone = 'UTC'; SET datestyle = 'ISO'`,
    );
    await client.query('BEGIN');
    loading = {
      manifest,
      connection,
      client,
      afterwards: await openForRows(client),
      tables: await makeParts(client, manifest.tables),
    };
  }

  async function takeRows(name: string, body: AsyncIterable<Buffer>): Promise<void> {
    if (!loading) throw new Error('rows before the manifest');
    if (into?.name !== name) await openTable(loading, name);
    for await (const bytes of body) await into?.rows.write(bytes);
  }

  async function openTable({ manifest, client, tables }: Loading, name: string): Promise<void> {
    await closeTable();
    const table = manifest.tables.find((one) => one.name === name);
    if (!table) throw new Error(`rows of ${name}, which the manifest does not name`);
    if (!tables.has(name)) leftOut.add(name);
    if (!tables.has(name) || shortLived.has(name)) return;
    progress(name);
    into = { name, rows: copyRows(client, copyIn(table)) };
  }

  async function takeFile(name: string, body: AsyncIterable<Buffer>): Promise<void> {
    const kept = await target.files.receive(body);
    received.push(kept.name);
    if (kept.name !== name)
      throw new StartError(`The backup ${source} is damaged: the file ${name} is not what it was.`);
    seen.files += 1;
    seen.fileBytes += kept.bytes;
    progress(`${seen.files} files`);
  }

  async function takeKey(body: AsyncIterable<Buffer>): Promise<void> {
    const key = Buffer.from(await textOf(body));
    if (fingerprintOf(key) !== loading?.manifest.key?.fingerprint)
      throw new StartError(`The backup ${source} is damaged: its key is not the one it names.`);
    if (await stat(target.secretKeyFile).catch(() => undefined)) return;
    makeFolder(dirname(target.secretKeyFile));
    const file = await open(target.secretKeyFile, 'wx', 0o600);
    broughtKey = true;
    await file.writeFile(key);
    await file.sync();
    await file.close();
  }

  async function take(name: string, body: AsyncIterable<Buffer>): Promise<void> {
    const [kind, of = ''] = name.split('/');
    if (name === 'manifest.json') return begin(body);
    if (!loading) throw new StartError(`${source} is no backup of Lampyris.`);
    if (kind === 'rows') return takeRows(of, body);
    await closeTable();
    if (kind === 'files') await takeFile(of, body);
    else if (name === 'secret.key') await takeKey(body);
    else if (name === 'contents.json') contents = readContents(await textOf(body));
  }

  try {
    await readArchive(source, order, take);
    await closeTable();
    if (!loading || !contents) throw new StartError(`The backup ${source} is damaged: its end is missing.`);
    compare(source, contents, seen, leftOut);
    const { connection, manifest, afterwards } = loading;
    progress('checking');
    for (const statement of afterwards) await loading.client.query(statement);
    for (const { name, last, called } of manifest.sequences)
      await loading.client.query(
        'SELECT setval(oid, $2::bigint, $3) FROM pg_class WHERE relname = $1 AND relkind = $4',
        [name, last, called, 'S'],
      );
    await loading.client.query(
      `INSERT INTO operation_log (username, uri, ip, params, message, status) VALUES ('-', 'npm run admin -- restore', 'local', $1, 'site.restore', 200)`,
      [JSON.stringify({ takenAt: manifest.takenAt, endedSessions: contents.rows['session'] ?? 0 })],
    );
    signal?.throwIfAborted();
    isCommitting = true;
    await loading.client.query('COMMIT');
    return {
      ...contents,
      manifest,
      connection,
      leftOut: [...leftOut],
      key: keyState(manifest, broughtKey, await readKey(target.secretKeyFile)),
    };
  } catch (thrown) {
    // What the database refuses it takes back. But its answer may have been lost on the way: then what the rows name
    // must not be taken away.
    if (isCommitting && !(thrown instanceof pg.DatabaseError))
      throw new RestoreUncertain(
        `The connection to the database broke while the backup ${source} was committed (${reasonOf(thrown)}). Whether its rows are in is not known: look into the database. With rows everything is in place, and the program can be started; without any, empty DATA_DIR and FILES_URL and restore it again.`,
        { cause: thrown },
      );
    for (const name of received) await target.files.remove(name);
    if (broughtKey) await rm(target.secretKeyFile, { force: true });
    if (thrown instanceof StartError) throw thrown;
    // Changed bytes may still unpack, to rows that the database refuses; the age format lets none through.
    const damage =
      thrown instanceof pg.DatabaseError && order.passphrase === null ? await damageOf(source, signal) : undefined;
    if (damage !== undefined) throw new StartError(`The backup ${source} is damaged: ${damage}`, { cause: thrown });
    throw new StartError(`The backup ${source} could not be restored: ${reasonOf(thrown)}`, { cause: thrown });
  } finally {
    // What was not committed goes with the connection, also in the middle of a table: that one is ended first.
    await into?.rows.giveUp('the restore failed');
    await client?.end().catch(() => undefined);
  }
}

/**
 * What a restored database still needs: the migrations of this program, and figures for its planner. Breaking it off
 * leaves what is restored.
 */
export async function settle({ connection }: RestoreDone, order: RestoreOrder): Promise<void> {
  const client = connectionTo(connection, order, () => true);
  try {
    await client.connect();
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    order.progress('bringing up to date');
    await migrate(client);
    order.progress('counting for the planner');
    await client.query('ANALYZE');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A connection that a broken off restore cuts, while `isEndable`. */
function connectionTo(connection: pg.ClientConfig, { signal }: RestoreOrder, isEndable: () => boolean): pg.Client {
  signal?.throwIfAborted();
  const client = new pg.Client({ ...connection, application_name: 'lampyris restore' });
  client.on('error', () => undefined);
  signal?.addEventListener('abort', () => void (isEndable() && client.connection.stream.destroy()), { once: true });
  return client;
}

/** The migrations the archive was made with; throws when this program does not have the same ones. */
function fitting({ format, migrations, program }: Manifest): readonly Migration[] {
  const known = readMigrations();
  if (format > archiveFormat || migrations.length > known.length)
    throw new StartError(
      `The backup was made by a newer program (${program}, ${migrations.length} migrations; this one knows ${known.length}): restore it with that one.`,
    );
  for (const [index, { number, name, checksum }] of migrations.entries()) {
    if (known[index]?.number !== number || known[index].checksum !== checksum)
      throw new StartError(
        `The backup was made with another migration ${name} than this program has: restore it with the program that made it.`,
      );
  }
  return known.slice(0, migrations.length);
}

/** Throws StartError unless the database is empty, or has nothing but the tables of a restore that was broken off. */
export async function refuseNonEmpty(client: pg.ClientBase): Promise<void> {
  const tables = new Set((await tablesOf(client)).map(({ name }) => name));
  const {
    rows: [found],
  } = await client.query<{ migrated: boolean }>(
    `SELECT to_regclass('public.schema_migration') IS NOT NULL AS migrated`,
  );
  const telling = found?.migrated
    ? ['account', 'device', 'login_log', 'operation_log'].filter((name) => tables.has(name))
    : [];
  const {
    rows: [used],
  } = await client.query<{ some: boolean }>(
    `SELECT ${['false', ...telling.map((name) => `EXISTS (SELECT FROM ${name})`)].join(' OR ')} AS some`,
  );
  if (used?.some || (!found?.migrated && tables.size > 0))
    throw new StartError(
      'The database is not empty: a backup is restored into an empty one only, so that nothing is overwritten.',
    );
}

async function refuseFiles(files: Files): Promise<void> {
  for await (const names of files.names(new Date(Date.now() + 86_400_000))) {
    if (names.length > 0)
      throw new StartError(
        'The folder of files (FILES_URL) is not empty: a backup is restored into an empty site only.',
      );
  }
}

const readKey = (file: string): Promise<Buffer | null> => readFile(file).catch(() => null);

async function refuseOtherKey({ key }: Manifest, file: string): Promise<void> {
  const there = await readKey(file);
  if (key && there && fingerprintOf(there) !== key.fingerprint)
    throw new StartError(
      `SECRET_KEY_FILE ${file} holds another key than the site of this backup had: move it away, or set SECRET_KEY_FILE to the key file of that site.`,
    );
}

function keyState({ key }: Manifest, brought: boolean, there: Buffer | null): RestoreDone['key'] {
  if (key === null) return 'none';
  if (brought) return 'brought';
  return there ? 'there' : 'missing';
}

/** Throws when what came is not what the archive says it holds. */
function compare(source: string, said: Contents, seen: Contents, leftOut: ReadonlySet<string>): void {
  for (const [name, rows] of Object.entries(said.rows)) {
    if (leftOut.has(name) || shortLived.has(name) || (seen.rows[name] ?? 0) === rows) continue;
    throw new StartError(`The backup ${source} is damaged: ${name} has ${seen.rows[name] ?? 0} rows, and had ${rows}.`);
  }
  if (seen.files !== said.files)
    throw new StartError(`The backup ${source} is damaged: it has ${seen.files} files, and had ${said.files}.`);
}
