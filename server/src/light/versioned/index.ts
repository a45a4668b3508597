export { plansHint } from './hint.ts';
export { addNextVersion, addWithVersion } from './first-version.ts';
export { contentHashOf } from './files.ts';
export { schemeKind, templateKind } from './kinds.ts';
export type { LampCount } from './versioned.store.ts';
export { createVersioned, type VersionedParts } from './versioned.service.ts';
