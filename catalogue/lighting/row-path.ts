/** Short ways through the poles of one side of a road: what their order along it is. Local metres. */

export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The distance along the main axis. */
  readonly along: Float64Array;
}

/** Long work that lets others have their turn wherever it yields. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Poles between two yields: less than a few ms of work. */
const pace = 64;
/** Neighbours of a pole that an improvement looks at. */
const nearest = 6;
/** Steps of all improvements of one row: about 0.3 s of work. */
const mostSteps = 3_000_000;

/** `Math.hypot` takes ten times as long. */
const distance = ({ x, y }: Points, a: number, b: number): number => {
  const [east, north] = [x[a]! - x[b]!, y[a]! - y[b]!];
  return Math.sqrt(east * east + north * north);
};

export const lengthOf = (points: Points, order: Int32Array): number => {
  let sum = 0;
  for (let i = 1; i < order.length; i += 1) sum += distance(points, order[i - 1]!, order[i]!);
  return sum;
};

/** Indices by the main axis; equal places in the order of the indices. */
const byAxis = ({ along }: Points): Int32Array =>
  Int32Array.from(along.keys()).sort((a, b) => along[a]! - along[b]! || a - b);

/** From the first pole of the axis always to the nearest one that is left. */
function* chained(points: Points, sorted: Int32Array): Steps<Int32Array> {
  const n = sorted.length;
  const { along } = points;
  const place = new Int32Array(n);
  sorted.forEach((pole, i) => (place[pole] = i));
  // Places that are left, as a list in both directions; -1 and n are its ends.
  const before = Int32Array.from(sorted.keys(), (i) => i - 1);
  const after = Int32Array.from(sorted.keys(), (i) => i + 1);
  const order = new Int32Array(n);
  let current = sorted[0]!;
  for (let k = 0; k < n; k += 1) {
    if (k % pace === pace - 1) yield;
    order[k] = current;
    const at = place[current]!;
    let [left, right] = [before[at]!, after[at]!];
    if (left >= 0) after[left] = right;
    if (right < n) before[right] = left;
    let [best, found] = [Number.POSITIVE_INFINITY, -1];
    while (left >= 0 || right < n) {
      const toLeft = left < 0 ? Number.POSITIVE_INFINITY : along[current]! - along[sorted[left]!]!;
      const toRight = right >= n ? Number.POSITIVE_INFINITY : along[sorted[right]!]! - along[current]!;
      // Along the axis alone it is as far as the best: nothing that is left is nearer.
      if (Math.min(toLeft, toRight) >= best) break;
      const pole = sorted[toLeft < toRight ? left : right]!;
      if (toLeft < toRight) left = before[left]!;
      else right = after[right]!;
      const far = distance(points, current, pole);
      if (far < best) [best, found] = [far, pole];
    }
    current = found;
  }
  return order;
}

/** The nearest others of each pole, one pole after the other, the nearest first. */
function* neighbours(points: Points, sorted: Int32Array, count: number): Steps<Int32Array> {
  const n = sorted.length;
  const { along } = points;
  const found = new Int32Array(n * count);
  const far = new Float64Array(count);
  for (let at = 0; at < n; at += 1) {
    if (at % pace === pace - 1) yield;
    const pole = sorted[at]!;
    const from = pole * count;
    let [left, right] = [at - 1, at + 1];
    far.fill(Number.POSITIVE_INFINITY);
    while (left >= 0 || right < n) {
      const toLeft = left < 0 ? Number.POSITIVE_INFINITY : along[pole]! - along[sorted[left]!]!;
      const toRight = right >= n ? Number.POSITIVE_INFINITY : along[sorted[right]!]! - along[pole]!;
      if (Math.min(toLeft, toRight) >= far[count - 1]!) break;
      const other = sorted[toLeft < toRight ? left : right]!;
      if (toLeft < toRight) left -= 1;
      else right += 1;
      const away = distance(points, pole, other);
      let k = count - 1;
      if (away >= far[k]!) continue;
      for (; k > 0 && away < far[k - 1]!; k -= 1) {
        far[k] = far[k - 1]!;
        found[from + k] = found[from + k - 1]!;
      }
      far[k] = away;
      found[from + k] = other;
    }
  }
  return found;
}

/**
 * Shortens a way: crossings are turned round, stretches of one to three poles go where they cost less. Ends when nothing
 * near helps, or after `mostSteps`.
 */
