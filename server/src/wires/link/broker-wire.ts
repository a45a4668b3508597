import { wires } from '../../../../protocols/index.ts';
import type { BrokerWire, LineWire } from '../../../../protocols/wire.ts';

const found = wires.find((wire) => wire.door === 'mqtt');
if (!found) throw new Error('no protocol comes by the broker');

/** The protocols of the product whose devices have a door of their own. */
export const lineWires: readonly LineWire[] = wires.filter((wire) => wire.door !== 'mqtt');

/** The protocol behind the broker's door. Accounts and topics are its words: other features use what `index.ts` names. */
export const brokerWire: BrokerWire = found;

export const newcomerAt = brokerWire.newcomers.placeAt;
/** The place of a device's readings, as people find it in refusals. */
export const placeOf = brokerWire.placeOf;
export const hear = brokerWire.hear;
export const hearReadings = brokerWire.hearReadings;
export const hearNewcomer = brokerWire.newcomers.hear;
export const isSerial = brokerWire.newcomers.isSerial;
export const rightsOfNewcomer = brokerWire.newcomers.rightsOf;
export const welcome = brokerWire.newcomers.welcome;
export const describeProtocol = brokerWire.describe;
