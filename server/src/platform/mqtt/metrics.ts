import { byLabel, metricsFrom, type MetricSource } from '../metrics/index.ts';
import type { Broker } from './broker.ts';

/** What the broker counts, and whether it is usable. */
export const brokerMetrics = (broker: Pick<Broker, 'stats' | 'problem'>): MetricSource =>
  metricsFrom(
    () => ({ ...broker.stats(), isUsable: broker.problem() === null }),
    [
      {
        name: 'lampyris_mqtt_connections',
        help: 'Devices connected to the embedded broker; on a broker of the site what it says of all its clients, the program among them.',
        type: 'gauge',
        value: ({ connections }) => connections,
      },
      {
        name: 'lampyris_mqtt_received_total',
        help: 'MQTT messages received.',
        type: 'counter',
        value: ({ received }) => received,
      },
      {
        name: 'lampyris_mqtt_acknowledged_total',
        help: 'MQTT messages acknowledged.',
        type: 'counter',
        value: ({ acknowledged }) => acknowledged,
      },
      {
        name: 'lampyris_mqtt_published_total',
        help: 'MQTT messages published to devices.',
        type: 'counter',
        value: ({ published }) => published,
      },
      {
        name: 'lampyris_mqtt_refused_total',
        help: 'Connections and packets refused, by reason.',
        type: 'counter',
        labels: ['reason'],
        value: ({ refused }) => byLabel('reason', refused),
      },
      {
        name: 'lampyris_mqtt_up',
        help: '1 while the broker is usable.',
        type: 'gauge',
        value: ({ isUsable }) => Number(isUsable),
      },
    ],
  );
