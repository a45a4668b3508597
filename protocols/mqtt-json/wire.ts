import { accountOf, type BrokerWire } from '../wire.ts';
import { commandOut, settingsBytes, settingsOrRefusal } from './adapter.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { decode, decodeReadings } from './codec.ts';
import {
  decodeNewcomer,
  isSerial,
  newcomerFilters,
  newcomerRights,
  provisionOut,
  readNewcomerTopic,
} from './newcomers.ts';
import { deviceRights, orderedUpFilters, readTopic, topicOf, upFilters } from './topics.ts';

/** JSON over MQTT: the protocol of our own devices and of the simulator. */
export const mqttJson: BrokerWire = {
  name: 'mqtt-json',
  door: 'mqtt',
  prefix: 'lampyris/v1',
  filters: {
    devices: upFilters.filter((filter) => !orderedUpFilters.includes(filter)),
    ordered: orderedUpFilters,
    newcomers: newcomerFilters,
  },
  rightsOf: deviceRights,
  placeOf: ({ deviceId, viaId }) => topicOf({ kind: 'readings', deviceId, viaId }),
  speakerAt: readTopic,
  hear: decode,
  hearReadings: decodeReadings,
  say: commandOut,
  set: settingsOrRefusal,
  settingsBytes,
  describe: asyncApiDocument,
  newcomers: {
    isSerial,
    rightsOf: newcomerRights,
    placeAt: readNewcomerTopic,
    hear: decodeNewcomer,
    welcome(newcomer, deviceId) {
      const account = accountOf(deviceId);
      return provisionOut(newcomer, { clientId: account, username: account, deviceId: String(deviceId) });
    },
  },
};
