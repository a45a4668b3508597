import { addDays, type Day } from '../../../../../catalogue/lighting/zone.ts';

/** Levels of a year in cells of ten minutes, and how a picture of them is painted. */

export const cellsOfDay = 144;
/** The wall clock does not show the time. */
const skipped = 255;
const noon = 12 * 60;

export interface Levels {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}
export type HeatMode = 'difference' | 'a' | 'b';

export const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

/** The level of a cell in percent; null: the wall clock skips it. */
export function levelAt(levels: Uint8Array, day: number, cell: number): number | null {
  const value = levels[day * cellsOfDay + cell];
  return value === undefined || value === skipped ? null : value / 2;
}

/** `HH:MM` at which a cell begins. */
export function clockOf(cell: number): string {
  const minute = (noon + cell * 10) % 1440;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** The places of the first days of months. */
export function monthStarts(from: Day, days: number): { readonly day: number; readonly month: string }[] {
  return Array.from({ length: days }, (_, index) => ({ day: index, month: addDays(from, index) })).flatMap((one) =>
    one.day === 0 || one.month.endsWith('-01') ? [{ day: one.day, month: one.month.slice(0, 7) }] : [],
  );
}

/** The months that have room for their names in a picture so wide, px; 0: not laid out yet. */
export const namedMonths = (months: ReturnType<typeof monthStarts>, days: number, width: number): typeof months =>
  months.filter(({ day }, index) => width === 0 || (((months[index + 1]?.day ?? days) - day) / days) * width >= 20);

export type Colour = readonly [number, number, number];
export interface HeatInk {
  readonly ground: Colour;
  /** Full light; less light than on side A; more. */
  readonly light: Colour;
  readonly less: Colour;
  readonly more: Colour;
  /** Lines and dots of the pattern. */
  readonly mark: Colour;
}

export const inks: Readonly<Record<'light' | 'dark', HeatInk>> = {
  light: {
    ground: [240, 240, 235],
    light: [196, 122, 0],
    less: [9, 88, 217],
    more: [190, 80, 0],
    mark: [255, 255, 255],
  },
  dark: {
    ground: [30, 36, 44],
    light: [255, 200, 90],
    less: [96, 165, 250],
    more: [245, 158, 66],
    mark: [10, 14, 18],
  },
};

const mixed = (from: Colour, to: Colour, share: number, place: 0 | 1 | 2): number =>
  Math.round(from[place] + (to[place] - from[place]) * share);
/** A difference below this is none that anybody would see, percent. */
const leastDifference = 0.5;
/** Steps of the pattern, pixels. */
const step = 5;

/** Less light is hatched, more light is dotted: two hues alone are one to some eyes. */
function isMarked(difference: number, x: number, y: number): boolean {
  if (difference < 0) return (x + y) % step === 0;
  return x % step === 0 && y % step === 0;
}

/** The picture as RGBA bytes: days from left to right, noon to noon from top to bottom. */
export function paintHeat(
  { a, b }: Levels,
  { days, width, height, mode, ink }: { days: number; width: number; height: number; mode: HeatMode; ink: HeatInk },
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const cell = Math.min(cellsOfDay - 1, Math.floor((y * cellsOfDay) / height));
    for (let x = 0; x < width; x += 1) {
      const day = Math.min(days - 1, Math.floor((x * days) / width));
      const at = (y * width + x) * 4;
      const [one, other] = [levelAt(a, day, cell), levelAt(b, day, cell)];
      pixels[at + 3] = 255;
      const difference = (other ?? 0) - (one ?? 0);
      const shown = mode === 'difference' ? Math.abs(difference) : ((mode === 'a' ? one : other) ?? 0);
      const isDifferent = mode === 'difference' && shown >= leastDifference;
      const hue = mode === 'difference' ? (difference < 0 ? ink.less : ink.more) : ink.light;
      // A small difference is to be seen at all: it begins at a fifth of its hue.
      const share = mode !== 'difference' ? shown / 100 : isDifferent ? 0.2 + (shown / 100) * 0.8 : 0;
      const marked = isDifferent && isMarked(difference, x, y);
      for (const place of [0, 1, 2] as const)
        pixels[at + place] = marked ? ink.mark[place] : mixed(ink.ground, hue, share, place);
    }
  }
  return pixels;
}

/** Mean level while lamps are lit, percent, of the days of a month; null: no light. */
export function meanWhileLit(levels: Uint8Array, from: Day, days: number, month: string): number | null {
  let [sum, lit] = [0, 0];
  for (let day = 0; day < days; day += 1) {
    if (!addDays(from, day).startsWith(month)) continue;
    for (let cell = 0; cell < cellsOfDay; cell += 1) {
      const level = levelAt(levels, day, cell) ?? 0;
      if (level <= 0) continue;
      sum += level;
      lit += 1;
    }
  }
  return lit === 0 ? null : sum / lit;
}
