import type { ReplyOf } from '../../../../contract/route.ts';
import type { listImportPins } from '../../../../contract/routes/imports.ts';
import type { TableWorker } from '../../platform/table-file/index.ts';
import { isUsedAt, namedSystems, toWgs84, useOf, type Place } from './coordinates.ts';
import { numberIn, withPoint } from './numbers.ts';
import { farKilometres, nearest, questionsOf } from './place.ts';

/**
 * Where the positions of a file lie by a coordinate system, and in which systems they would lie where those are used. Works in the thread that reads the file:
 * some 230 definitions are read and tried, each a millisecond's work.
 */

/** Which columns are looked at, and how; `system` is empty where none was chosen. `register`: where registered devices stand, roughly. */
export interface PlaceOrder { readonly x: number; readonly y: number; readonly commas: boolean; readonly system: string; readonly register: readonly Place[] }
/** Undefined: the system is not known. */
export type PlaceLook = ReplyOf<typeof listImportPins> | undefined;
type Pair = readonly [number, number];
type Fit = ReplyOf<typeof listImportPins>['fits'][number];
interface Stated { readonly row: number; readonly label: string; readonly texts: readonly [string, string]; readonly pair: Pair }

/** So many rows from the beginning of a file are looked at for its positions. */
const looked = 2000;
const mostFits = 8;
/** So many points tell a system. */
const points = 24;

const look: TableWorker<PlaceOrder, PlaceLook> = async (rows, { x, y, commas, system, register }) => {
  const convert = toWgs84(system);
  if (!convert && system !== '') return undefined;
  const stated = await positionsIn(rows, { x, y, commas });
  const pairs = stated.map(({ pair }) => pair);
  const places = convert ? pairs.flatMap((pair) => convert(...pair) ?? []) : [];
  const middle = middlePlace(places);
  return {
    // The first, a middle and the last of them.
    pins: (convert ? [...new Set([0, Math.floor((stated.length - 1) / 2), stated.length - 1])].flatMap((at) => stated[at] ?? []) : []).map(({ row, label, texts, pair }) => {
      const at = convert?.(...pair);
      return { row, label, x: texts[0], y: texts[1], longitude: at?.longitude ?? null, latitude: at?.latitude ?? null };
    }),
    fits: fitsOf(pairs, register),
    questions: middle ? questionsOf(system, middle, { rows: places.length, outside: places.filter((place) => !isUsedAt(system, place)).length }, nearest(middle, register)) : [],
    accuracy: useOf(system)?.accuracy ?? null,
  };
};
export default look;

/** The rows of the beginning of a file that have both numbers, but 0, 0. */
async function positionsIn(rows: Parameters<typeof look>[0], { x, y, commas }: Pick<PlaceOrder, 'x' | 'y' | 'commas'>): Promise<Stated[]> {
  const numberOf = (text: string): number => numberIn(commas ? withPoint(text) ?? '' : text.trim());
  const usable: Stated[] = [];
  let count = -1;
  for await (const { number, cells } of rows) {
    count += 1;
    if (count === 0) continue;
    const texts = [cells[x] ?? '', cells[y] ?? ''] as const;
    const pair = [numberOf(texts[0]), numberOf(texts[1])] as const;
    if (pair.every(Number.isFinite) && pair.some((one) => one !== 0)) usable.push({ row: number, label: cells.find((cell) => cell.trim() !== '')?.slice(0, 60) ?? '', texts, pair });
    if (count >= looked) break;
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
const middlePlace = (places: readonly Place[]): Place | undefined =>
  places.length === 0 ? undefined : { longitude: middleOf(places.map(({ longitude }) => longitude)), latitude: middleOf(places.map(({ latitude }) => latitude)) };
const breadth = (system: string): number => {
  const [west, south, east, north] = useOf(system)?.area ?? [-180, -90, 180, 90];
  return (east - west) * (north - south);
};

/**
 * Systems in which these numbers lie where the system is used, nearest to the register first, then the narrowest: a person chooses. Numbers that are degrees fit
 * WGS-84 alone.
 */
export function fitsOf(pairs: readonly Pair[], register: readonly Place[]): Fit[] {
  const step = Math.max(1, Math.floor(pairs.length / points));
  const some = pairs.filter((_, at) => at % step === 0).slice(0, points);
  if (some.length === 0) return [];
  const isDegrees = some.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 180);
  return (isDegrees ? ['WGS84'] : [...new Set(likely)])
    .flatMap((system) => betterOf(fitOf(system, some, false, register), fitOf(system, some, true, register)))
    .toSorted((a, b) => nearness(a.km) - nearness(b.km) || breadth(a.system) - breadth(b.system)).slice(0, mostFits);
}

/** How these numbers, or the same with the columns the other way round, lie in a system; undefined: not where it is used. */
function fitOf(system: string, pairs: readonly Pair[], swapped: boolean, register: readonly Place[]): Fit | undefined {
  const convert = toWgs84(system);
  const placeOf = ([x, y]: Pair): Place | null => convert?.(...(swapped ? [y, x] as const : [x, y] as const)) ?? null;
  // Most systems are told to be others by the middle alone.
  const first = placeOf([middleOf(pairs.map(([x]) => x)), middleOf(pairs.map(([, y]) => y))]);
  if (!first || !isUsedAt(system, first)) return undefined;
  const places = pairs.flatMap((pair) => placeOf(pair) ?? []);
  const middle = middlePlace(places);
  return middle && places.filter((place) => isUsedAt(system, place)).length >= pairs.length * 0.8 ? { system, swapped, ...middle, km: nearest(middle, register) } : undefined;
}

/** The columns the other way round are worth a word only where the numbers make no sense as they are, or lie nearer to the register then. */
function betterOf(plain: Fit | undefined, turned: Fit | undefined): Fit[] {
  if (!plain || !turned) return [plain ?? turned ?? []].flat();
  return nearness(turned.km) < nearness(plain.km) ? [turned, plain] : [plain];
}

/** Whoever lies beside the register comes first; beyond that distance says nothing. */
const nearness = (km: number | null): number => (km === null ? 1 : km <= 100 ? 0 : km <= farKilometres ? 1 : 2);
