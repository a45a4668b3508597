/**
 * Every device protocol as the server uses it; today one, JSON over MQTT. The device's end stands in its `device.ts`.
 */
export { decode, decodeReadings, encode, readSettings, timeText, type DeviceMessage } from './mqtt-json/codec.ts';
export {
  clientIdOf,
  deviceRights,
  idOfClient,
  readTopic,
  orderedUpFilters,
  topicOf,
  upFilters,
} from './mqtt-json/topics.ts';
export {
  batchOfUsername,
  batchUsername,
  decodeNewcomer,
  isSerial,
  newcomerFilters,
  newcomerRights,
  provisionOut,
  readNewcomerTopic,
  type NewcomerAddress,
} from './mqtt-json/newcomers.ts';
export type { SettingsMessage } from './mqtt-json/messages.ts';
export { asyncApiDocument, type BrokerAddress } from './mqtt-json/asyncapi.ts';
export { commandOut, settingsOut } from './mqtt-json/adapter.ts';
