interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly engines?: unknown;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const systems = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openharmony'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'riscv64', 'ppc64', 's390x', 'loong64', 'wasm32'];

/**
 * The lock file with an entry for every platform package that some package offers. npm leaves out those its registry
 * did not have when it was written, and `npm ci` then refuses the whole file on a machine whose npm looks closer.
 */
export function completeLockFile(text: string): string {
  const lock = JSON.parse(text) as LockFile;
  const present = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/'))));
  const missing = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .flatMap(([, entry]) =>
      Object.entries(entry.optionalDependencies ?? {}).map(([name, version]) => [name, version, entry] as const),
    )
    .filter(([name]) => !present.has(`node_modules/${name}`));
  if (missing.length === 0) return text;
  const added = missing.map(
    ([name, version, offering]) => [`node_modules/${name}`, platformEntry(name, version, offering)] as const,
  );
  const packages = Object.fromEntries(
    [...Object.entries(lock.packages), ...added].toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  );
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}

function platformEntry(name: string, version: string, offering: LockEntry): object {
  const words = name.replace(/^.*\//, '').split('-');
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (!os || !cpu) throw new Error(`package-lock.json has no entry for ${name}, and its name tells no platform`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return {
    version,
    cpu: [cpu],
    ...(offering.dev ? { dev: true } : {}),
    ...(os === 'linux' && libc ? { libc: [libc] } : {}),
    optional: true,
    os: [os],
    ...(offering.engines ? { engines: offering.engines } : {}),
  };
}
