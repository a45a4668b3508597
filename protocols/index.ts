/** Every device protocol; today one, JSON over MQTT. */
export {
  decode, encode, readCommand, readSettings, refusalReasons, timeText, type Decoded, type DecodedReading, type DeviceMessage, type RefusalReason,
} from './mqtt-json/codec.ts';
export {
  clientIdOf, deviceRights, internalPrefix, readTopic, topicOf, topicPrefix, upFilters, type TopicAddress, type TopicRights,
} from './mqtt-json/topics.ts';
export { limits, type AckMessage, type CommandMessage, type ReadingsMessage, type SettingsMessage, type StatusMessage } from './mqtt-json/messages.ts';
export { asyncApiDocument, type BrokerAddress } from './mqtt-json/asyncapi.ts';
export { commandOut, settingsOut, type CommandOut, type Outgoing } from './mqtt-json/adapter.ts';
export {
  ackOut, deviceFilters, hear, lastWill, readingsOut, statusOut, type DeviceAddress, type Heard, type OutReading,
} from './mqtt-json/device.ts';
