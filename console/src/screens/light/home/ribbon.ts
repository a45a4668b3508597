/** Geometry of the night ribbon: everything as shares of its width and height, so that it can be drawn at any size. */

/** Heights in the drawing: 0 at the ground line, 1 where everything is lit; as a y in 0…100 of the viewBox. */
const top = 27;
export const ground = 85;
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

/** A line through known values; gaps stay gaps. `most`: the value at the top. */
export function linePath(points: readonly Known[], most: number): string {
  let open = false;
  return points
    .map(([at, value]) => {
      const begin = !open;
      open = value !== null;
      return value === null ? '' : `${begin ? 'M' : 'L'}${x(at)} ${yOf(most > 0 ? value / most : 0).toFixed(1)}`;
    })
    .join('');
}

/** What a stepped value covers, down to the ground: one closed path a run of known values. */
export function bandPath(points: readonly Known[]): string {
  const paths: string[] = [];
  let run: [at: number, value: number][] = [];
  const close = () => {
    const [first] = run;
    const last = run.at(-1);
    if (first && last) {
      const steps = run.flatMap(([at, value], index) => {
        const before = run[index - 1];
        return before ? [`L${x(at)} ${yOf(before[1]).toFixed(1)}`, `L${x(at)} ${yOf(value).toFixed(1)}`] : [];
      });
      paths.push(
        `M${x(first[0])} ${ground}L${x(first[0])} ${yOf(first[1]).toFixed(1)}${steps.join('')}L${x(last[0])} ${ground}Z`,
      );
    }
    run = [];
  };
  for (const [at, value] of points) {
    if (value === null) close();
    else run.push([at, value]);
  }
  close();
  return paths.join('');
}

/** The top of an axis that ends above `most`: 1, 2, 2.5, 4, 5 or 8 times a power of ten; its half is as round. */
export function roundTop(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 2.5, 4, 5, 8, 10].find((step) => step * power >= most * 1.02) ?? 20) * power;
}
