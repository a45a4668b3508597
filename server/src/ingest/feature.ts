import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import { createRateWindows } from '../platform/http/index.ts';
import { brokerMetrics } from '../platform/mqtt/index.ts';
import type { Link } from '../start-link.ts';
import { createDeviceAccess } from '../wires/link/index.ts';
import { ingestionRoutes } from './http-ingestion.ts';
import { ingestMetrics } from './metrics.ts';

/** Readings over HTTP. Devices hold up no operator: they ask beside the pool that answers people. */
export const ingestFeature = ({ db, clock }: Floor, { ingest, broker }: Link): Feature => ({
  routes: ingestionRoutes({
    ingest,
    authenticate: createDeviceAccess({ db }),
    rates: createRateWindows({ db, clock }),
  }),
  metrics: [ingestMetrics(ingest), brokerMetrics(broker)],
});
