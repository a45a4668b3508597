export type { Broker, BrokerMessage } from './broker.ts';
export { startEmbeddedBroker, type Authenticate, type EmbeddedBroker } from './embedded.ts';
export { startExternalBroker } from './external.ts';
