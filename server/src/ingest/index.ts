export { ingestionRoutes } from './http-ingestion.ts';
export { createIngest, type Ingest } from './ingest.ts';
export { ingestMetrics } from './metrics.ts';
