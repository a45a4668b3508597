import { keptByPlace } from './plan/pattern.ts';
import { noRole, type LampRole } from './plan/programme.ts';
import { wayThrough, type Points, type Steps } from './row-path.ts';

/** Rows of poles along a road: what alternating patterns count. A pole has one position, whatever it carries. */

/** The sides of a road with a row each; `none`: no side is known. */
export const rowSides = ['left', 'right', 'median', 'none'] as const;
export type RowSide = (typeof rowSides)[number];

export interface RowPole {
  readonly id: number;
  readonly code: string;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly side: RowSide;
}

export interface Row {
  readonly side: RowSide;
  /** In order along the road. */
  readonly poleIds: readonly number[];
}

export interface OrderedRows {
  /** Only sides with poles, in the order of `rowSides`. */
  readonly rows: readonly Row[];
  /** Poles without coordinates, by code. */
  readonly unplaced: readonly number[];
}

/** A key whose plain order is the natural order of codes: P-2 before P-10. */
const naturalKey = (code: string): string =>
  code
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\d+/g, (digits) => {
      const number = digits.replace(/^0+(?=\d)/, '');
      return `${String.fromCharCode(0x30 + Math.min(9, Math.floor(number.length / 10)))}${number.length % 10}${number}`;
    });

const earlier = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Metres east and north of the first one; the meridian at 180° is no edge. */
function inMetres(poles: readonly { readonly longitude: number; readonly latitude: number }[]) {
  const metresPerDegree = 111_195;
  const [first] = poles;
  const shrink = Math.cos(((first?.latitude ?? 0) * Math.PI) / 180);
  const x = Float64Array.from(poles, ({ longitude }) => {
    const east = longitude - (first?.longitude ?? 0);
    return (east > 180 ? east - 360 : east < -180 ? east + 360 : east) * shrink * metresPerDegree;
  });
  const y = Float64Array.from(poles, ({ latitude }) => (latitude - (first?.latitude ?? 0)) * metresPerDegree);
  return { x, y };
}

/** The direction in which the points spread most, as a unit vector. */
function mainAxis({ x, y }: Pick<Points, 'x' | 'y'>): readonly [number, number] {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    const [dx, dy] = [x[i]! - mx, y[i]! - my];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  return [Math.cos(angle), Math.sin(angle)];
}

/** How many steps go up, less how many go down. */
const rising = (values: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + (i === 0 ? 0 : Math.sign(value - values[i - 1]!)), 0);

/** Samples of a row that decide which way it runs beside another. */
const samples = 64;

/** The same way as the row beside it: position by position the nearest pole there comes later. */
function beside(points: Points, order: readonly number[], other: readonly number[]): readonly number[] {
  const step = Math.max(1, Math.floor(order.length / samples));
  const places = order
    .filter((_, i) => i % step === 0)
    .map((pole) => {
      let [best, place] = [Number.POSITIVE_INFINITY, 0];
      other.forEach((there, i) => {
        const far = (points.x[pole]! - points.x[there]!) ** 2 + (points.y[pole]! - points.y[there]!) ** 2;
        if (far < best) [best, place] = [far, i];
      });
      return place;
    });
  return rising(places) < 0 ? order.toReversed() : order;
}

/** `orderRow` in steps: a road of 10,000 poles is long work. */
export function* rowSteps(poles: readonly RowPole[]): Steps<OrderedRows> {
  const keyed = poles
    .map((pole) => ({ pole, key: naturalKey(pole.code) }))
    .sort((a, b) => earlier(a.key, b.key) || a.pole.id - b.pole.id)
    .map(({ pole }) => pole);
  const placed = keyed.flatMap(({ longitude, latitude, ...pole }) =>
    longitude === null || latitude === null ? [] : [{ ...pole, longitude, latitude }],
  );
  const unplaced = keyed.filter(({ longitude, latitude }) => longitude === null || latitude === null);
  const { x, y } = inMetres(placed);
  const axis = mainAxis({ x, y });
  const all: Points = { x, y, along: x.map((value, i) => value * axis[0] + y[i]! * axis[1]) };
  const found: { readonly side: RowSide; readonly order: readonly number[] }[] = [];
  for (const side of rowSides) {
    const here = placed.flatMap((pole, i) => (pole.side === side ? [i] : []));
    if (here.length === 0) continue;
    const pick = (values: Float64Array) => Float64Array.from(here, (i) => values[i]!);
    const way = yield* wayThrough({ x: pick(all.x), y: pick(all.y), along: pick(all.along) });
    found.push({ side, order: [...way].map((i) => here[i]!) });
  }
  const longest = found.reduce<(typeof found)[number] | undefined>(
    (most, row) => (most === undefined || row.order.length > most.order.length ? row : most),
    undefined,
  );
  // Indices are in the order of the codes.
  const lead = longest && (rising(longest.order) < 0 ? longest.order.toReversed() : longest.order);
  return {
    rows: found.map(({ side, order }) => ({
      side,
      poleIds: (lead === undefined || side === longest?.side ? (lead ?? order) : beside(all, order, lead)).map(
        (i) => placed[i]!.id,
      ),
    })),
    unplaced: unplaced.map(({ id }) => id),
  };
}

/**
 * The rows of a road by the coordinates of its poles, one for each side. The longest row runs the way its codes ascend,
 * the others the same way. The same poles in any sequence give the same rows.
 */
export function orderRow(poles: readonly RowPole[]): OrderedRows {
  const steps = rowSteps(poles);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Why a pole is lit in every pattern: its row is too short, it stands at an end or a junction, or by hand. */
export type Kept = 'short' | 'end' | 'junction' | 'hand';

export interface Standing {
  readonly position: number;
  readonly rowLength: number;
  readonly junction: boolean;
  /** By hand. */
  readonly keep: boolean;
}

export const keptBecause = ({ position, rowLength, junction, keep }: Standing): Kept | null =>
  keptByPlace(position, rowLength) ?? (junction ? 'junction' : keep ? 'hand' : null);

/** What lamps of a pole are in patterns. Their lowest level and rotation are the usual ones. */
export const roleAt = (standing: Standing, side: RowSide): LampRole => ({
  ...noRole,
  position: standing.position,
  rowLength: standing.rowLength,
  right: side === 'right',
  keep: keptBecause(standing) !== null,
});
