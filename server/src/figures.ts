import type pg from 'pg';
import type { Ingest } from './ingest/index.ts';
import type { Metric } from './platform/metrics.ts';
import type { Broker } from './platform/mqtt/index.ts';

/** What /metrics tells of the path of readings and of the database connections. */
export function figures({ ingest, broker, pool }: { readonly ingest: Ingest; readonly broker: Broker; readonly pool: pg.Pool }): Metric[] {
  const read = ingest.stats();
  const mqtt = broker.stats();
  const counter = (name: string, help: string, value: Metric['value']): Metric => ({ name: `lampyris_${name}`, help, type: 'counter', value });
  const gauge = (name: string, help: string, value: Metric['value']): Metric => ({ name: `lampyris_${name}`, help, type: 'gauge', value });
  return [
    counter('ingest_messages_total', 'Messages from devices.', read.messages),
    counter('ingest_readings_total', 'Readings committed.', read.readings),
    counter('ingest_batches_total', 'Transactions of readings.', read.batches),
    gauge('ingest_waiting', 'Messages waiting for their batch.', read.waiting),
    counter('ingest_refused_total', 'Messages refused, by reason.', read.refused),
    ...(mqtt.connections === null ? [] : [gauge('mqtt_connections', 'Devices connected to the embedded broker.', mqtt.connections)]),
    counter('mqtt_received_total', 'MQTT messages received.', mqtt.received),
    counter('mqtt_acknowledged_total', 'MQTT messages acknowledged.', mqtt.acknowledged),
    counter('mqtt_published_total', 'MQTT messages published to devices.', mqtt.published),
    counter('mqtt_refused_total', 'Connections and packets refused, by reason.', mqtt.refused),
    gauge('database_connections', 'Database connections of this process.', pool.totalCount),
    gauge('database_waiting', 'Queries waiting for a database connection.', pool.waitingCount),
  ];
}
