import { Type } from 'typebox';
import { Id, Timestamp } from './route.ts';

/** Resolutions of the history, and what a file of it holds. */

/**
 * From the finest. `raw`: each reading; the others: stretches of time with mean, least and greatest value; a `day` is
 * the civil day where the device stands.
 */
export const resolutions = ['raw', '15m', 'hour', 'day'] as const;
export type Resolution = (typeof resolutions)[number];
/** Seconds of a stretch; 0: none. */
export const resolutionSeconds: Readonly<Record<Resolution, number>> = { raw: 0, '15m': 900, hour: 3600, day: 86_400 };

/** Readings and quarters of an hour are told for so many days at a time, as a curve and as a file. */
export const longestFineDays = 93;

/** So many devices one file holds. */
export const mostExportDevices = 100;

export const HistoryExport = Type.Object({
  deviceIds: Type.Array(Id, { minItems: 1, maxItems: mostExportDevices }),
  quantities: Type.Array(Type.String({ pattern: '^[A-Za-z0-9]{1,40}$', maxLength: 40 }), { minItems: 1, maxItems: 40 }),
  from: Timestamp,
  to: Timestamp,
  resolution: Type.Enum(resolutions),
  format: Type.Enum(['xlsx', 'csv'] as const),
});
