/** What a device measures. `kind` says how it travels in `values`; a cumulative one only grows until it wraps or is reset. */
export type Quantity =
  | { readonly key: string; readonly kind: 'number'; readonly unit: string; readonly decimals: number; readonly min: number; readonly max: number; readonly cumulative?: true }
  | { readonly key: string; readonly kind: 'boolean' }
  | { readonly key: string; readonly kind: 'enum'; readonly options: readonly string[] };

const measured = (key: string, unit: string, decimals: number, min: number, max: number): Quantity =>
  ({ key, kind: 'number', unit, decimals, min, max });
/** Counters: unit is an empty key where a plain count is meant. */
const counter = (key: string, unit: string, decimals: number, max: number): Quantity =>
  ({ key, kind: 'number', unit, decimals, min: 0, max, cumulative: true });
const flag = (key: string): Quantity => ({ key, kind: 'boolean' });

/** The loops (回路) a central controller switches and meters. */
export const loopNumbers = [1, 2, 3, 4, 5, 6] as const;
const phases = ['A', 'B', 'C'] as const;

/** Every quantity of the domain reference (section 2) that a family of today reports, with its plausible range. */
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
  measured('level', 'percent', 0, 0, 100),
  flag('relay'),
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
  ...loopNumbers.flatMap((n) => [flag(`loop${n}Contactor`), flag(`loop${n}Aux`), measured(`loop${n}Current`, 'A', 2, 0, 400)]),
  flag('door'),
  flag('water'),
  { key: 'selector', kind: 'enum', options: ['auto', 'manual'] },
  measured('clockOffset', 's', 1, -86400, 86400),
  measured('battery', 'percent', 0, 0, 100),
];

export const quantities: ReadonlyMap<string, Quantity> = new Map(list.map((q) => [q.key, q]));

export type ReadingValue = number | boolean | string;
export type ReadingValues = Readonly<Record<string, ReadingValue>>;

/** Whether a value is one this quantity can have; never throws. */
export function fits(quantity: Quantity, v: unknown): 'ok' | 'type' | 'range' {
  if (quantity.kind === 'boolean') return typeof v === 'boolean' ? 'ok' : 'type';
  if (quantity.kind === 'enum') return typeof v === 'string' && quantity.options.includes(v) ? 'ok' : 'type';
  if (typeof v !== 'number' || !Number.isFinite(v)) return 'type';
  return v >= quantity.min && v <= quantity.max ? 'ok' : 'range';
}
