import { createRequire } from 'node:module';
import proj4 from 'proj4';
import { toWgs84 as fromSystem, type GeographicSystem } from '../../../../catalogue/coordinates.ts';

/**
 * A point as a file states it, to WGS-84 degrees; null where the system does not reach or the numbers make no sense in
 * it.
 */
export type ToWgs84 = (x: number, y: number) => Place | null;
export interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

/**
 * What is known of a system by its EPSG code: what it is called, where it is used (west, south, east, north in
 * degrees), by how many metres positions may be off when that is more than 1.
 */
export interface SystemUse {
  readonly name: string;
  readonly area: readonly [number, number, number, number];
  readonly accuracy: number | null;
}

/** Systems that are offered by name; every other one by its EPSG code. */
export const namedSystems = [
  'WGS84',
  'GCJ02',
  'BD09',
  'EPSG:3826',
  'EPSG:3825',
  'EPSG:4490',
  'EPSG:4547',
  'EPSG:4548',
  'EPSG:4549',
  'EPSG:2154',
  'EPSG:6677',
  'EPSG:5186',
] as const;

const degrees = (longitude: number, latitude: number) =>
  Number.isFinite(longitude) && Number.isFinite(latitude) && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
    ? { longitude, latitude }
    : null;

const shifted =
  (from: GeographicSystem): ToWgs84 =>
  (x, y) => {
    if (!degrees(x, y)) return null;
    const [longitude, latitude] = fromSystem(from, [x, y]);
    return degrees(longitude, latitude);
  };

const load = createRequire(import.meta.url);
/**
 * 5,000 definitions, and what was found of each beside PROJ (decision record 38): read when the first projected file
 * comes.
 */
let definitions: Readonly<Record<string, readonly [string, string]>> | undefined;
let uses:
  | Readonly<
      Record<
        string,
        readonly [
          name: string,
          west: number,
          south: number,
          east: number,
          north: number,
          accuracy?: number,
          shift?: readonly number[],
        ]
      >
    >
  | undefined;

type Use = NonNullable<typeof uses>[string];
const entryOf = (system: string): Use | undefined => {
  uses ??= load('./coordinate-systems.json') as NonNullable<typeof uses>;
  return /^EPSG:\d{4,6}$/.test(system) && Object.hasOwn(uses, system.slice(5)) ? uses[system.slice(5)] : undefined;
};

/** Only what agrees with PROJ is known: its axes, and its positions within 100 m. */
export function useOf(system: string): SystemUse | undefined {
  const found = entryOf(system);
  return found && { name: found[0], area: [found[1], found[2], found[3], found[4]], accuracy: found[5] || null };
}

/** How proj4 is told of a system; undefined for one it has no words for. */
export function definitionOf(system: string): string | undefined {
  definitions ??= load('proj4-list') as NonNullable<typeof definitions>;
  return Object.hasOwn(definitions, system) ? definitions[system]?.[1] : utm(system);
}

/** UTM on WGS-84 by its code, north 32601–32660, south 32701–32760. */
function utm(code: string): string | undefined {
  const [, half, zone] = /^EPSG:32([67])(\d\d)$/.exec(code) ?? [];
  const number = Number(zone);
  return half && number >= 1 && number <= 60
    ? `+proj=utm +zone=${number} ${half === '7' ? '+south ' : ''}+datum=WGS84 +units=m +no_defs`
    : undefined;
}

const converters = new Map<string, ToWgs84>();

/**
 * How a system's points become WGS-84: `WGS84`, `GCJ02`, `BD09` or `EPSG:<code>`; undefined for one that is not known.
 * x is the number along east and west (or the longitude), y the one along north and south, each as the system counts
 * it: of EPSG:5513 the westing and the southing.
 */
export function toWgs84(system: string): ToWgs84 | undefined {
  if (system === 'WGS84') return degrees;
  if (system === 'GCJ02' || system === 'BD09') return shifted(system);
  const made = converters.get(system) ?? fromEpsg(system);
  if (made) converters.set(system, made);
  return made;
}

function fromEpsg(system: string): ToWgs84 | undefined {
  if (krovakSystems.has(system)) return krovak(system === 'EPSG:5514' ? 1 : -1);
  const entry = entryOf(system);
  const definition = entry && definitionOf(system);
  return definition === undefined ? undefined : converterOf(definition, entry?.[6]);
}

