export {
  brokerWire,
  describeProtocol,
  hear,
  hearNewcomer,
  hearReadings,
  isSerial,
  newcomerAt,
  placeOf,
  rightsOfNewcomer,
  speakerAt,
  welcome,
} from './broker-wire.ts';
export { createDeviceAccess } from './device-access.ts';
export { linkBy, provisionOn, type DeviceLink } from './link.ts';
