import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { environmentOf, prepareCluster } from '../../platform/db/cluster.ts';

/** A PostgreSQL that can be stopped, frozen and kept from writing. */
export interface TestPostgres {
  readonly url: string;
  start(): Promise<void>;
  /** As a power failure would do it: nothing is written any more. */
  kill(): Promise<void>;
  /** All its processes stand still. */
  freeze(): void;
  thaw(): void;
  /** No process of it can write a file beyond so many bytes; null: as far as it likes. */
  limitFiles(bytes: number | null): void;
  stop(): Promise<void>;
}

/** Makes a cluster in `folder` and starts it, fsync on, with a database `lampyris`. */
export async function startPostgres(folder: string): Promise<TestPostgres> {
  const cluster = await prepareCluster(folder);
  const base: pg.ClientConfig = { host: cluster.run, port: 5432, user: 'lampyris' };
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    if (child && child.exitCode === null && child.signalCode === null) return;
    const settings = ['listen_addresses=', 'max_connections=100', 'min_wal_size=32MB', 'max_wal_size=64MB', 'jit=off'];
    child = spawn(
      join(cluster.bin, 'postgres'),
      ['-D', cluster.data, '-k', cluster.run, ...settings.flatMap((setting) => ['-c', setting])],
      { ...cluster.user, cwd: cluster.data, env: environmentOf(cluster), stdio: 'ignore' },
    );
    for (;;) {
      const client = new pg.Client({ ...base, database: 'postgres' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'lampyris'");
        if (rowCount === 0) await client.query('CREATE DATABASE lampyris');
        return await client.end();
      } catch (thrown) {
        await client.end().catch(() => undefined);
        if (child.exitCode !== null) throw thrown;
        await sleep(30);
      }
    }
  }

  const pids = () => (child?.pid === undefined || child.exitCode !== null ? [] : familyOf(child.pid));
  async function end(name: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(name);
    await ended;
  }

  await start();
  return {
    url: `postgres://lampyris@localhost/lampyris?host=${encodeURIComponent(cluster.run)}`,
    start,
    kill: () => end('SIGQUIT'),
    ...levers(pids),
    stop: () => end('SIGINT'),
  };
}

/** What can be done to running processes from outside. */
export function levers(pids: () => readonly number[]): Pick<TestPostgres, 'freeze' | 'thaw' | 'limitFiles'> {
  const each = (act: (pid: number) => void) =>
    pids().forEach((pid) => {
      try {
        act(pid);
      } catch {
        // It ended meanwhile.
      }
    });
  return {
    freeze: () => each((pid) => process.kill(pid, 'SIGSTOP')),
    thaw: () => each((pid) => process.kill(pid, 'SIGCONT')),
    limitFiles: (bytes) =>
      each((pid) =>
        execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}`], { stdio: 'ignore' }),
      ),
  };
}

/** A postmaster and everything below it. */
export const familyOf = (postmaster: number): number[] => [postmaster, ...childrenOf(postmaster)];

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
    } catch {
      return false;
    }
  });
}
