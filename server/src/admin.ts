import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { backupCommand, backupUsage, impatienceMs, restoreCommand } from './backup-commands.ts';
import { readConfig, type Config } from './config.ts';
import { adminName, initialPasswordFile, randomPassword } from './people/installation/index.ts';
import { createAccounts, nameKey } from './people/accounts/index.ts';
import type { NotedHead } from './people/log-seals/index.ts';
import { createSessions } from './people/sessions/index.ts';
import { createRecovery } from './people/sign-in/index.ts';
import { startBus } from './platform/bus/index.ts';
import { systemClock } from './platform/clock.ts';
import { checkMigrateWords, migrateUsage, migrationLines, pendingExitCode } from './migrate-command.ts';
import {
  openDatabase,
  pendingMigrations,
  refuseOtherState,
  type Database,
  type DatabaseState,
} from './platform/db/index.ts';
import { createLog, type Log } from './platform/log.ts';
import { StartError, codeOf, reasonOf } from './platform/start-error.ts';
import { notedHeads, verifyLogLines } from './verify-log.ts';

const usage = [
  'npm run admin -- unlock <account>            lifts the locks of an account',
  'npm run admin -- reset <account>             gives it a new initial password, shown once',
  'npm run admin -- verify-log [noted heads …]  tells whether the logs are as they were written, and their heads to note',
  migrateUsage,
  backupUsage,
  'A last word "demo" means the database of the demonstration where there are two.',
].join('\n');

const stopping = new AbortController();
const { signal } = stopping;
/** Whatever is still under way by then is given up. */
const endDeadlineMs = 9500;
let endedBy = 0;

/** Everything under way is taken back as far as it can be; once. */
function breakOff(code: number): void {
  if (signal.aborted) return;
  endedBy = code;
  stopping.abort(new StartError('Broken off.'));
  setTimeout(() => process.exit(endedBy), endDeadlineMs).unref();
}

// Ctrl-C is told to every process of the terminal, and npm tells it on: the first one counts.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => breakOff(128 + constants.signals[name]));

// A fault of the program leaves as little behind as Ctrl-C.
process.on('uncaughtException', (thrown) => {
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  process.exitCode = 1;
  breakOff(1);
});

// The reader of the output may stop reading (`| head`): the work goes on, and its exit code says how it went.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (thrown) => {
    if (output === process.stdout && codeOf(thrown) !== 'EPIPE')
      process.stderr.write(`What is said could not be written: ${reasonOf(thrown)}\n`);
  });
}

/**
 * On the machine itself, beside a running server or without: the way back for a locked or forgetful last administrator;
 * the proof of the logs.
 */
async function main(words: readonly string[]): Promise<void> {
  const demonstration = words.length > 1 && words.at(-1) === 'demo';
  const [verb, ...rest] = demonstration ? words.slice(0, -1) : words;
  if (verb === 'backup') return backupCommand(rest, chosenConfig(demonstration), process.env, signal);
  if (verb === 'restore') return restoreCommand(rest, readConfig(process.env, { demonstration }), process.env, signal);
  if (verb === 'migrate') {
    checkMigrateWords(rest);
    return listPending(demonstration);
  }
  if (verb === 'verify-log') {
    const noted = notedHeads(rest);
    return withDatabase(demonstration, (database) => verifyLog(database, noted));
  }
  const [username, ...more] = rest;
  if ((verb !== 'unlock' && verb !== 'reset') || !username?.trim() || more.length > 0) throw new StartError(usage);
  return withDatabase(demonstration, (database, config, log) => recover(verb, username, database, config, log));
}

async function withDatabase(
  demonstration: boolean,
  work: (database: Database, config: Config, log: Log) => Promise<void>,
  migrations: (client: pg.ClientBase) => Promise<number> = refuseOtherState,
): Promise<void> {
  const config = chosenConfig(demonstration);
  const log = createLog('warn');
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    log,
    role: 'npm run admin',
    share: true,
    signal,
    migrations,
  });
  const brokenOff = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as StartError), { once: true });
  });
  try {
    await Promise.race([work(database, config, log), brokenOff]);
  } finally {
    await database.stop(signal.aborted ? impatienceMs : undefined);
  }
}

/** Lists what the next start would change; changes nothing. */
async function listPending(demonstration: boolean): Promise<void> {
  let state: DatabaseState | undefined;
  await withDatabase(
    demonstration,
    () => Promise.resolve(),
    async (client) => {
      state = await pendingMigrations(client);
      return 0;
    },
  );
  if (!state) return;
  process.stdout.write(`${migrationLines(state).join('\n')}\n`);
  if (state.pending.length > 0) process.exitCode = pendingExitCode;
}

async function recover(
  verb: 'unlock' | 'reset',
  username: string,
  { db, connection }: Database,
  config: Config,
  log: Log,
): Promise<void> {
  const bus = await startBus(connection, log);
  try {
    const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
    const recovery = createRecovery({
      db,
      clock,
      accounts: createAccounts({ db, clock }),
      sessions: createSessions({ db, clock, bus }),
    });
    const password = randomPassword();
    const done = verb === 'unlock' ? await recovery.unlock(username) : await recovery.reset(username, password);
    if (!done) throw new StartError(`There is no account "${username}".`);
    // The starts until the change tell where it stands.
    if (verb === 'reset' && nameKey(username) === adminName) initialPasswordFile(config.dataDir).write(password);
    process.stdout.write(
      verb === 'unlock'
        ? `The account ${username} is unlocked.\n`
        : `The initial password of ${username} is now\n\n  ${password}\n\nIt must be changed at the next sign-in.\n`,
    );
  } finally {
    await bus.stop();
  }
}

async function verifyLog({ db }: Database, noted: readonly NotedHead[]): Promise<void> {
  const { good, lines } = await verifyLogLines(db, noted);
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!good) process.exitCode = 1;
}

/**
 * The configuration whose database exists: the site's own before the one of the demonstration, unless that is asked
 * for.
 */
function chosenConfig(demonstration: boolean): Config {
  const candidates = [...(demonstration ? [] : [false]), true].map((demo) =>
    readConfig(process.env, { demonstration: demo }),
  );
  const found = candidates.find(
    ({ databaseUrl, dataDir }) => databaseUrl !== null || existsSync(join(dataDir, 'postgres')),
  );
  if (!found)
    throw new StartError(
      `There is no database in ${candidates.map(({ dataDir }) => dataDir).join(' nor in ')}: set DATA_DIR or DATABASE_URL as the server has it.`,
    );
  return found;
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(
    `${thrown instanceof StartError ? thrown.message : signal.aborted ? 'Broken off.' : thrown instanceof Error ? thrown.stack : String(thrown)}\n`,
  );
  if (signal.aborted) process.exit(endedBy);
  process.exitCode = 1;
}
