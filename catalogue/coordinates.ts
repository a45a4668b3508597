import gcoord from 'gcoord';

/** Coordinate systems that people and map services use for degrees. The program stores WGS-84. */
export const geographicSystems = ['WGS84', 'GCJ02', 'BD09'] as const;
export type GeographicSystem = (typeof geographicSystems)[number];
/** Names of the systems, the same in every language. */
export const systemCodes: Readonly<Record<GeographicSystem, string>> = {
  WGS84: 'WGS-84',
  GCJ02: 'GCJ-02',
  BD09: 'BD-09',
};
export type LngLat = readonly [longitude: number, latitude: number];

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The shortest way over the ground. */
export function kilometresBetween(a: Position, b: Position): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * The shift of GCJ-02 and BD-09 exists in mainland China only: elsewhere their numbers are WGS-84 (gcoord alone would
 * move Seoul by 459 m).
 */
export const inShiftedChina = (longitude: number, latitude: number): boolean =>
  longitude > 73.5 &&
  longitude < 135.1 &&
  latitude > 17.5 &&
  latitude < 53.6 &&
  !(longitude > 119.2 && longitude < 122.3 && latitude > 21.7 && latitude < 26) && // Taiwan
  !(longitude > 124.5 && latitude < 39.8 && longitude < 132); // Korea

/** A WGS-84 point in degrees of `system`. */
export function fromWgs84(system: GeographicSystem, [longitude, latitude]: LngLat): LngLat {
  if (system === 'WGS84' || !inShiftedChina(longitude, latitude)) return [longitude, latitude];
  const [x, y] = gcoord.transform([longitude, latitude], gcoord.WGS84, gcoord[system]);
  return [x, y];
}

/** A point of `system` in WGS-84 degrees: the inverse of `fromWgs84`, exact to 1 cm. */
export function toWgs84(system: GeographicSystem, [x, y]: LngLat): LngLat {
  if (system === 'WGS84' || !inShiftedChina(x, y)) return [x, y];
  let [longitude, latitude] = gcoord.transform([x, y], gcoord[system], gcoord.WGS84);
  // gcoord's inverse is off by up to some decimetres. The shift changes slowly: two correction steps remove the rest.
  for (let step = 0; step < 2; step++) {
    const [u, v] = gcoord.transform([longitude, latitude], gcoord.WGS84, gcoord[system]);
    longitude += x - u;
    latitude += y - v;
  }
  return [longitude, latitude];
}
