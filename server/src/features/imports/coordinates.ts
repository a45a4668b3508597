import { createRequire } from 'node:module';
import proj4 from 'proj4';
import { toWgs84 as fromSystem, type GeographicSystem } from '../../../../catalogue/coordinates.ts';

/** A point as a file states it, to WGS-84 degrees; null where the system does not reach or the numbers make no sense in it. */
export type ToWgs84 = (x: number, y: number) => { readonly longitude: number; readonly latitude: number } | null;

/** Systems that are offered by name; every other one by its EPSG code. */
export const namedSystems = ['WGS84', 'GCJ02', 'BD09', 'EPSG:3826', 'EPSG:3825', 'EPSG:4490', 'EPSG:4547', 'EPSG:4548', 'EPSG:4549', 'EPSG:2154', 'EPSG:6677', 'EPSG:5186'] as const;

const degrees = (longitude: number, latitude: number) =>
  Number.isFinite(longitude) && Number.isFinite(latitude) && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? { longitude, latitude } : null;

const shifted = (from: GeographicSystem): ToWgs84 => (x, y) => {
  if (!degrees(x, y)) return null;
  const [longitude, latitude] = fromSystem(from, [x, y]);
  return degrees(longitude, latitude);
};

/** 7,000 definitions: read when the first projected file comes. */
let definitions: Readonly<Record<string, readonly [string, string]>> | undefined;
const definitionOf = (code: string): string | undefined => {
  definitions ??= createRequire(import.meta.url)('proj4-list') as NonNullable<typeof definitions>;
  return Object.hasOwn(definitions, code) ? definitions[code]?.[1] : utm(code);
};

/** UTM on WGS-84 by its code, north 32601–32660, south 32701–32760. */
function utm(code: string): string | undefined {
  const [, half, zone] = /^EPSG:32([67])(\d\d)$/.exec(code) ?? [];
  const number = Number(zone);
  return half && number >= 1 && number <= 60 ? `+proj=utm +zone=${number} ${half === '7' ? '+south ' : ''}+datum=WGS84 +units=m +no_defs` : undefined;
}

/** How a system's points become WGS-84: `WGS84`, `GCJ02`, `BD09` or `EPSG:<code>`; undefined for one that is not known. x is east or longitude, y north or latitude. */
export function toWgs84(system: string): ToWgs84 | undefined {
  if (system === 'WGS84') return degrees;
  if (system === 'GCJ02' || system === 'BD09') return shifted(system);
  const definition = /^EPSG:\d{4,6}$/.test(system) ? definitionOf(system) : undefined;
  if (definition === undefined) return undefined;
  const converter = proj4(definition, 'WGS84');
  return (x, y) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    try {
      const [longitude = Number.NaN, latitude = Number.NaN] = converter.forward([x, y]);
      return degrees(longitude, latitude);
    } catch {
      // Outside of what the projection can express.
      return null;
    }
  };
}
