import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import type { Config, Environment } from './config.ts';
import {
  backUp,
  isEncrypted,
  readPassphrase,
  refuseNonEmpty,
  RestoreUncertain,
  restore,
  settle,
  shortLived,
  type BackupDone,
  type RestoreDone,
} from './shell/backup/index.ts';
import { checkoutFolder, migrate, openDatabase, type Database } from './platform/db/index.ts';
import { openFiles } from './platform/files/index.ts';
import { createLog } from './platform/log.ts';
import { StartError, reasonOf } from './platform/start-error.ts';
import { notedHeads, verifyLogLines } from './verify-log.ts';

export const backupUsage = [
  'npm run admin -- backup [--encrypt] [--with-key] <file>  a consistent copy of everything, beside a running server or without',
  'npm run admin -- restore <file>              puts a backup into an empty DATA_DIR or DATABASE_URL',
].join('\n');

const role = 'npm run admin';
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Where the passphrase comes from when nobody is asked. */
const sources = (environment: Environment) => ({
  text: environment['BACKUP_PASSPHRASE'],
  file: environment['BACKUP_PASSPHRASE_FILE'],
});

/** How long a database of our own may take to stop when somebody waits for the end. */
export const impatienceMs = 6000;
const stopDatabase = (database: Database | undefined, signal: AbortSignal) =>
  database?.stop(signal.aborted ? impatienceMs : undefined);

/** `backup`: writes one archive of the site. Throws StartError; `signal` breaks it off. */
export async function backupCommand(
  words: readonly string[],
  config: Config,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const flags = words.filter((word) => word.startsWith('--'));
  const [target, ...more] = words.filter((word) => !word.startsWith('--'));
  if (target === undefined || more.length > 0 || flags.some((flag) => flag !== '--encrypt' && flag !== '--with-key'))
    throw new StartError(backupUsage);
  const passphrase = flags.includes('--encrypt') ? await readPassphrase(sources(environment), true, signal) : null;
  mkdirSync(dirname(target), { recursive: true });
  const line = progressLine('backup');
  let database: Database | undefined;
  let done: BackupDone;
  try {
    // Nothing is migrated: the program that runs may be an older one.
    database = await openDatabase({ ...placeOf(config), share: true, migrations: () => Promise.resolve(0), signal });
    done = await backUp(
      {
        connection: database.connection,
        files: openFiles(config.filesFolder),
        secretKeyFile: config.secretKeyFile,
        program: programVersion(),
      },
      { target, passphrase, withKey: passphrase !== null || flags.includes('--with-key'), progress: line.show, signal },
    );
  } catch (thrown) {
    throw signal.aborted ? new StartError('The backup was broken off: nothing of it is left.') : thrown;
  } finally {
    line.clear();
    await stopDatabase(database, signal);
  }
  say(
    `${target}: ${statSync(target).size.toLocaleString('en-US')} bytes, ${passphrase === null ? 'NOT encrypted' : 'encrypted (age, passphrase)'}.`,
  );
  say(`Everything that was acknowledged before ${done.manifest.takenAt} is in it.`);
  tellContents(done);
  for (const head of done.manifest.heads) say(`Head of a log, to note: ${head}`);
  say(keyTold(done, config));
}

function keyTold({ manifest: { key } }: BackupDone, { secretKeyFile }: Config): string {
  if (key?.included)
    return `THE KEY OF THE SITE IS IN IT: whoever can open this backup can read every secret of the site.`;
  if (key)
    return `THE KEY OF THE SITE IS NOT IN IT: keep a copy of ${secretKeyFile} somewhere else. Without it a restored site does not start.`;
  return 'The site has no key yet.';
}

/**
 * `restore`: an archive into an empty site. Throws StartError; exit code 1 when the logs are not as they were written.
 * `signal` breaks it off.
 */
