// The bootstrap behind every npm command: plain JavaScript on node:* alone, because it runs before anything is
// installed and on the machine's own Node (20.19 or newer). It installs what is missing, finds Node 24, builds what is
// stale, and hands over.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const built = join(root, 'console/dist');
const vite = join(modules, 'vite/bin/vite.js');
process.chdir(root);

/**
 * What each command runs, whether the built console must be fresh first, and whether the packages that run are enough
 * (`npm ci --omit=dev`, or a release archive).
 */
const commands = {
  demo: { run: ['server/src/main.ts', 'demo'], build: true, lean: true },
  serve: { run: ['server/src/main.ts', 'serve'], lean: true },
  build: { run: [], build: 'always' },
  test: { run: ['tools/test.ts'] },
  check: { run: ['tools/check.ts'] },
  generate: { run: ['tools/generate.ts'] },
  bench: { run: ['bench/bench.ts'], build: true },
  hunt: { run: ['tools/hunt.ts'], build: true },
  soak: { run: ['tools/soak.ts'], build: true },
  shots: { run: ['e2e/shots.ts'], build: true },
  release: { run: ['tools/release.ts'], build: true },
  admin: { run: ['server/src/admin.ts'], lean: true },
  device: { run: ['simulator/device.ts'], lean: true },
  // For tools/test.ts, which builds beside its checks.
  'build-if-stale': { run: [], build: true },
};

const [name = '', ...rest] = process.argv.slice(2);
const command = commands[name];
if (!command) fail(`Unknown command "${name}". Known: ${Object.keys(commands).join(', ')}.`);

/** This folder is an unpacked release archive: everything is there, and nothing can be built. */
const released = existsSync(join(root, 'release.json'));
if (released && !command.lean)
  fail(
    `This is a release archive: it knows ${Object.keys(commands)
      .filter((key) => commands[key].lean)
      .join(', ')}.`,
  );

let child;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child?.kill(signal));

if (!released) await install(command.lean);
const node = findNode();
if (command.build && !released && canBuild()) await build(command.build === 'always');
if (name === 'serve' && !existsSync(join(built, 'index.html')))
  fail('The console is not built yet: npm run build makes it.');
if (command.run.length > 0) await run(node, [...command.run, ...rest]);

/** Prints one line and ends. */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Runs a program to its end; a failure or a signal ends this process the same way. */
function run(program, args, options = {}) {
  return new Promise((resolve) => {
    child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...process.env, PATH: `${join(modules, '.bin')}:${process.env.PATH ?? ''}` },
      ...options,
    });
    child.once('error', (error) => fail(`${program} cannot be run: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Installs exactly what package-lock.json says, when that is not there already; `lean`: what runs is enough where it is
 * there.
 */
async function install(lean = false) {
  const stamp = join(modules, '.lampyris-installed');
  const wanted = sha256(readFileSync(join(root, 'package-lock.json')));
  if (read(stamp) === wanted) return;
  if (lean && isInstalled(true)) return;
  if (!isInstalled(false)) {
    process.stdout.write('Installing the packages of package-lock.json …\n');
    const npm = process.env.npm_execpath;
    const args = [
      'ci',
      '--engine-strict=false',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    if (npm && /\.c?js$/.test(npm)) await run(process.execPath, [npm, ...args]);
    else await run('npm', args);
  }
  mkdirSync(modules, { recursive: true });
  writeFileSync(stamp, wanted);
}

/**
 * Whether an `npm install` or `npm ci` of somebody's own brought everything already (`lean`: everything that runs): npm
 * notes in a hidden lock file what is there.
 */
function isInstalled(lean) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const present = readJson(join(modules, '.package-lock.json'))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(([path, { version, optional, dev, os, cpu, libc }]) => {
    if (path === '' || (lean && dev)) return true;
    const foreign =
      (os && !os.includes(process.platform)) ||
      (cpu && !cpu.includes(process.arch)) ||
      (libc && !libc.includes('glibc'));
    if (optional && (foreign || !(os || cpu))) return true;
    return present[path]?.version === version;
  });
}

/** The Node 24 that npm brought for this platform, or our own when it is new enough. */
function findNode() {
  const brought = join(modules, '.bin/node');
  if (existsSync(brought) && spawnSync(brought, ['--version']).status === 0) return brought;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `Lampyris needs Node 24 here (this is ${process.versions.node}): for ${process.platform} ${process.arch} npm brings none, so install Node 24 or newer.`,
  );
}

/**
 * Whether the console may be built for this command. Where the packages that build were left out on purpose
 * (`npm ci --omit=dev`), what runs takes the console that is there, whatever its age, and installs nothing.
 */
function canBuild() {
  if (!command.lean || existsSync(vite)) return true;
  if (!existsSync(join(built, 'index.html')))
    fail(
      'The console is not built, and the packages that build it are not installed (npm ci --omit=dev). Build it with all packages (npm ci, npm run build), here or elsewhere, and bring console/dist along.',
    );
  if (read(join(built, '.sources')) !== sourcesHash())
    process.stdout.write(
      'The built console is of other sources than these; it is shown as it is, because the packages that build it are not installed (npm ci --omit=dev).\n',
    );
  return false;
}

/** Builds the console when its sources changed since the last build. */
async function build(always) {
  const stamp = join(built, '.sources');
  const wanted = sourcesHash();
  if (!always && read(stamp) === wanted) return;
  await install();
  rmSync(stamp, { force: true });
  process.stdout.write('Building the console …\n');
  await run(node, [vite, 'build', '--config', 'console/vite.config.ts', '--logLevel', 'error']);
  await run(node, ['tools/build/finish.ts']);
  writeFileSync(stamp, wanted);
}

function sourcesHash() {
  const hash = createHash('sha256');
  const add = (path) => hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'dist') walk(path);
      else if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) add(path);
    }
  };
  for (const folder of ['console', 'catalogue', 'contract', 'tools/build']) walk(folder);
  for (const file of ['package-lock.json', 'tsconfig.json']) add(file);
  return hash.digest('hex');
}
