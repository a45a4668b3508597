import { quantities } from '../quantities/index.ts';
import { limitOf, withLimit, type AlarmLimit, type SampleAlarm } from './alarm.ts';
import { lampAlarms } from './lamp.ts';

/** The limit of a lamp's alarm that a work parameter template may set otherwise. */
export interface LampLimit extends AlarmLimit {
  readonly code: string;
  readonly unit: string;
  /** What the quantity can be. */
  readonly min: number;
  readonly max: number;
}

export const lampLimits: readonly LampLimit[] = lampAlarms.flatMap((alarm: SampleAlarm) => {
  const limit = limitOf(alarm);
  const quantity = limit && quantities.get(limit.quantity);
  if (!limit || quantity?.kind !== 'number') return [];
  const { unit, min, max } = quantity;
  return [{ code: alarm.code, unit, min, max, ...limit }];
});

/** The alarms of a lamp whose template sets these limits, by code. */
export const lampAlarmsWith = (limits: Readonly<Record<string, number>>): readonly SampleAlarm[] =>
  lampAlarms.map((alarm: SampleAlarm) => {
    const value = limits[alarm.code];
    return value === undefined ? alarm : withLimit(alarm, value);
  });

/** Limits at which one value would be too high and too low at once: the code and the range that is left for it. */
export function crossedLimits(
  limits: Readonly<Record<string, number>>,
): { readonly code: string; readonly min: number; readonly max: number }[] {
  const inForce = lampLimits.map((limit) => ({ ...limit, value: limits[limit.code] ?? limit.value }));
  return inForce
    .filter(({ code }) => limits[code] !== undefined)
    .flatMap(({ code, quantity, side, value, min, max }) => {
      const others = inForce.filter((one) => one.quantity === quantity && one.side !== side);
      const least = side === 'above' ? Math.max(min, ...others.map((one) => one.value)) : min;
      const most = side === 'below' ? Math.min(max, ...others.map((one) => one.value)) : max;
      return value >= least && value <= most ? [] : [{ code, min: least, max: most }];
    });
}