function* shortened(points: Points, order: Int32Array, near: Int32Array, count: number): Steps<Int32Array> {
  const n = order.length;
  const place = new Int32Array(n);
  order.forEach((pole, i) => (place[pole] = i));
  let steps = 0;
  const gap = (i: number, j: number): number =>
    i < 0 || j < 0 || i >= n || j >= n ? 0 : distance(points, order[i]!, order[j]!);
  const turn = (from: number, to: number): void => {
    steps += to - from;
    for (let [i, j] = [from, to]; i < j; i += 1, j -= 1) {
      const [a, b] = [order[i]!, order[j]!];
      order[i] = b;
      place[b] = i;
      order[j] = a;
      place[a] = j;
    }
  };
  /** The stretch from `from` to `to` stands between `at` and the one after it instead, as it is or turned round. */
  const move = (from: number, to: number, at: number, turned: boolean): void => {
    const length = to - from;
    if (at > to) {
      turn(from, at);
      turn(from, at - length - 1);
      if (!turned) turn(at - length, at);
    } else {
      turn(at + 1, to);
      turn(at + 2 + length, to);
      if (!turned) turn(at + 1, at + 1 + length);
    }
  };
  const least = 1e-6;
  const better = (pole: number): boolean => {
    for (let k = 0; k < count; k += 1) {
      steps += 8;
      const [i, j] = [place[pole]!, place[near[pole * count + k]!]!];
      // It stands beside nearer ones already: nothing is won.
      if (gap(i, j) >= Math.max(gap(i - 1, i), gap(i, i + 1)) - least) return false;
      const [low, high] = i < j ? [i, j] : [j, i];
      // Joined by the ones after them, or by the ones before them.
      if (gap(low, high) + gap(low + 1, high + 1) < gap(low, low + 1) + gap(high, high + 1) - least) {
        turn(low + 1, high);
        return true;
      }
      if (gap(low - 1, high - 1) + gap(low, high) < gap(low - 1, low) + gap(high - 1, high) - least) {
        turn(low, high - 1);
        return true;
      }
      for (let length = 0; length < 3; length += 1) {
        for (const [from, to] of [
          [i, i + length],
          [i - length, i],
        ] as const) {
          if (from < 0 || to >= n || (j >= from && j <= to)) continue;
          const saved = gap(from - 1, from) + gap(to, to + 1) - gapOver(from - 1, to + 1, n, gap);
          for (const at of [j - 1, j]) {
            if ((at >= from - 1 && at <= to) || at < -1 || at >= n) continue;
            const closed = gap(at, at + 1);
            const straight = gap(at, from) + gap(to, at + 1) - closed;
            const turned = gap(at, to) + gap(from, at + 1) - closed;
            if (Math.min(straight, turned) >= saved - least) continue;
            move(from, to, at, turned < straight);
            return true;
          }
        }
      }
    }
    return false;
  };
  for (let improved = true; improved && steps < mostSteps;) {
    improved = false;
    for (let pole = 0; pole < n && steps < mostSteps; pole += 1) {
      if (pole % pace === pace - 1) yield;
      while (steps < mostSteps && better(pole)) improved = true;
    }
  }
  return order;
}

/** What joins the neighbours of a stretch that is taken out; at an end there is nothing to join. */
const gapOver = (i: number, j: number, n: number, gap: (i: number, j: number) => number): number =>
  i < 0 || j >= n ? 0 : gap(i, j);

/** A way whose ends are nearer to each other than two neighbours of it begins between those two: a horseshoe, a ring. */
function rotated(points: Points, order: Int32Array): Int32Array {
  let [widest, at] = [0, 0];
  for (let i = 1; i < order.length; i += 1) {
    const gap = distance(points, order[i - 1]!, order[i]!);
    if (gap > widest) [widest, at] = [gap, i];
  }
  if (distance(points, order[0]!, order.at(-1)!) >= widest) return order;
  const way = new Int32Array(order.length);
  way.set(order.subarray(at));
  way.set(order.subarray(0, at), order.length - at);
  return way;
}

/**
 * The order of points along their road: by the main axis where that is the shorter way, else (a curve, a ring) from
 * neighbour to neighbour; then shortened. The same points give the same order.
 */
export function* wayThrough(points: Points): Steps<Int32Array> {
  const sorted = byAxis(points);
  if (sorted.length < 3) return sorted;
  const chain = yield* chained(points, sorted);
  const count = Math.min(nearest, sorted.length - 1);
  const near = yield* neighbours(points, sorted, count);
  const first = lengthOf(points, chain) < lengthOf(points, sorted) ? chain : Int32Array.from(sorted);
  return rotated(points, yield* shortened(points, first, near, count));
}
