import { Type } from 'typebox';
import { Id, Timestamp } from './route.ts';

/** Resolutions of the history, and the limits of its files. */

/**
 * The finest first. `raw`: each reading; the others: intervals with mean, least and greatest value. A `day` is the
 * civil day where the device stands.
 */
export const resolutions = ['raw', '15m', 'hour', 'day'] as const;
export type Resolution = (typeof resolutions)[number];
/** Length of an interval; 0: readings have none. */
export const resolutionSeconds: Readonly<Record<Resolution, number>> = { raw: 0, '15m': 900, hour: 3600, day: 86_400 };

/** Longest span, in days, of readings and of quarters of an hour, in a curve and in a file. */
export const longestFineDays = 93;

export const mostExportDevices = 100;

export const HistoryExport = Type.Object({
  deviceIds: Type.Array(Id, { minItems: 1, maxItems: mostExportDevices }),
  quantities: Type.Array(Type.String({ pattern: '^[A-Za-z0-9]{1,40}$', maxLength: 40 }), { minItems: 1, maxItems: 40 }),
  from: Timestamp,
  to: Timestamp,
  resolution: Type.Enum(resolutions),
  format: Type.Enum(['xlsx', 'csv'] as const),
});
