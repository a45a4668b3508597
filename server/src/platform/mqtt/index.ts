export type { Broker, BrokerAccount, BrokerMessage, BrokerStats, MessageHandler, TopicRights } from './broker.ts';
export { startEmbeddedBroker, type Authenticate, type EmbeddedBroker, type EmbeddedSettings } from './embedded.ts';
export { startExternalBroker, type ExternalSettings } from './external.ts';
