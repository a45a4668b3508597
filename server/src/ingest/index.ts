export { createIngest, type Ingest, type IngestParts } from './ingest.ts';
