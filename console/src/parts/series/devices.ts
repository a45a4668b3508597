import type { getHistoryQuantities } from '../../../../contract/history/history.ts';
import type { ReplyOf } from '../../../../contract/route.ts';

export type About = ReplyOf<typeof getHistoryQuantities>['data'];
export type AboutQuantity = About[number]['quantities'][number];

/** What is shown first of devices nobody chose quantities for, if they report it. */
const first = [
  'power',
  'voltage',
  'powerA',
  'voltageA',
  'pvPower',
  'batteryVoltage',
  'pm25',
  'noise',
  'chargingPower',
  'throughput',
  'tilt',
  'fill',
  'battery',
  'level',
  'temperature',
];
const usual = 2;

/** Every quantity of several devices, once, in the order of their families; `reported` where any of them reports it. */
export function quantitiesOf(about: About): AboutQuantity[] {
  const all = new Map<string, AboutQuantity>();
  for (const { quantities } of about)
    for (const one of quantities)
      all.set(one.key, { ...one, reported: one.reported || all.get(one.key)?.reported === true });
  return [...all.values()];
}

/** What to show of devices as long as nothing was chosen: what tells most about them. */
export function usualQuantities(about: About, count = usual): string[] {
  const reported = quantitiesOf(about).filter((one) => one.reported);
  const some = reported.length > 0 ? reported : quantitiesOf(about);
  const known = first.filter((key) => some.some((one) => one.key === key));
  const others = some.filter(({ key, kind }) => kind === 'measured' && !known.includes(key)).map(({ key }) => key);
  return (known.length + others.length > 0 ? [...known, ...others] : some.map(({ key }) => key)).slice(0, count);
}
