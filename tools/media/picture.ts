/**
 * Light adds up: everything is summed in linear float per channel, widened by a sharp core and ever wider blurs, and
 * only then pressed into 8 bits by a soft shoulder and a dither that leaves no bands.
 */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue; points of light. */
  readonly light: readonly [Float32Array, Float32Array, Float32Array];
  /** Light lying on the water: blurred upright only. */
  readonly water: readonly [Float32Array, Float32Array, Float32Array];
}

export type Rgb = readonly [number, number, number];

const planes = (size: number) => [new Float32Array(size), new Float32Array(size), new Float32Array(size)] as const;

export const blank = (width: number, height: number): Canvas => ({
  width,
  height,
  light: planes(width * height),
  water: planes(width * height),
});

export function wipe(canvas: Canvas): void {
  for (const plane of [...canvas.light, ...canvas.water]) plane.fill(0);
}

/** Adds a point between pixels, shared out to its four neighbours, so that it can move smoothly. */
export function add(canvas: Canvas, plane: 'light' | 'water', x: number, y: number, energy: number, colour: Rgb): void {
  const { width, height } = canvas;
  if (!(x >= 1 && y >= 1 && x < width - 2 && y < height - 2)) return;
  const column = Math.floor(x);
  const row = Math.floor(y);
  const right = x - column;
  const below = y - row;
  const at = row * width + column;
  for (let channel = 0; channel < 3; channel += 1) {
    const target = canvas[plane][channel as 0 | 1 | 2];
    const value = energy * (colour[channel] ?? 0);
    target[at] = (target[at] ?? 0) + value * (1 - right) * (1 - below);
    target[at + 1] = (target[at + 1] ?? 0) + value * right * (1 - below);
    target[at + width] = (target[at + width] ?? 0) + value * (1 - right) * below;
    target[at + width + 1] = (target[at + width + 1] ?? 0) + value * right * below;
  }
}

function boxAcross(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const share = 1 / (2 * radius + 1);
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    let sum = 0;
    for (let x = -radius; x <= radius; x += 1) sum += from[start + Math.min(width - 1, Math.max(0, x))] ?? 0;
    for (let x = 0; x < width; x += 1) {
      to[start + x] = sum * share;
      sum += (from[start + Math.min(width - 1, x + radius + 1)] ?? 0) - (from[start + Math.max(0, x - radius)] ?? 0);
    }
  }
}

function boxDown(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const share = 1 / (2 * radius + 1);
  const sums = new Float32Array(width);
  for (let y = -radius; y <= radius; y += 1) {
    const start = Math.min(height - 1, Math.max(0, y)) * width;
    for (let x = 0; x < width; x += 1) sums[x] = (sums[x] ?? 0) + (from[start + x] ?? 0);
  }
  for (let row = 0; row < height; row += 1) {
    const enter = Math.min(height - 1, row + radius + 1) * width;
    const leave = Math.max(0, row - radius) * width;
    for (let x = 0; x < width; x += 1) {
      to[row * width + x] = (sums[x] ?? 0) * share;
      sums[x] = (sums[x] ?? 0) + (from[enter + x] ?? 0) - (from[leave + x] ?? 0);
    }
  }
}

/** Near-Gaussian: three boxes each way; `across` or `down` 0 leaves that direction alone. */
export function blur(source: Float32Array, width: number, height: number, across: number, down: number): Float32Array {
  let now = new Float32Array(source);
  let spare = new Float32Array(source.length);
  const radius = (sigma: number): number => Math.max(1, Math.round(Math.sqrt(sigma * sigma * 4 + 1) / 2 - 0.5));
  for (let pass = 0; pass < 3; pass += 1) {
    if (across > 0) {
      boxAcross(now, spare, width, height, radius(across));
      [now, spare] = [spare, now];
    }
    if (down > 0) {
      boxDown(now, spare, width, height, radius(down));
      [now, spare] = [spare, now];
    }
  }
  return now;
}

/** Means of 4 × 4 pixels: wide blurs are made on a sixteenth of the pixels. */
export function quarter(source: Float32Array, width: number, height: number): Float32Array {
  const wide = width / 4;
  const small = new Float32Array(wide * (height / 4));
  for (let y = 0; y < height; y += 1) {
    const row = (y >> 2) * wide;
    for (let x = 0; x < width; x += 1)
      small[row + (x >> 2)] = (small[row + (x >> 2)] ?? 0) + (source[y * width + x] ?? 0) / 16;
  }
  return small;
}

/** Adds `small × weight` to `target`, smoothly enlarged four times. */
export function addEnlarged(
  target: Float32Array,
  small: Float32Array,
  width: number,
  height: number,
  weight: number,
): void {
  const wide = width / 4;
  const high = height / 4;
  for (let y = 0; y < height; y += 1) {
    const v = Math.min(high - 1, Math.max(0, (y - 1.5) / 4));
    const row = Math.floor(v);
    const below = v - row;
    const upper = row * wide;
    const lower = Math.min(high - 1, row + 1) * wide;
    for (let x = 0; x < width; x += 1) {
      const u = Math.min(wide - 1, Math.max(0, (x - 1.5) / 4));
      const column = Math.floor(u);
      const right = u - column;
      const next = Math.min(wide - 1, column + 1);
      const top = (small[upper + column] ?? 0) * (1 - right) + (small[upper + next] ?? 0) * right;
      const bottom = (small[lower + column] ?? 0) * (1 - right) + (small[lower + next] ?? 0) * right;
      target[y * width + x] = (target[y * width + x] ?? 0) + (top * (1 - below) + bottom * below) * weight;
    }
  }
}
