import { spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync, readFileSync, readlinkSync, rmSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError, reasonOf } from '../start-error.ts';
import { environmentOf, isAlive, type Cluster } from './cluster.ts';

/** A postmaster that we started. */
export interface Begun {
  readonly pid: number;
  /** What its log says of its end, on one line; undefined while it lives, or when the log blames nothing. */
  died(): string | undefined;
}

interface Noted {
  readonly pid: number;
  /** Seconds since 1970. */
  readonly startedAt: number;
}

/** What `postmaster.pid` names, when a process of that id lives. */
function noted(cluster: Cluster): Noted | undefined {
  const [pid = '', , startedAt = ''] = (readText(join(cluster.data, 'postmaster.pid')) ?? '').split('\n');
  return Number(pid) > 0 && Number.isInteger(Number(pid)) && isAlive(Number(pid))
    ? { pid: Number(pid), startedAt: Number(startedAt) }
    : undefined;
}

/** A living PostgreSQL server process: the folder it was started for, and whether it really runs in ours. */
function serverProcess(
  cluster: Cluster,
  { pid, startedAt }: Noted,
): { readonly folder: string; readonly isOurs: boolean; readonly where: string } | undefined {
  const words = (readText(`/proc/${pid}/cmdline`) ?? '').split('\0');
  if (!words[0]?.endsWith('postgres')) return undefined;
  const folder = words[words.indexOf('-D') + 1] ?? '';
  const namesOurs = words.includes(cluster.data);
  // Another program got the number after a restart of the machine.
  if (!namesOurs && !isStartedAt(pid, startedAt)) return undefined;
  return {
    folder,
    isOurs: namesOurs && isSameFolder(`/proc/${pid}/cwd`, cluster.data),
    where: linkOf(`/proc/${pid}/cwd`) ?? folder,
  };
}

/** The process id of the postmaster that runs this cluster now, checked against what that process really is. */
export function runningPostmaster(cluster: Cluster): number | undefined {
  const named = noted(cluster);
  if (!named) return undefined;
  // A zombie, or another program that got the number after a restart, has another command line.
  return process.platform !== 'linux' || serverProcess(cluster, named)?.isOurs ? named.pid : undefined;
}

/**
 * Throws StartError when the folder's `postmaster.pid` names a living database that runs elsewhere: the folder was
 * copied or moved while that one ran, and both would write into one of them.
 */
export function refuseForeignPostmaster(cluster: Cluster): void {
  const named = process.platform === 'linux' ? noted(cluster) : undefined;
  const found = named && serverProcess(cluster, named);
  if (!named || !found || found.isOurs) return;
  throw new StartError(
    `The database in ${cluster.data} was copied or moved while it ran: its postmaster.pid names process ${named.pid}, a PostgreSQL that runs in ${found.where} (postgres -D ${found.folder}). Stop that one (kill -INT ${named.pid}), then copy the folder again.`,
  );
}

/**
 * A pid file that names a process which is not a postmaster would stop PostgreSQL from starting; called only when none
 * runs.
 */
function dropStalePidFile(cluster: Cluster): void {
  if (process.platform === 'linux' && noted(cluster) && !runningPostmaster(cluster))
    rmSync(join(cluster.data, 'postmaster.pid'), { force: true });
}

/**
 * Spawns the postmaster as a process that outlives us, its output in a file. Returns once it listens; throws StartError
 * when it ends before.
 */
