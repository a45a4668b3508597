import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../make-folder.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';
import { databaseUser, makeReachable, postgresFolder, unreachablePart, type OsUser } from './binaries.ts';

/** One PostgreSQL data directory of ours and what is needed to run it. */
export interface Cluster {
  readonly folder: string;
  readonly data: string;
  /** The folder of the Unix socket. */
  readonly run: string;
  readonly logFile: string;
  readonly bin: string;
  readonly user: OsUser | undefined;
}

// A Unix socket's path is limited to 107 bytes.
const longestSocketFolder = 107 - '/.s.PGSQL.5432'.length;
const smallEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export function environmentOf(cluster: Cluster): NodeJS.ProcessEnv {
  return process.platform === 'darwin'
    ? { ...smallEnvironment, DYLD_LIBRARY_PATH: join(cluster.bin, '..', 'lib') }
    : smallEnvironment;
}

/**
 * Makes the folders of the embedded database below `dataDir` (if absent) and the cluster itself at the first start.
 * `dataDir` is `baseDir` or lies in it; both are ours to open for the database's OS user. Throws StartError, and when
 * `signal` ends it.
 */
export async function prepareCluster(
  dataDir: string,
  baseDir: string = dataDir,
  signal?: AbortSignal,
): Promise<Cluster> {
  const user = databaseUser();
  makeDataDir(dataDir, baseDir, user);
  const folder = join(dataDir, 'postgres');
  const cluster: Cluster = {
    folder,
    data: join(folder, 'data'),
    run: socketFolder(folder, user),
    logFile: join(folder, 'postgres.log'),
    bin: join(postgresFolder(user), 'bin'),
    user,
  };
  own(folder, user);
  own(cluster.run, user);
  if (!existsSync(join(cluster.data, 'PG_VERSION'))) await initialise(cluster, signal);
  await refuseOtherVersion(cluster);
  return cluster;
}

function makeDataDir(dataDir: string, baseDir: string, user: OsUser | undefined): void {
  try {
    if (!user) makeFolder(dataDir, 0o700);
    else makeReachable(dataDir);
  } catch (thrown) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be made: ${reasonOf(thrown)}`);
  }
  if (!user) return;
  for (const folder of [baseDir, dataDir]) {
    const { mode } = statSync(folder);
    // Passing through, not listing; secrets in it are 0600 anyway.
    if ((mode & 0o001) === 0) chmodSync(folder, (mode & 0o777) | 0o001);
  }
  const closed = unreachablePart(dataDir);
  if (closed)
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be reached by the database's OS user "lampyris", because ${closed} is closed to others: choose another DATA_DIR, or open that folder with chmod o+x.`,
    );
}

function own(folder: string, user: OsUser | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
}

function socketFolder(folder: string, user: OsUser | undefined): string {
  const run = join(folder, 'run');
  if (Buffer.byteLength(run) <= longestSocketFolder) return run;
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const short = join(
    Buffer.byteLength(tmpdir()) <= 40 ? tmpdir() : '/tmp',
    `lampyris-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
  );
  if (!existsSync(short)) return short;
  const found = lstatSync(short);
  // In a folder that every user may write to, another user's folder of that name is not used.
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.()))
    throw new StartError(
      `The database's socket folder ${short} belongs to somebody else: choose a DATA_DIR with a shorter path.`,
    );
  return short;
}

/** initdb into a temporary folder, then one rename: a killed first start leaves no half cluster. */
async function initialise(cluster: Cluster, signal: AbortSignal | undefined): Promise<void> {
  clearLeftovers(cluster);
  const temporary = join(cluster.folder, `new-${process.pid}`);
  rmSync(temporary, { recursive: true, force: true });
  const settings = [
    '-U',
    'lampyris',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C.UTF-8',
    '--data-checksums',
  ];
  try {
    await promisify(execFile)(join(cluster.bin, 'initdb'), ['-D', temporary, ...settings], {
      ...cluster.user,
      cwd: cluster.folder,
      env: environmentOf(cluster),
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    rmSync(temporary, { recursive: true, force: true });
    signal?.throwIfAborted();
    const said = thrown instanceof Error && 'stderr' in thrown ? String(thrown.stderr) : reasonOf(thrown);
    throw new StartError(
      `The embedded database could not be created in ${cluster.data}: ${
        said
          .trim()
          .split('\n')
          .filter((line) => /error|fatal|could not/i.test(line))
          .join(' ') || said.trim()
      }`,
    );
  }
  try {
    renameSync(temporary, cluster.data);
  } catch (thrown) {
    rmSync(temporary, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(thrown) ?? '')) throw thrown;
  }
}

function clearLeftovers(cluster: Cluster): void {
  for (const name of readdirSync(cluster.folder)) {
    const pid = /^new-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(cluster.folder, name), { recursive: true, force: true });
  }
}

async function refuseOtherVersion(cluster: Cluster): Promise<void> {
  const have = readFileSync(join(cluster.data, 'PG_VERSION'), 'utf8').trim();
  const { stdout } = await promisify(execFile)(join(cluster.bin, 'postgres'), ['--version'], {
    ...cluster.user,
    cwd: '/',
    env: environmentOf(cluster),
  });
  const need = /(\d+)/.exec(stdout)?.[1];
  if (have !== need)
    throw new StartError(
      `The database in ${cluster.data} was made by PostgreSQL ${have}, this program brings ${need}: use the program that made it.`,
    );
}

/** Whether a process of that id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM';
  }
}