/**
 * A definition as a function, with the parameters of another tie to WGS-84 where it is given. Systems that count to the
 * west and the south proj4 turns the wrong way: they are turned here.
 */
export function converterOf(definition: string, shift?: readonly number[]): ToWgs84 {
  const straight = definition.replace('+axis=wsu', '');
  return plainConverter(shift ? withShift(straight, shift) : straight, straight === definition ? 1 : -1);
}

/** The same definition, tied to WGS-84 by the parameters of another transformation. */
const withShift = (definition: string, shift: readonly number[]): string =>
  `${definition.replace(/\+datum=(\S+)/, (_, datum: string) => `+ellps=${ellipsoids[datum] ?? datum}`).replaceAll(/\+towgs84=\S+|\+nadgrids=\S+|\+no_defs/g, '')} +towgs84=${shift.join(',')} +no_defs`;
const ellipsoids: Readonly<Record<string, string>> = {
  OSGB36: 'airy',
  NAD27: 'clrk66',
  NAD83: 'GRS80',
  WGS84: 'WGS84',
  potsdam: 'bessel',
  GGRS87: 'GRS80',
  carthage: 'clrk80ign',
  hermannskogel: 'bessel',
  ire65: 'mod_airy',
  nzgd49: 'intl',
};

function plainConverter(definition: string, sign: 1 | -1): ToWgs84 {
  const converter = proj4(definition, 'WGS84');
  return (x, y) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    try {
      const [longitude = Number.NaN, latitude = Number.NaN] = converter.forward([sign * x, sign * y]);
      return degrees(longitude, latitude);
    } catch {
      // Outside of what the projection can express.
      return null;
    }
  };
}

/**
 * The Czech and Slovak survey: EPSG:5514 counts to the east and the north, below zero; the others to the west and the
 * south.
 */
export const krovakSystems: ReadonlySet<string> = new Set(['EPSG:5514', 'EPSG:5513', 'EPSG:2065']);
/** Each country has its own seven parameters, of 1 m: EPSG:1623 and EPSG:4829. They differ by 7 m. */
const krovakShifts = {
  czech: '570.8,85.7,462.8,4.998,1.587,5.261,3.56',
  slovak: '485,169.5,483.8,7.786,4.398,4.103,0',
} as const;
/** The border between both, from the Morava to the Beskids; north and west of it is Czech. */
const border = [
  [16.84, 48.55],
  [16.95, 48.62],
  [17.16, 48.83],
  [17.45, 48.83],
  [17.72, 48.87],
  [17.9, 48.93],
  [18.0, 49.03],
  [18.12, 49.09],
  [18.18, 49.27],
  [18.38, 49.33],
  [18.52, 49.46],
  [18.64, 49.5],
  [18.86, 49.52],
] as const;

function krovak(sign: 1 | -1): ToWgs84 {
  const of = (shift: string) =>
    plainConverter(
      `+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 +x_0=0 +y_0=0 +ellps=bessel +towgs84=${shift} +units=m +no_defs`,
      sign,
    );
  const [czech, slovak] = [of(krovakShifts.czech), of(krovakShifts.slovak)];
  return (x, y) => {
    const place = czech(x, y);
    return place && isSlovak(place) ? slovak(x, y) : place;
  };
}

function isSlovak({ longitude, latitude }: Place): boolean {
  const next = border.findIndex(([at]) => at > longitude);
  if (next <= 0) return next < 0;
  const [[x1, y1], [x2, y2]] = [border[next - 1] ?? border[0], border[next] ?? border[0]];
  return latitude < y1 + ((y2 - y1) * (longitude - x1)) / (x2 - x1);
}

/** Borders of areas of use are drawn wide already; this much more is still inside. */
const margin = 0.2;

/** Whether a place lies where the system is used. Everywhere for systems of degrees. */
export function isUsedAt(system: string, { longitude, latitude }: Place): boolean {
  const [west, south, east, north] = useOf(system)?.area ?? [-180, -90, 180, 90];
  const inside =
    west <= east
      ? longitude >= west - margin && longitude <= east + margin
      : longitude >= west - margin || longitude <= east + margin;
  return inside && latitude >= south - margin && latitude <= north + margin;
}