export async function startPostmaster(cluster: Cluster, extra: readonly string[]): Promise<Begun> {
  dropStalePidFile(cluster);
  const log = openLog(cluster);
  const logBegins = statSync(cluster.logFile).size;
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'log_checkpoints=off',
    'jit=off',
    'wal_keep_size=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
    ...sizes(cluster.data),
    ...extra,
  ];
  const child = spawn(
    join(cluster.bin, 'postgres'),
    ['-D', cluster.data, '-k', cluster.run, ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...cluster.user,
      cwd: cluster.data,
      env: environmentOf(cluster),
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  let failure: string | undefined;
  child.once('error', (thrown) => {
    failure = reasonOf(thrown);
  });
  child.once('exit', (code, signal) => {
    failure = `it ended with ${signal ?? code}`;
  });
  child.unref();
  const newLog = () => readFileSync(cluster.logFile).subarray(logBegins).toString('utf8');
  const blame = () => blameIn(newLog());
  for (;;) {
    const pid = runningPostmaster(cluster);
    if (pid) return { pid, died: () => (runningPostmaster(cluster) === pid ? undefined : blame()) };
    if (failure !== undefined)
      throw new StartError(
        `The embedded database does not start: ${blame() ?? `${failure}. ${lastLine(newLog())}`} (its log: ${cluster.logFile})`,
      );
    await sleep(5);
  }
}

/**
 * The line of a log that says why a server ended: its last PANIC, else its last FATAL that is no refusal of a visitor.
 */
function blameIn(log: string): string | undefined {
  const lines = log.split('\n');
  const said = (pattern: RegExp) =>
    lines.findLast(
      (line) => pattern.test(line) && !/the database system is|lock file|terminating connection/.test(line),
    );
  return (said(/PANIC: /) ?? said(/FATAL: /))?.replace(/^.*?(PANIC|FATAL): +/, '$1: ').trim();
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

const byForceMs = 700;

/**
 * Ends a postmaster: SIGINT is PostgreSQL's fast shutdown; when `leftMs` milliseconds are nearly over SIGQUIT, after
 * which the next start recovers what was committed, and at last SIGKILL for it and its processes.
 */
export async function stopPostmaster(
  cluster: Cluster,
  pid: number,
  leftMs: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const ends = performance.now() + leftMs;
  const isThere = () => runningPostmaster(cluster) === pid;
  const until = async (time: number) => {
    while (isThere() && performance.now() < time) await sleep(10);
  };
  send(pid, 'SIGINT');
  await until(ends - byForceMs);
  if (!isThere()) return;
  send(pid, 'SIGQUIT');
  await until(ends - byForceMs / 2);
  if (!isThere()) return;
  for (const child of (readText(`/proc/${pid}/task/${pid}/children`) ?? '')
    .split(' ')
    .map(Number)
    .filter((id) => id > 0))
    send(child, 'SIGKILL');
  send(pid, 'SIGKILL');
  await until(ends);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

const mebibyte = 2 ** 20;

/**
 * What the database may take of this machine, which other programs share: a sixteenth of the memory for its own pages,
 * at most 1 GiB; and room between checkpoints, at most a twentieth of what is free on the disk: after each one every
 * page is written whole once more, which with a large register is most of what readings cost.
 */
function sizes(data: string): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / mebibyte;
  const { bavail, bsize } = statfsSync(data);
  const between = (least: number, value: number, most: number): number =>
    Math.round(Math.min(Math.max(value, least), most));
  return [
    `shared_buffers=${between(128, memory / 16, 1024)}MB`,
    `effective_cache_size=${between(512, memory / 2, 65_536)}MB`,
    `max_wal_size=${between(1024, (bavail * bsize) / mebibyte / 20, 4096)}MB`,
    'checkpoint_timeout=15min',
  ];
}

function openLog(cluster: Cluster): number {
  const size = statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(cluster.logFile, size > 10_000_000 ? 'w' : 'a', 0o600);
  if (cluster.user) fchownSync(log, cluster.user.uid, cluster.user.gid);
  return log;
}

/** Whether a process began at a time that PostgreSQL noted, a few seconds more or less. */
function isStartedAt(pid: number, seconds: number): boolean {
  const fields = (readText(`/proc/${pid}/stat`) ?? '').split(') ').at(-1)?.split(' ') ?? [];
  const booted = Number(/^btime (\d+)/m.exec(readText('/proc/stat') ?? '')?.[1]);
  return Math.abs(booted + Number(fields[19]) / ticksPerSecond - seconds) < 5;
}

const ticksPerSecond = 100;

/** Whether two paths are one folder. One that may not be looked at is believed to be. */
function isSameFolder(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return true;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