export async function restoreCommand(
  words: readonly string[],
  config: Config,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const [source, ...more] = words;
  if (source === undefined || more.length > 0 || source.startsWith('--')) throw new StartError(backupUsage);
  const passphrase = (await isEncrypted(source)) ? await readPassphrase(sources(environment), false, signal) : null;
  const line = progressLine('restore');
  const made = [join(config.dataDir, 'postgres'), config.filesFolder].filter((folder) => !existsSync(folder));
  let database: Database | undefined;
  const open = async (migrations: Parameters<typeof migrate>[1]): Promise<pg.ClientConfig> => {
    database = await openDatabase({
      ...placeOf(config),
      baseDir: config.baseDir,
      signal,
      migrations: async (client) => {
        await refuseNonEmpty(client);
        return migrate(client, migrations);
      },
    });
    return database.connection;
  };
  const order = { source, passphrase, progress: line.show, signal };
  let done: RestoreDone;
  try {
    done = await restore(
      { database: open, files: openFiles(config.filesFolder), secretKeyFile: config.secretKeyFile },
      order,
    );
  } catch (thrown) {
    line.clear();
    await stopDatabase(database, signal);
    if (thrown instanceof RestoreUncertain) throw thrown;
    // What was not there before is no site yet.
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
    throw signal.aborted ? new StartError('The restore was broken off: nothing of it is left.') : thrown;
  }
  // From here on everything is in its place, whatever fails.
  line.clear();
  tellRestored(done, config);
  try {
    await settle(done, order);
    line.clear();
    if (database) await tellLogs(database, done);
  } catch (thrown) {
    line.clear();
    throw new StartError(notSettled(done, signal.aborted ? 'it was broken off' : reasonOf(thrown)), { cause: thrown });
  } finally {
    await stopDatabase(database, signal);
  }
}

const notSettled = ({ manifest }: RestoreDone, reason: string): string =>
  [
    `What is done after a restore was not done: ${reason}`,
    'What is told above is in its place: do not restore it again. Mend the cause, start the program (it brings the database up to date), then:',
    ['npm run admin -- verify-log', ...manifest.heads].join(' '),
  ].join('\n');

function tellRestored(done: RestoreDone, { secretKeyFile }: Config): void {
  say(`Restored: the site as it was at ${done.manifest.takenAt}, written by version ${done.manifest.program}.`);
  tellContents(done, shortLived);
  say('Nobody is signed in: sessions, sign-in links and the like of that time are not restored.');
  for (const name of done.leftOut) say(`Left out, because it is no table of this program: ${name}.`);
  if (done.key === 'brought') say(`The key of the site was put into ${secretKeyFile}.`);
  if (done.key === 'missing')
    say(`THE KEY OF THE SITE WAS NOT IN THE BACKUP: put its copy into ${secretKeyFile} (chmod 600) before the start.`);
}

async function tellLogs({ db }: Database, { manifest }: RestoreDone): Promise<void> {
  const { good, lines } = await verifyLogLines(db, notedHeads(manifest.heads));
  lines.forEach(say);
  if (!good) process.exitCode = 1;
}

function tellContents(
  { rows, files, fileBytes, missingFiles, manifest }: BackupDone,
  except: ReadonlySet<string> = new Set(),
): void {
  const byTable = new Map<string, number>();
  for (const { name, partOf } of manifest.tables.filter((table) => !except.has(table.name)))
    byTable.set(partOf?.parent ?? name, (byTable.get(partOf?.parent ?? name) ?? 0) + (rows[name] ?? 0));
  for (const [name, count] of byTable) if (count > 0) say(`  ${name.padEnd(28)} ${count.toLocaleString('en-US')}`);
  const all = [...byTable.values()].reduce((sum, count) => sum + count, 0);
  say(
    `${all.toLocaleString('en-US')} rows in ${byTable.size} tables, ${files} files (${fileBytes.toLocaleString('en-US')} bytes).`,
  );
  if (missingFiles > 0) say(`${missingFiles} files that rows name were not in the folder of files.`);
}

function placeOf({ databaseUrl, dataDir }: Config) {
  return { databaseUrl, dataDir, log: createLog('warn'), role };
}

function programVersion(): string {
  return (JSON.parse(readFileSync(join(checkoutFolder, 'package.json'), 'utf8')) as { version: string }).version;
}

/** One line on a terminal, written again and again; elsewhere nothing. */
function progressLine(verb: string): { show(text: string): void; clear(): void } {
  let shown = 0;
  const write = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  };
  return {
    show(text) {
      const now = performance.now();
      if (now - shown < 100) return;
      shown = now;
      write(`${verb}: ${text}`.slice(0, 100));
    },
    clear: () => write(''),
  };
}
