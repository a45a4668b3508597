/**
 * Base addresses of the other services (specified 10.5), all empty by default: same origin. A site fills the meta
 * element `lampyris-services` of the console's page with JSON: `{"lampPole": "https://…", "assets": "https://…"}`.
 */
const owners: readonly (readonly [service: string, prefix: string])[] = [
  ['assets', '/api/tWorkAreas/'],
  ['lampPole', '/api/cscpWorkGroups'],
  ['lampPole', '/api/operationsExcel'],
  ['lampPole', '/api/logInExcel'],
];

function configured(): Record<string, unknown> {
  const text = document.querySelector('meta[name="lampyris-services"]')?.getAttribute('content') ?? '';
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

let known: Record<string, unknown> | undefined;

/** The base address (no trailing slash) of the service that serves a path. */
export function baseOf(path: string): string {
  known ??= configured();
  const owner = owners.find(([, prefix]) => path.startsWith(prefix))?.[0];
  const base = owner === undefined ? undefined : known[owner];
  return typeof base === 'string' ? base.replace(/\/+$/, '') : '';
}
