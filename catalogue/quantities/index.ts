import { pick, type Random } from '../fields/kind.ts';

/** The option set with the texts for true and false of a flag: yes and no, closed and open, open and shut. */
type Words = 'boolean' | 'contact' | 'door';

/**
 * What a device measures. `kind` is the form of a value in `values`. A cumulative quantity grows until it wraps or is
 * reset.
 */
export type Quantity =
  | {
      readonly key: string;
      readonly kind: 'number';
      readonly unit: string;
      readonly decimals: number;
      readonly min: number;
      readonly max: number;
      readonly cumulative?: true;
    }
  | { readonly key: string; readonly kind: 'boolean'; readonly words: Words }
  | { readonly key: string; readonly kind: 'enum'; readonly options: readonly string[] };

const measured = (key: string, unit: string, decimals: number, min: number, max: number): Quantity => ({
  key,
  kind: 'number',
  unit,
  decimals,
  min,
  max,
});
/** Counters. An empty `unit` is a plain count. */
const counter = (key: string, unit: string, decimals: number, max: number): Quantity => ({
  key,
  kind: 'number',
  unit,
  decimals,
  min: 0,
  max,
  cumulative: true,
});
const flag = (key: string, words: Words = 'boolean'): Quantity => ({ key, kind: 'boolean', words });

/** The loops (回路) a central controller switches and meters. */
export const loopNumbers = [1, 2, 3, 4, 5, 6] as const;
const phases = ['A', 'B', 'C'] as const;

