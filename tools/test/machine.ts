import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Debian package that tests need, and where it is found once it is there. */
export interface Need {
  readonly package: string;
  readonly for: string;
  /** A path that it brought; undefined: it is missing. */
  readonly find: () => string | undefined;
  /** What serves as well, only dearer, where the package cannot be installed. */
  readonly instead?: () => string | undefined;
}

const oneOf =
  (...paths: readonly string[]) =>
  (): string | undefined =>
    paths.find((path) => existsSync(path));

/**
 * Everything from Debian that the tests use, the counterparts among them: programs of others that ours is tried
 * against.
 */
const needs: readonly Need[] = [
  {
    package: 'chromium-headless-shell',
    for: 'the browser journeys, for two thirds of the processor that a whole browser takes',
    find: oneOf('/usr/bin/chromium-headless-shell'),
    instead: oneOf('/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'),
  },
  { package: 'fontconfig', for: 'finding fonts', find: oneOf('/usr/bin/fc-list', '/usr/local/bin/fc-list') },
  {
    package: 'fonts-noto-cjk',
    for: 'Chinese, Japanese and Korean in the browser',
    find: () =>
      spawnSync('fc-list', [':lang=zh', 'file'])
        .stdout?.toString()
        .split(/:? *\n/)[0] || undefined,
  },
  {
    package: 'mosquitto',
    for: 'the tests of an external broker',
    find: oneOf('/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'),
  },
  { package: 'age', for: 'opening an encrypted backup without this program', find: oneOf('/usr/bin/age') },
  { package: 'proj-bin', for: 'coordinates of national grids by another program', find: oneOf('/usr/bin/cs2cs') },
  {
    package: 'libfaketime',
    for: 'a clock that jumps, in the soak',
    find: oneOf(
      '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
      '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
      '/usr/lib/faketime/libfaketimeMT.so.1',
    ),
  },
];

export interface Machine {
  readonly needs?: readonly Need[];
  /** Installs Debian packages, all at once; null: nobody may here. */
  readonly install?: ((packages: readonly string[]) => void) | null;
  /** Remembers that everything was found, and where. */
  readonly stamp?: string;
}

const aptGet = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') ? installFromDebian : null;

function installFromDebian(packages: readonly string[]): void {
  process.stdout.write(`Installing ${packages.join(', ')} from Debian …\n`);
  const apt = (...args: string[]) =>
    spawnSync('/usr/bin/apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update', '-q');
  apt('install', '-q', '-y', '--no-install-recommends', ...packages);
}

/**
 * Sees to it, once for a machine, that everything the tests need from Debian is there: installs what is missing by one
 * call of apt-get where we are root. Returns one line for each thing that is missing still. A stamp makes the next call
 * cost nothing as long as what was found is there.
 */
export function prepareMachine({
  needs: all = needs,
  install = aptGet,
  stamp = join(tmpdir(), `lampyris-machine-${process.getuid?.() ?? 0}`),
}: Machine = {}): string[] {
  const declared = createHash('sha256').update(JSON.stringify(all)).digest('hex');
  if (isStamped(stamp, declared)) return [];
  const first = all.filter((need) => need.find() === undefined);
  if (first.length > 0) install?.(first.map((need) => need.package));
  const found = all.map((need) => need.find() ?? need.instead?.());
  const missing = all.filter((_need, index) => found[index] === undefined);
  if (missing.length === 0) writeFileSync(stamp, [declared, ...found].join('\n'));
  return missing.map(
    (need) =>
      `${need.package} is missing (for ${need.for}): apt-get install ${need.package}${install ? '' : ' (as root; this is not)'}`,
  );
}

function isStamped(stamp: string, declared: string): boolean {
  if (!existsSync(stamp)) return false;
  const [hash, ...paths] = readFileSync(stamp, 'utf8').split('\n');
  return hash === declared && paths.every((path) => existsSync(path));
}
