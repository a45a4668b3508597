export {
  brokerWire,
  describeProtocol,
  hear,
  hearNewcomer,
  hearReadings,
  isSerial,
  lineWires,
  newcomerAt,
  placeOf,
  rightsOfNewcomer,
  welcome,
} from './broker-wire.ts';
export { createDeviceAccess } from './device-access.ts';
export { createLines, type NotSent } from './lines.ts';
export { linkBy, provisionOn, type DeviceLink } from './link.ts';
export { hearKept, keptAs, linePlaceOf, speakerAt } from './places.ts';