/** Every quantity of every family, with its plausible range. */
const list: readonly Quantity[] = [
  // single-lamp controller
  measured('voltage', 'V', 1, 0, 300),
  measured('current', 'A', 3, 0, 10),
  measured('power', 'W', 1, 0, 1000),
  measured('apparentPower', 'VA', 1, 0, 1000),
  measured('reactivePower', 'var', 1, -1000, 1000),
  measured('powerFactor', 'one', 3, -1, 1),
  counter('energy', 'kWh', 3, 1e9),
  measured('commandLevel', 'percent', 0, 0, 100),
  // Why the commanded level is what it is.
  {
    key: 'reason',
    kind: 'enum',
    options: ['programme', 'manual', 'emergency', 'sensor', 'local', 'fallback', 'powerUp'],
  },
  measured('level', 'percent', 0, 0, 100),
  flag('relay', 'contact'),
  counter('runHours', 'h', 1, 1e6),
  counter('switchCount', 'times', 0, 1e8),
  measured('leakage', 'mA', 1, 0, 100),
  measured('temperature', 'celsius', 1, -40, 125),
  measured('rssi', 'dBm', 0, -140, 0),
  measured('snr', 'dB', 1, -30, 40),
  measured('hops', 'times', 0, 0, 32),
  flag('driverFault'),
  // central controller
  ...phases.flatMap((p) => [
    measured(`voltage${p}`, 'V', 1, 0, 300),
    measured(`current${p}`, 'A', 2, 0, 400),
    measured(`power${p}`, 'W', 0, 0, 120000),
    measured(`powerFactor${p}`, 'one', 3, -1, 1),
  ]),
  ...loopNumbers.flatMap((n) => [
    flag(`loop${n}Contactor`, 'contact'),
    flag(`loop${n}Aux`, 'contact'),
    measured(`loop${n}Current`, 'A', 2, 0, 400),
  ]),
  flag('door', 'door'),
  flag('water'),
  { key: 'selector', kind: 'enum', options: ['auto', 'manual'] },
  measured('clockOffset', 's', 1, -86400, 86400),
  measured('battery', 'percent', 0, 0, 100),
  // gateway, screens, access points, cameras: the unit itself
  measured('children', 'times', 0, 0, 100000),
  measured('cpu', 'percent', 1, 0, 100),
  measured('memory', 'percent', 1, 0, 100),
  measured('diskUsed', 'percent', 1, 0, 100),
  // solar controller
  measured('pvVoltage', 'V', 2, 0, 150),
  measured('pvCurrent', 'A', 2, 0, 100),
  measured('pvPower', 'W', 1, 0, 10000),
  measured('batteryVoltage', 'V', 2, 0, 60),
  measured('batteryCurrent', 'A', 2, -100, 100),
  measured('loadVoltage', 'V', 2, 0, 60),
  measured('loadCurrent', 'A', 2, 0, 100),
  measured('loadPower', 'W', 1, 0, 5000),
  { key: 'chargeStage', kind: 'enum', options: ['none', 'bulk', 'absorption', 'float', 'equalize'] },
  measured('dayCharge', 'Ah', 2, 0, 10000),
  measured('dayDischarge', 'Ah', 2, 0, 10000),
  // information screen, public broadcast, one-click call, wifi, camera
  flag('screenOn'),
  measured('brightness', 'percent', 0, 0, 100),
  flag('playing'),
  measured('volume', 'percent', 0, 0, 100),
  flag('registered'),
  flag('inCall'),
  measured('clients', 'times', 0, 0, 100000),
  measured('throughput', 'Mbps', 2, 0, 100000),
  flag('recording'),
  flag('videoLost'),
  // environmental monitor: the factors of HJ 212
  measured('pm25', 'ugm3', 1, 0, 2000),
  measured('pm10', 'ugm3', 1, 0, 5000),
  measured('tsp', 'ugm3', 1, 0, 20000),
  measured('airTemperature', 'celsius', 1, -60, 70),
  measured('humidity', 'percent', 1, 0, 100),
  measured('pressure', 'hPa', 1, 500, 1100),
  measured('windSpeed', 'mps', 1, 0, 75),
  measured('windDirection', 'degree', 0, 0, 360),
  measured('so2', 'ugm3', 1, 0, 5000),
  measured('no2', 'ugm3', 1, 0, 5000),
  measured('co', 'mgm3', 2, 0, 200),
  measured('o3', 'ugm3', 1, 0, 2000),
  measured('noise', 'dBA', 1, 0, 140),
  // charging pile: the states of OCPP
  {
    key: 'connectorStatus',
    kind: 'enum',
    options: [
      'available',
      'preparing',
      'charging',
      'suspended_evse',
      'suspended_ev',
      'finishing',
      'reserved',
      'unavailable',
      'faulted',
    ],
  },
  measured('chargingVoltage', 'V', 1, 0, 1000),
  measured('chargingCurrent', 'A', 2, 0, 800),
  measured('chargingPower', 'W', 0, 0, 600000),
  measured('soc', 'percent', 0, 0, 100),
  measured('sessionEnergy', 'kWh', 3, 0, 10000),
  // manhole cover, pole tilt sensor, trash can, parking lock
  measured('tilt', 'degree', 1, 0, 180),
  measured('displacement', 'mm', 0, 0, 10000),
  measured('waterLevel', 'mm', 0, 0, 20000),
  measured('gas', 'lel', 1, 0, 100),
  measured('tiltX', 'degree', 2, -90, 90),
  measured('tiltY', 'degree', 2, -90, 90),
  measured('vibration', 'g', 3, 0, 50),
  measured('fill', 'percent', 0, 0, 100),
  { key: 'arm', kind: 'enum', options: ['up', 'down', 'moving', 'blocked'] },
  flag('carPresent'),
  // 5G micro station
  measured('frequency', 'Hz', 2, 40, 70),
];

export const quantities: ReadonlyMap<string, Quantity> = new Map(list.map((q) => [q.key, q]));

export type ReadingValue = number | boolean | string;
export type ReadingValues = Readonly<Record<string, ReadingValue>>;

/** The option set with the texts for the values of a flag or a choice. */
export const wordsOf = (quantity: Quantity): string => (quantity.kind === 'boolean' ? quantity.words : quantity.key);

/** Checks the type and the range of a value; never throws. */
export function fits(quantity: Quantity, v: unknown): 'ok' | 'type' | 'range' {
  if (quantity.kind === 'boolean') return typeof v === 'boolean' ? 'ok' : 'type';
  if (quantity.kind === 'enum') return typeof v === 'string' && quantity.options.includes(v) ? 'ok' : 'type';
  if (typeof v !== 'number' || !Number.isFinite(v)) return 'type';
  return v >= quantity.min && v <= quantity.max ? 'ok' : 'range';
}

/** A plausible value of a quantity, for demonstrations and tests. */
export function simulateQuantity(quantity: Quantity, random: Random): ReadingValue {
  if (quantity.kind === 'boolean') return random() < 0.5;
  if (quantity.kind === 'enum') return pick(random, quantity.options);
  return Number((quantity.min + random() * (quantity.max - quantity.min)).toFixed(quantity.decimals));
}
