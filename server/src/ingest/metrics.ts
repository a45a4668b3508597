import { byLabel, metricsFrom, type MetricSource } from '../platform/metrics/index.ts';
import type { Ingest } from './ingest.ts';

type Counts = Pick<
  ReturnType<Ingest['stats']>,
  'messages' | 'readings' | 'duplicates' | 'batches' | 'waiting' | 'refused' | 'slowed' | 'rests'
>;

/** What ingest counts. */
export const ingestMetrics = (ingest: { stats(): Counts }): MetricSource =>
  metricsFrom(
    () => ingest.stats(),
    [
      {
        name: 'lampyris_ingest_messages_total',
        help: 'Messages from devices.',
        type: 'counter',
        value: ({ messages }) => messages,
      },
      {
        name: 'lampyris_ingest_readings_total',
        help: 'Readings committed.',
        type: 'counter',
        value: ({ readings }) => readings,
      },
      {
        name: 'lampyris_ingest_duplicates_total',
        help: 'Readings that were there already.',
        type: 'counter',
        value: ({ duplicates }) => duplicates,
      },
      {
        name: 'lampyris_ingest_batches_total',
        help: 'Transactions of readings.',
        type: 'counter',
        value: ({ batches }) => batches,
      },
      {
        name: 'lampyris_ingest_waiting',
        help: 'Messages waiting for their batch.',
        type: 'gauge',
        value: ({ waiting }) => waiting,
      },
      {
        name: 'lampyris_ingest_refused_total',
        help: 'Messages refused, by reason.',
        type: 'counter',
        labels: ['reason'],
        // There from the beginning: what first appears with its first mistake has not grown, and no rule would see it.
        value: ({ refused }) => byLabel('reason', { internal: 0, storage: 0, ...refused }),
      },
      {
        name: 'lampyris_ingest_slowed_devices',
        help: 'Devices that said more than their budget within the last five minutes and are read more slowly.',
        type: 'gauge',
        value: ({ slowed }) => slowed.length,
      },
      {
        name: 'lampyris_ingest_rests_total',
        help: 'How often the socket of such a device was not read on for a while.',
        type: 'counter',
        value: ({ rests }) => rests,
      },
    ],
  );
