import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Files } from '../../platform/files/index.ts';
import { StartError, codeOf, reasonOf } from '../../platform/start-error.ts';
import { headText, logs } from '../../people/log-seals/index.ts';
import { writeArchive, type ArchiveSettings, type ArchiveWriter } from './archive.ts';
import { copyOut, listOf, sequencesOf, tablesOf } from './catalogue.ts';
import { archiveFormat, type ArchivedTable, type Contents, type Manifest } from './manifest.ts';

export interface BackupParts {
  readonly connection: pg.ClientConfig;
  readonly files: Files;
  readonly secretKeyFile: string;
  /** The program's version. */
  readonly program: string;
}

export interface BackupOrder extends ArchiveSettings {
  readonly target: string;
  readonly withKey: boolean;
  /** Told of what is under way. */
  readonly progress: (line: string) => void;
}

/** What came into it. */
export interface BackupDone extends Contents {
  readonly manifest: Manifest;
}

/** Rows travel in pieces of this size: what a backup holds in memory. */
const pieceBytes = 4 * 2 ** 20;
const snapshotTries = 5;

/**
 * Writes everything a site keeps into one new file, while it goes on working: one snapshot of the database, the files
 * that its rows name, and with `withKey` the key of the site. Nothing is left of a backup that fails. Throws
 * StartError.
 */
export async function backUp(parts: BackupParts, order: BackupOrder): Promise<BackupDone> {
  const temporary = `${order.target}.${process.pid}.part`;
  if (await stat(order.target).catch(() => undefined)) throw refuseExisting(order.target);
  const client = new pg.Client({ ...parts.connection, application_name: 'lampyris backup' });
  client.on('error', () => undefined);
  const giveUp = () => void client.connection.stream.destroy();
  order.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await client.connect();
    let done: BackupDone | undefined;
    await writeArchive(temporary, order, async (archive) => {
      done = await fill(archive, client, parts, order);
    });
    await nameOnce(temporary, order.target);
    if (!done) throw new Error('a backup ended without its contents');
    return done;
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    throw new StartError(`The backup ${order.target} could not be made: ${reasonOf(thrown)}`, { cause: thrown });
  } finally {
    order.signal?.removeEventListener('abort', giveUp);
    await client.end().catch(() => undefined);
    await rm(temporary, { force: true });
  }
}

const refuseExisting = (target: string) =>
  new StartError(`${target} is there already: a backup is never written over another one.`);

/**
 * Gives a finished file its name, never over another one: the name is taken first. A hard link would need one step, but
 * exFAT and many network shares have none.
 */
async function nameOnce(temporary: string, target: string): Promise<void> {
  const taken = await open(target, 'wx', 0o600).catch((thrown: unknown) => {
    throw codeOf(thrown) === 'EEXIST' ? refuseExisting(target) : thrown;
  });
  await taken.close();
  try {
    await rename(temporary, target);
  } catch (thrown) {
    await rm(target, { force: true });
    throw thrown;
  }
}

async function fill(
  archive: ArchiveWriter,
  client: pg.Client,
  parts: BackupParts,
  { withKey, progress }: BackupOrder,
): Promise<BackupDone> {
  const key = await readFile(parts.secretKeyFile).catch(() => null);
  if (withKey && key === null) throw new StartError(`SECRET_KEY_FILE ${parts.secretKeyFile} cannot be read.`);
  const { takenAt, tables } = await takeSnapshot(client);
  const manifest: Manifest = {
    format: archiveFormat,
    program: parts.program,
    takenAt,
    tables,
    migrations: (
      await client.query<Manifest['migrations'][number]>(
        'SELECT number, name, checksum FROM schema_migration ORDER BY number',
      )
    ).rows,
    heads: await headsOf(client),
    sequences: await sequencesOf(client),
    key: key && { fingerprint: fingerprintOf(key), included: withKey },
  };
  await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest, null, 1)));
  if (withKey && key) await archive.add('secret.key', key);
  const kept = await addFiles(archive, client, parts.files, progress);
  const rows: Record<string, number> = {};
  for (const table of tables)
    rows[table.name] = await addRows(archive, client, table, (sofar) => progress(`${table.name}: ${sofar} bytes`));
  await client.query('COMMIT');
  const contents: Contents = { rows, ...kept };
  await archive.add('contents.json', Buffer.from(JSON.stringify(contents, null, 1)));
  return { ...contents, manifest };
}

/** What tells one key from another, and gives nothing of it away. */
export const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('lampyris key ').update(key.toString('utf8').trim()).digest('hex').slice(0, 16);

/**
 * Begins a transaction that sees one moment of the whole database. Tables are held before the moment is taken, so that
 * none is dropped while its rows are read; parts only, so that others may be added beside them.
 */
async function takeSnapshot(client: pg.Client): Promise<{ takenAt: string; tables: ArchivedTable[] }> {
  await client.query(
    `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s'; SET timezone = 'UTC'; SET datestyle = 'ISO'; SET extra_float_digits = 1`,
  );
  for (let tries = 1; ; tries += 1) {
    const before = await tablesOf(client);
    // Before the moment: what was committed until then is in.
    const {
      rows: [now],
    } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(
        `LOCK TABLE ONLY ${before.map(({ name }) => listOf([name])).join(', ONLY ')} IN ACCESS SHARE MODE`,
      );
      const tables = await tablesOf(client);
      if (JSON.stringify(tables) === JSON.stringify(before) && now) return { takenAt: now.at.toISOString(), tables };
    } catch (thrown) {
      // A table that was dropped in between.
      if (codeOf(thrown) !== '42P01') throw thrown;
    }
    await client.query('ROLLBACK');
    if (tries === snapshotTries)
      throw new StartError('The tables of the database change all the time: try again in a moment.');
  }
}

async function headsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ log: string; id: string; seal: Buffer }>(
    'SELECT log, head_id::text AS id, head_seal AS seal FROM log_chain WHERE head_id > 0 ORDER BY log',
  );
  return rows.flatMap(({ log, id, seal }) => {
    const known = logs.find((name) => name === log);
    return known ? [headText(known, Number(id), seal)] : [];
  });
}

/** The files that rows name. One that its row lost meanwhile is gone from both. */
async function addFiles(
  archive: ArchiveWriter,
  client: pg.Client,
  files: Files,
  progress: (line: string) => void,
): Promise<Omit<Contents, 'rows'>> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT DISTINCT name FROM kept_file WHERE name IS NOT NULL ORDER BY name',
  );
  const kept = { files: 0, fileBytes: 0, missingFiles: 0 };
  for (const { name } of rows) {
    const found = await files.sized(name);
    if (!found) {
      kept.missingFiles += 1;
      continue;
    }
    await archive.addStream(`files/${name}`, found.bytes, found.stream);
    kept.files += 1;
    kept.fileBytes += found.bytes;
    progress(`${kept.files} of ${rows.length} files`);
  }
  return kept;
}

async function addRows(
  archive: ArchiveWriter,
  client: pg.Client,
  table: ArchivedTable,
  told: (bytes: number) => void,
): Promise<number> {
  const source = client.query(copyTo(copyOut(table)));
  let piece: Buffer[] = [];
  let [size, pieces, bytes] = [0, 0, 0];
  const flush = async () => {
    if (size === 0) return;
    pieces += 1;
    await archive.add(`rows/${table.name}/${String(pieces).padStart(6, '0')}`, Buffer.concat(piece));
    [piece, size] = [[], 0];
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    piece.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    if (size < pieceBytes) continue;
    await flush();
    told(bytes);
  }
  await flush();
  return source.rowCount;
}
