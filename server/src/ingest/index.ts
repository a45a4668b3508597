export { createDeviceAccess } from './device-access.ts';
export { createIngest, type Ingest, type IngestParts } from './ingest.ts';
