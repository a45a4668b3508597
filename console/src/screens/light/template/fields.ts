import { planLimits } from '../../../../../catalogue/lighting/limits.ts';

/** The plain numbers of a template: in which section each stands, its unit and its limits. */
export const numberFields = {
  reportLitSeconds: { section: 'reports', unit: 'seconds', limit: planLimits.reportSeconds },
  reportUnlitSeconds: { section: 'reports', unit: 'seconds', limit: planLimits.reportSeconds },
  heartbeatSeconds: { section: 'reports', unit: 'seconds', limit: planLimits.heartbeatSeconds },
  powerUpLevel: { section: 'loss', unit: 'percent', limit: planLimits.level },
  fallbackMinutes: { section: 'loss', unit: 'minutes', limit: planLimits.fallbackMinutes },
  minLevel: { section: 'switching', unit: 'percent', limit: planLimits.minLevel },
  minimumMinutes: { section: 'switching', unit: 'minutes', limit: planLimits.minimumMinutes },
  rampSeconds: { section: 'switching', unit: 'seconds', limit: planLimits.rampSeconds },
  staggerSeconds: { section: 'switching', unit: 'seconds', limit: planLimits.staggerSeconds },
} as const;
export type NumberField = keyof typeof numberFields;
export const numberFieldNames = Object.keys(numberFields) as NumberField[];
export const numberSections = ['reports', 'loss', 'switching'] as const;

export const lightFields = {
  lux: { unit: 'lux', limit: planLimits.lux },
  sensitivity: { unit: null, limit: planLimits.sensitivity },
  delayMinutes: { unit: 'minutes', limit: planLimits.lightDelayMinutes },
} as const;
export type LightField = keyof typeof lightFields;
export const lightFieldNames = Object.keys(lightFields) as LightField[];

/** What stands there when the light sensor is first set. */
export const usualLight = { lux: 20, sensitivity: 128, delayMinutes: 5 } as const;
