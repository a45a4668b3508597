/** The sky along a night, as shares of its width. */

/** A colour of the sky (a token's name) at a place of the ribbon, 0…1. */
export interface SkyStop {
  at: number;
  sky: 'day' | 'low' | 'set' | 'dusk' | 'naut' | 'night';
}

const minute = 60_000;
/** Minutes around sunset at which the sky has its colours; around sunrise mirrored. */
const evening: readonly (readonly [minutes: number, sky: SkyStop['sky']])[] = [
  [-58, 'day'],
  [-22, 'low'],
  [0, 'set'],
  [17, 'dusk'],
  [38, 'naut'],
  [80, 'night'],
];

/**
 * The sky from `from` to `to` (epoch ms). Without sunset and sunrise it is one colour: night, or day when nothing is
 * lit.
 */
export function skyStops(from: number, to: number, sunset: number | null, sunrise: number | null): SkyStop[] {
  if (sunset === null || sunrise === null)
    return [
      { at: 0, sky: 'night' },
      { at: 1, sky: 'night' },
    ];
  const place = (time: number) => (time - from) / (to - from);
  // A night shorter than two twilights: its evening ends where its morning begins.
  const middle = place((sunset + sunrise) / 2);
  const stops = [
    ...evening.map(([minutes, sky]) => ({ at: Math.min(middle, place(sunset + minutes * minute)), sky })),
    ...[...evening]
      .reverse()
      .map(([minutes, sky]) => ({ at: Math.max(middle, place(sunrise - minutes * minute)), sky })),
  ];
  return stops
    .filter((stop, index) => (stop.at >= 0 && stop.at <= 1) || isNeighbour(stops, index))
    .map((stop) => ({ ...stop, at: Math.min(1, Math.max(0, stop.at)) }));
}

/** The last stop before the ribbon and the first one after it give the colours at its ends. */
function isNeighbour(stops: readonly SkyStop[], index: number): boolean {
  const next = stops[index + 1];
  const before = stops[index - 1];
  return (
    (stops[index]!.at < 0 && next !== undefined && next.at > 0) ||
    (stops[index]!.at > 1 && before !== undefined && before.at < 1)
  );
}

/** Full hours of the zone for the time line, about eight of them. `hourOf` tells the hour of an instant in the zone. */
export function hourMarks(
  from: number,
  to: number,
  hourOf: (at: number) => number,
  most = 9,
): { at: number; share: number }[] {
  const hour = 3_600_000;
  const step = [1, 2, 3, 4, 6].find((hours) => (to - from) / (hours * hour) <= most) ?? 6;
  const marks: { at: number; share: number }[] = [];
  for (let at = Math.ceil(from / hour) * hour; at <= to; at += hour)
    if (hourOf(at) % step === 0) marks.push({ at, share: (at - from) / (to - from) });
  return marks;
}
