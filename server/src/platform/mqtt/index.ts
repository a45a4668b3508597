export type { Broker, BrokerAccount, BrokerMessage } from './broker.ts';
export { startEmbeddedBroker, type Authenticate, type EmbeddedBroker, type LinkEvent } from './embedded.ts';
export { startExternalBroker } from './external.ts';
