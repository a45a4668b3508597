import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.ts';

/** A package that lies in node_modules. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX, as the package says; what it says when that is none. */
  readonly licence: string;
  readonly folder: string;
}

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/**
 * What the bundler put into the console: `name@version`. It notes that in a file of the build, which is taken away: it
 * is no page of the console.
 */
export function bundledPackages(built: string): ReadonlySet<string> {
  const file = join(built, 'bundled.json');
  const entries = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }[];
  rmSync(file);
  return new Set(entries.map(({ name, version }) => `${name}@${version}`));
}

/** Every package that is served to browsers or runs on the server, by name. */
export function shippedPackages(bundled: ReadonlySet<string>): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const found = new Map<string, ShippedPackage>();
  for (const [path, { version = '', dev }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    const key = `${name}@${version}`;
    if (path === '' || (dev === true && !bundled.has(key))) continue;
    const one = readPackage(join(root, path), name, version);
    if (one) found.set(key, one);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined: it is for another platform, and not installed. */
function readPackage(folder: string, name: string, version: string): ShippedPackage | undefined {
  try {
    const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      license?: string | { type: string };
    };
    return {
      name,
      version,
      folder,
      licence: typeof license === 'string' ? license : (license?.type ?? 'see its text'),
    };
  } catch {
    return undefined;
  }
}

/** Its licence and notice files, whole. */
export function noticesOf({ folder }: ShippedPackage): string[] {
  const names = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice|ofl)/i.test(name))
    .toSorted();
  return names.flatMap((name) => {
    try {
      return [readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()];
    } catch {
      // A folder of that name.
      return [];
    }
  });
}
