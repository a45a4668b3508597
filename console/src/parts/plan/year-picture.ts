import { base } from '../../theme/tokens.ts';
import { shareOf, stretchesOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import type { YearNight } from './model.ts';

/** Rows of the picture: noon to noon in steps of ten minutes. */
export const rows = 144;

type Ink = readonly [number, number, number];
const inkOf = (hex: string): Ink => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Ink;
const mix = (a: Ink, b: Ink, share: number): Ink =>
  [0, 1, 2].map((i) => a[i]! + (b[i]! - a[i]!) * share) as unknown as Ink;

const [day, dusk, night, lit] = [base['sky-day'], base['sky-naut'], base['sky-night'], base['ribbon-lit']].map(
  inkOf,
) as [Ink, Ink, Ink, Ink];

/**
 * A year of nights as pixels, a column a night from noon down to noon: the sky by the sun, over it the light as amber.
 * Patterns leave gaps between columns, so that they are told apart without colour.
 */
export function pixelsOf(nights: readonly YearNight[]): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(nights.length * rows * 4);
  nights.forEach(({ scene, night: one }, x) => {
    const { from, to, sunset, dusk: dark, dawn, sunrise, stays } = scene;
    const stretches = stretchesOf(one);
    for (let y = 0; y < rows; y++) {
      const at = from + ((y + 0.5) / rows) * (to - from);
      const up = sunset === null || sunrise === null ? stays === 'up' : at < sunset || at >= sunrise;
      const twilight = (dark !== null && at < dark) || (dawn !== null && at >= dawn);
      const sky = up ? day : twilight ? dusk : night;
      const light = stretches.find((stretch) => at >= stretch.from && at < stretch.to);
      const gap = light !== undefined && light.pattern !== 'all' && x % Math.round(1 / shareOf[light.pattern]) !== 0;
      const share = light === undefined || light.level === 0 ? 0 : (0.2 + light.level / 125) * (gap ? 0.35 : 1);
      pixels.set([...mix(sky, lit, share), 255], (y * nights.length + x) * 4);
    }
  });
  return pixels;
}
