/** Geometry of the night ribbon: everything as shares of its width and height, so that it can be drawn at any size. */

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

/** Heights in the drawing: 0 at the ground line, 1 where everything is lit; as a y in 0…100 of the viewBox. */
const top = 36;
const ground = 82;
export const yOf = (share: number): number => ground - Math.min(1, Math.max(0, share)) * (ground - top);
const x = (share: number): string => (share * 1000).toFixed(1);

/** A value at an instant (any unit of time, or a share of the ribbon). */
export type Known = readonly [at: number, value: number | null];

/**
 * Values of a switched quantity at instants, with the planned switches put where they are: between two instants the
 * value held until the switch and held from it on, it did not ramp.
 */
export function withSwitches(points: readonly Known[], switches: readonly (number | null)[]): Known[] {
  const out: Known[] = [];
  points.forEach((point, index) => {
    const before = points[index - 1];
    const between =
      before && before[1] !== null && point[1] !== null
        ? switches.find((at) => at !== null && at > before[0] && at < point[0])
        : undefined;
    if (before && between !== undefined && between !== null) out.push([between, before[1]], [between, point[1]]);
    out.push(point);
  });
  return out;
}

/**
 * What was: one closed path a run of known values (gaps stay open), in a viewBox of 1000 × 100; the last value holds
 * until `now`.
 */
export function litPaths(points: readonly Known[], stepShare: number, now: number): string[] {
  const paths: string[] = [];
  let run: [at: number, value: number][] = [];
  const close = () => {
    const first = run[0];
    const last = run.at(-1);
    if (first && last) {
      const end = Math.min(last[0] + stepShare, now);
      paths.push(
        `M${x(first[0])} ${ground}L${[...run, [end, last[1]] as const].map(([at, value]) => `${x(at)} ${yOf(value).toFixed(1)}`).join('L')}L${x(end)} ${ground}Z`,
      );
    }
    run = [];
  };
  for (const [at, value] of points) {
    if (value === null || at >= now) close();
    else run.push([at, value]);
  }
  close();
  return paths;
}

/** The plan as a line of steps: each value holds until the next. */
export function planPath(points: readonly Known[]): string {
  return points
    .map(([at, value], index) => {
      const before = points[index - 1]?.[1] ?? null;
      if (value === null) return '';
      return before === null
        ? `M${x(at)} ${yOf(value).toFixed(1)}`
        : `L${x(at)} ${yOf(before).toFixed(1)}L${x(at)} ${yOf(value).toFixed(1)}`;
    })
    .join('');
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

export interface SunPlace {
  readonly at: number;
  readonly side: 'middle' | 'start' | 'end';
}

/**
 * Where the name of sunset or sunrise stands (shares of the ribbon): about its place, begun or ended there; inside the
 * ribbon and off the line for now, beside that line where nothing else is left. `room`: the share a name takes.
 */
export function sunPlace(place: number, now: number, room: number): SunPlace {
  const begins = { middle: place - room / 2, start: place, end: place - room };
  const fits = (side: SunPlace['side']): boolean =>
    begins[side] >= 0 && begins[side] + room <= 1 && (now < begins[side] || now > begins[side] + room);
  const wanted: SunPlace['side'][] =
    place < 0.12 ? ['start', 'end'] : place > 0.8 ? ['end', 'start'] : ['middle', 'end', 'start'];
  const side = wanted.find(fits);
  if (side !== undefined) return { at: place, side };
  return { at: now, side: now + room <= 1 ? 'start' : 'end' };
}
