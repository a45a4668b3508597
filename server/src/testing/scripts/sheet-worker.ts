import { serveSheet } from '../../platform/sheet/serve.ts';
import { sheetKinds } from '../sheet-kinds.ts';

/** The worker of tests: rows without end, threads that die. */
await serveSheet(Object.fromEntries(Object.values(sheetKinds).map((kind) => [kind.name, () => Promise.resolve(kind)])));
