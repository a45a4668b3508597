import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { readTable, type TableFormat } from '../../platform/table-file/index.ts';
import { isUsedAt, namedSystems, toWgs84, useOf, type Place } from './coordinates.ts';
import { numberIn, withPoint } from './numbers.ts';

/** What only a person can answer about where a file lies. */
export interface PlaceQuestion { readonly kind: 'outsideSystem' | 'farFromRegister'; readonly rows: number; readonly km: number | null }
export interface Fit extends Place { readonly system: string; readonly swapped: boolean; readonly km: number | null }

/** Farther from everything that is registered than a country is wide. */
const farKilometres = 500;
const mostFits = 8;
/** So many points tell a system. */
const points = 24;

/** Half a degree: the register as a few cells, whatever its size. */
const cellsADegree = 2;
const rad = Math.PI / 180;

function kilometres(a: Place, b: Place): number {
  const h = Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Kilometres, within about 40, from each place to the nearest device with a position in these work areas; null where there is none. */
export async function toRegister(db: Db, places: readonly Place[], areas: 'all' | readonly number[]): Promise<(number | null)[]> {
  const within = areas === 'all' ? sql`true` : sql`work_area_id = ANY(${[...areas]}::bigint[])`;
  const { rows } = await sql<Place>`SELECT DISTINCT round(longitude * ${cellsADegree}) / ${cellsADegree} AS longitude, round(latitude * ${cellsADegree}) / ${cellsADegree} AS latitude FROM device WHERE longitude IS NOT NULL AND ${within} LIMIT 5000`.execute(db);
  return places.map((place) => (rows.length === 0 ? null : Math.round(Math.min(...rows.map((cell) => kilometres(place, cell))))));
}

/** What is doubtful of a middle and of how many rows lie where the system is not used. */
export function questionsOf(system: string, middle: Place, counts: { readonly rows: number; readonly outside: number }, km: number | null): PlaceQuestion[] {
  const outside = counts.outside * 2 > counts.rows || !isUsedAt(system, middle);
  return [
    ...(outside ? [{ kind: 'outsideSystem' as const, rows: Math.max(1, counts.outside), km: null }] : []),
    ...(km !== null && km > farKilometres ? [{ kind: 'farFromRegister' as const, rows: counts.rows, km }] : []),
  ];
}

/** So many rows from the beginning of a file are looked at for its positions. */
const looked = 2000;
export interface Stated { readonly row: number; readonly label: string; readonly texts: readonly [string, string]; readonly pair: readonly [number, number] }

/** The rows of the beginning of a file that have both numbers, but 0, 0. */
export async function positionsIn(bytes: Uint8Array, format: TableFormat, { x, y, commas }: { readonly x: number; readonly y: number; readonly commas: boolean }): Promise<Stated[]> {
  const numberOf = (text: string): number => numberIn(commas ? withPoint(text) ?? '' : text.trim());
  const usable: Stated[] = [];
  let rows = -1;
  for await (const { number, cells } of readTable(bytes, format)) {
    rows += 1;
    if (rows === 0) continue;
    const texts = [cells[x] ?? '', cells[y] ?? ''] as const;
    const pair = [numberOf(texts[0]), numberOf(texts[1])] as const;
    if (pair.every(Number.isFinite) && pair.some((one) => one !== 0)) usable.push({ row: number, label: cells.find((cell) => cell.trim() !== '')?.slice(0, 60) ?? '', texts, pair });
    if (rows >= looked) break;
  }
  return usable;
}

const codes = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => `EPSG:${from + at}`);
/** Grids that inventories of cities are kept in, and the zones of UTM. */
const likely: readonly string[] = [
  ...namedSystems.filter((system) => system.startsWith('EPSG:') && system !== 'EPSG:4490'), 'EPSG:3828', 'EPSG:27700', 'EPSG:2157', 'EPSG:29903', 'EPSG:28992', 'EPSG:31370', 'EPSG:3812', 'EPSG:2056', 'EPSG:21781', 'EPSG:2154', 'EPSG:27572', ...codes(3942, 3950),
  ...codes(25828, 25838), ...codes(31466, 31469), 'EPSG:31287', ...codes(31254, 31259), 'EPSG:5514', 'EPSG:5513', 'EPSG:2180', ...codes(2176, 2179), 'EPSG:23700', 'EPSG:3765', 'EPSG:3794', 'EPSG:3844', 'EPSG:3006', 'EPSG:3067', 'EPSG:3301', 'EPSG:3346', 'EPSG:3059', 'EPSG:2100', 'EPSG:3763',
  'EPSG:3003', 'EPSG:3004', 'EPSG:6707', 'EPSG:6708', 'EPSG:2039', 'EPSG:2326', 'EPSG:3414', ...codes(5185, 5188), 'EPSG:5179', 'EPSG:2097', 'EPSG:5174', 'EPSG:5178', ...codes(6669, 6687), ...codes(4491, 4554), ...codes(2391, 2442), 'EPSG:2193', ...codes(28348, 28358), ...codes(7846, 7859),
  'EPSG:3857', ...codes(32601, 32660), ...codes(32701, 32760),
];

const middleOf = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
/** By each coordinate on its own; undefined of no places. */
export const middlePlace = (places: readonly Place[]): Place | undefined =>
  places.length === 0 ? undefined : { longitude: middleOf(places.map(({ longitude }) => longitude)), latitude: middleOf(places.map(({ latitude }) => latitude)) };
const breadth = (system: string): number => {
  const [west, south, east, north] = useOf(system)?.area ?? [-180, -90, 180, 90];
  return (east - west) * (north - south);
};

/**
 * Systems in which these numbers lie where the system is used, nearest to the register first, then the narrowest: a person chooses. Numbers that are degrees fit
 * WGS-84 alone.
 */
export async function fitsOf(db: Db, pairs: readonly (readonly [number, number])[], areas: 'all' | readonly number[]): Promise<Fit[]> {
  const step = Math.max(1, Math.floor(pairs.length / points));
  const some = pairs.filter((_, at) => at % step === 0).slice(0, points);
  if (some.length === 0) return [];
  const isDegrees = some.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 180);
  const found: Omit<Fit, 'km'>[] = [];
  for (const [at, system] of (isDegrees ? ['WGS84'] : [...new Set(likely)]).entries()) {
    const convert = toWgs84(system);
    for (const swapped of convert ? [false, true] : []) {
      const places = some.flatMap(([x, y]) => convert?.(...(swapped ? [y, x] as const : [x, y] as const)) ?? []);
      const middle = middlePlace(places);
      if (middle && places.filter((place) => isUsedAt(system, place)).length >= some.length * 0.8) found.push({ system, swapped, ...middle });
    }
    // A definition that is read for the first time takes about a millisecond.
    if (at % 8 === 7) await nextTurn();
  }
  const narrow = found.toSorted((a, b) => breadth(a.system) - breadth(b.system)).slice(0, mostFits * 3);
  const km = await toRegister(db, narrow.slice(0, mostFits * 2), areas);
  return narrow.map((fit, at) => ({ ...fit, km: km[at] ?? null })).toSorted((a, b) => nearness(a.km) - nearness(b.km)).slice(0, mostFits);
}
/** Whoever lies beside the register comes first; beyond that distance says nothing. */
const nearness = (km: number | null): number => (km === null ? 1 : km <= 100 ? 0 : km <= farKilometres ? 1 : 2);
