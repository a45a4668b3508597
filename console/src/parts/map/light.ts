/**
 * The light model of the night map (look/README.md, "Maps"): colour by colour temperature, energy by rated watts and
 * level, and how both follow the zoom. Pure, so that the GPU code has numbers and no rules.
 */

export type Rgb = readonly [red: number, green: number, blue: number];

/** 2700 K `#ff993c`, 3500 K `#ffcc8f`, 5000 K `#cce6ff`, as linear amounts of light. */
const anchors: readonly (readonly [kelvin: number, colour: Rgb])[] = [
  [2700, [1, 0.6, 0.235]],
  [3500, [1, 0.8, 0.561]],
  [5000, [0.8, 0.902, 1]],
];

/** A main-road lamp of this many watts at 100 % has energy 1. */
const referenceWatts = 145;

/** The zoom the profile below was drawn for: about 5 m a pixel. */
const drawnForZoom = 13.7;

/**
 * The profile of one lamp: blurs in CSS pixels at the drawn zoom, with their share of the energy. The two sharp ones
 * are one point sprite; the three wide ones are summed over all lamps in a small offscreen picture.
 */
export const profile = {
  sharp: [
    { sigma: 0.62, weight: 0.95 },
    { sigma: 1.3, weight: 2 },
  ],
  wide: [
    { sigma: 3.2, weight: 2.3 },
    { sigma: 9, weight: 3.8 },
    { sigma: 26, weight: 4.6 },
  ],
} as const;

/** Peak of a two-dimensional Gaussian that carries `weight`: light per square pixel in its middle. */
export function peak({ sigma, weight }: { sigma: number; weight: number }): number {
  return weight / (2 * Math.PI * sigma * sigma);
}

/** The colour of a lamp of this temperature; outside 2700–5000 K the nearest end. */
export function lampColour(kelvin: number): Rgb {
  const first = anchors[0]!;
  const last = anchors.at(-1)!;
  if (!(kelvin > first[0])) return first[1];
  if (kelvin >= last[0]) return last[1];
  const upper = anchors.findIndex(([at]) => at >= kelvin);
  const [from, low] = anchors[upper - 1]!;
  const [to, high] = anchors[upper]!;
  const share = (kelvin - from) / (to - from);
  return [mix(low[0], high[0], share), mix(low[1], high[1], share), mix(low[2], high[2], share)];
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/** Light of one lamp at 100 %, relative to a main-road lamp; unknown or absurd ratings count as a small lamp. */
export function ratedEnergy(ratedWatts: number): number {
  return Number.isFinite(ratedWatts) && ratedWatts > 0 ? Math.min(ratedWatts, 1000) / referenceWatts : 0.4;
}

/** What the zoom does to the profile. */
export interface ZoomLight {
  /** Factor on every blur radius. */
  spread: number;
  /** Factor on the sharp sprite's brightness. */
  sharpGain: number;
  /** Factor on the wide halos' brightness. */
  wideGain: number;
}

/**
 * Coming closer, a lamp's pool of light grows with the street but slower than it; going away, many lamps share a
 * pixel, so that each gives less and the ground stays dark.
 */
export function zoomLight(zoom: number): ZoomLight {
  const steps = zoom - drawnForZoom;
  return steps >= 0
    ? {
        spread: Math.min(5, 2 ** (steps * 0.52)),
        sharpGain: 1.12 ** Math.min(steps, 4),
        wideGain: 1.34 ** Math.min(steps, 4),
      }
    : {
        spread: Math.max(0.72, 2 ** (steps * 0.2)),
        sharpGain: Math.max(0.3, 0.78 ** -steps),
        wideGain: Math.max(0.02, 0.5 ** -steps),
      };
}

/** How near a zoom is: 0 up to 15.6 (a city's streets), 1 from 16.8 (50 m are about 100 px): pools show in between. */
export const closeness = (zoom: number): number => {
  const share = Math.max(0, Math.min(1, (zoom - 15.6) / 1.2));
  return share * share * (3 - 2 * share);
};
