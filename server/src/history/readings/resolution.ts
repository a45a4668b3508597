import { familyOf } from '../../../../catalogue/index.ts';
import { longestFineDays, resolutions, resolutionSeconds, type Resolution } from '../../../../contract/history.ts';
import { mostCurveValues } from '../../../../contract/history/history.ts';

/** Since when each resolution has something, epoch milliseconds. */
export interface Kept {
  readonly raw: number;
  readonly hours: number;
}
export interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly points: number;
  readonly series: number;
  readonly families: readonly string[];
}

/** Readings of one device in one answer. */
export const mostReadings = 20_000;
const dayMs = 86_400_000;
/** Stretches shorter than hours are made of the readings themselves. */
export const isFine = (resolution: Resolution): boolean => resolutionSeconds[resolution] < resolutionSeconds.hour;

/**
 * About how many points a curve has in a resolution; of readings by what the quickest of the families reports by
 * itself.
 */
function pointsIn(resolution: Resolution, { from, to, families }: Wanted): number {
  const seconds =
    resolution === 'raw'
      ? Math.min(...families.map((key) => familyOf(key)?.report?.lit ?? 3600))
      : resolutionSeconds[resolution];
  return (to - from) / 1000 / seconds;
}

/** The resolutions that are answered for a span, from the finest. Days always are. */
export function possible(wanted: Wanted, kept: Kept): Resolution[] {
  return resolutions.filter((resolution) => {
    if (resolution === 'day') return true;
    const begins = resolution === 'hour' ? kept.hours : kept.raw;
    if (wanted.to <= begins || (isFine(resolution) && wanted.to - wanted.from > longestFineDays * dayMs)) return false;
    const points = pointsIn(resolution, wanted);
    return points <= mostReadings && points * wanted.series <= mostCurveValues;
  });
}

/** The finest that stays within the points that are asked for and reaches back to the beginning; else the coarsest. */
export function automatic(wanted: Wanted, kept: Kept): Resolution {
  const reaches = (resolution: Resolution) =>
    resolution === 'day' || wanted.from >= (resolution === 'hour' ? kept.hours : kept.raw);
  return (
    possible(wanted, kept).find((resolution) => reaches(resolution) && pointsIn(resolution, wanted) <= wanted.points) ??
    'day'
  );
}
