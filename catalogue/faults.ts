import type { Alarm } from './alarms/alarm.ts';
import { lampAlarms } from './alarms/lamp.ts';
import { gatewaySilent, lampSilent } from './alarms/links.ts';
import { families, familyOf } from './families/index.ts';
import { lampFamily } from './lighting/families.ts';

/** Every alarm that is judged, by its code: of one level the one that stands first is the worst. */
export const alarms: ReadonlyMap<string, Alarm> = new Map(
  [gatewaySilent, ...families.flatMap((family) => family.alarms)].map((alarm) => [alarm.code, alarm]),
);
const places: ReadonlyMap<string, number> = new Map([...alarms.keys()].map((code, place) => [code, place]));

export const judgedFaults: readonly string[] = [...alarms.keys()];
/** Those that a lamp can have, the most telling first. */
export const lampFaults: readonly string[] = [
  gatewaySilent.code,
  ...(familyOf(lampFamily)?.alarms ?? []).map(({ code }) => code),
];

/** The level of a fault; of a code that is not judged any more the lowest. */
export const levelOf = (code: string): 1 | 2 | 3 => alarms.get(code)?.level ?? 3;

/** Order of the faults of a device, the worst first: by level, then as the catalogue declares them. */
export const byWorst = (a: string, b: string): number =>
  levelOf(a) - levelOf(b) || (places.get(a) ?? places.size) - (places.get(b) ?? places.size);

/** What a simulated lamp can have besides, and what is not judged. */
const onlySimulated = ['L102', 'L103', 'L104', 'L107', 'L108', 'L109', 'L114', 'L115', 'L116', 'L117', 'L118'] as const;

/** What a simulated lamp or its link can have, in the order of the codes. */
export type FaultCode =
  | typeof gatewaySilent.code
  | typeof lampSilent.code
  | (typeof lampAlarms)[number]['code']
  | (typeof onlySimulated)[number];

export const faults: readonly { readonly code: FaultCode }[] = [
  gatewaySilent,
  lampSilent,
  ...[...lampAlarms.map(({ code }) => code), ...onlySimulated].toSorted().map((code) => ({ code })),
];

/** What a device shows: always a colour, a shape and a word. */
export const states = ['on', 'dimmed', 'off', 'alarm', 'offline', 'maintenance', 'unknown'] as const;
