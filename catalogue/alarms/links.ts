import type { SilenceAlarm } from './alarm.ts';

/** A controller or gateway is silent: what speaks through it cannot be heard. */
export const gatewaySilent = {
  code: 'N302',
  level: 1,
  role: 'cause',
  counts: 'always',
  silence: { periods: 3, minSeconds: 300 },
} as const satisfies SilenceAlarm;

/** A single-lamp controller is silent. */
export const lampSilent = {
  code: 'N301',
  level: 2,
  role: 'symptom',
  counts: 'powered',
  silence: { periods: 3, minSeconds: 900 },
} as const satisfies SilenceAlarm;
