import type { FeatureCollection } from 'geojson';
import { pixelsPerMetre } from '../mercator.ts';

export interface GridView {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly zoom: number;
}

/** Lines no nearer to each other than this, CSS pixels. */
const nearest = 72;
const metresADegree = 110_574;

/** The round length between two lines at this zoom, metres: 1, 2 or 5 of a power of ten. */
export function gridStep(zoom: number, latitude: number): number {
  const least = nearest / pixelsPerMetre(zoom, latitude);
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((step) => step * power >= least) ?? 10) * power;
}

/**
 * Lines of a plain grid, true to scale, over the view and half of it around; every fifth is stronger. They stay where
 * they are when the map is moved.
 */
export function gridLines({ west, south, east, north, zoom }: GridView): FeatureCollection {
  const middle = (south + north) / 2;
  // The width of a degree changes with the latitude: in bands, so that lines do not wander while one pans.
  const band = Math.max(-85, Math.min(85, Math.round(middle * 2) / 2));
  const step = gridStep(Math.round(zoom), band);
  const [dx, dy] = [step / (111_320 * Math.cos((band * Math.PI) / 180)), step / metresADegree];
  const [left, right] = [west - (east - west) / 2, east + (east - west) / 2];
  const [bottom, top] = [Math.max(-85, south - (north - south) / 2), Math.min(85, north + (north - south) / 2)];
  const features: FeatureCollection['features'] = [];
  const line = (index: number, coordinates: number[][]) =>
    void features.push({
      type: 'Feature',
      properties: { major: index % 5 === 0 },
      geometry: { type: 'LineString', coordinates },
    });
  for (let index = Math.ceil(left / dx); index * dx <= right && features.length < 400; index++)
    line(index, [
      [index * dx, bottom],
      [index * dx, top],
    ]);
  for (let index = Math.ceil(bottom / dy); index * dy <= top && features.length < 800; index++)
    line(index, [
      [left, index * dy],
      [right, index * dy],
    ]);
  return { type: 'FeatureCollection', features };
}
