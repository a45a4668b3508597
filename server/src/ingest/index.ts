export { createDeviceAccess } from './device-access.ts';
export { createIngest, type Ingest } from './ingest.ts';
