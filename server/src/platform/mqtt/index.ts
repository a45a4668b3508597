export { noLimits, PacketTooLarge, type Broker, type BrokerAccount, type BrokerMessage } from './broker.ts';
export { startEmbeddedBroker, type EmbeddedBroker } from './embedded.ts';
export type { Authenticate, LinkEvent } from './visitors.ts';
export { startExternalBroker } from './external.ts';
export { brokerMetrics } from './metrics.ts';
