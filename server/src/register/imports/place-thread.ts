import type { ReplyOf } from '../../../../contract/route.ts';
import type { listImportPins } from '../../../../contract/register/imports.ts';
import type { TableWorker } from '../../platform/table-file/index.ts';
import { isUsedAt, namedSystems, toWgs84, useOf, type Place } from './coordinates.ts';
import { numberIn, withPoint } from './numbers.ts';
import { farKilometres, nearest, questionsOf } from './place.ts';

/**
 * Where the positions of a file lie by a coordinate system, and in which systems they would lie where those are used.
 * Works in the thread that reads the file: some 230 definitions are read and tried, each a millisecond's work.
 */

/**
 * Which columns are looked at, and how; `system` is empty where none was chosen. `register`: where registered devices
 * stand, roughly.
 */
export interface PlaceOrder {
  readonly x: number;
  readonly y: number;
  readonly commas: boolean;
  readonly system: string;
  readonly register: readonly Place[];
}
/** Undefined: the system is not known. */
export type PlaceLook = ReplyOf<typeof listImportPins> | undefined;
type Pair = readonly [number, number];
type Fit = ReplyOf<typeof listImportPins>['fits'][number];
interface Stated {
  readonly row: number;
  readonly label: string;
  readonly texts: readonly [string, string];
  readonly pair: Pair;
}

/** So many rows from the beginning of a file are looked at for its positions. */
const looked = 2000;
const mostFits = 9;
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
    pins: (convert
      ? [...new Set([0, Math.floor((stated.length - 1) / 2), stated.length - 1])].flatMap((at) => stated[at] ?? [])
      : []
    ).map(({ row, label, texts, pair }) => {
      const at = convert?.(...pair);
      return { row, label, x: texts[0], y: texts[1], longitude: at?.longitude ?? null, latitude: at?.latitude ?? null };
    }),
    fits: fitsOf(pairs, register),
    questions: middle
      ? questionsOf(
          system,
          middle,
          { rows: places.length, outside: places.filter((place) => !isUsedAt(system, place)).length },
          nearest(middle, register),
        )
      : [],
    name: useOf(system)?.name ?? null,
    accuracy: useOf(system)?.accuracy ?? null,
  };
};
export default look;

/** The rows of the beginning of a file that have both numbers, but 0, 0. */
async function positionsIn(
  rows: Parameters<typeof look>[0],
  { x, y, commas }: Pick<PlaceOrder, 'x' | 'y' | 'commas'>,
): Promise<Stated[]> {
  const numberOf = (text: string): number => numberIn(commas ? (withPoint(text) ?? '') : text.trim());
  const usable: Stated[] = [];
  let count = -1;
  for await (const { number, cells } of rows) {
    count += 1;
    if (count === 0) continue;
    const texts = [cells[x] ?? '', cells[y] ?? ''] as const;
    const pair = [numberOf(texts[0]), numberOf(texts[1])] as const;
    if (pair.every(Number.isFinite) && pair.some((one) => one !== 0))
      usable.push({ row: number, label: cells.find((cell) => cell.trim() !== '')?.slice(0, 60) ?? '', texts, pair });
    if (count >= looked) break;
  }
  return usable;
}

const codes = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `EPSG:${from + at}`);
const epsg = (...numbers: readonly number[]): string[] => numbers.map((code) => `EPSG:${code}`);
/** Grids that inventories of cities are kept in, one for a country or a part of it; those offered by name first. */
const grids = [
  ...namedSystems.filter((system) => system.startsWith('EPSG:') && system !== 'EPSG:4490'),
  ...epsg(
    3828,
    2326,
    3414,
    27700,
    2157,
    29903,
    28992,
    31370,
    3812,
    2056,
    21781,
    27572,
    31287,
    5514,
    5513,
    2180,
    23700,
    3765,
    3794,
    3844,
    3006,
    3067,
    3301,
    3346,
    3059,
    2100,
    3763,
    3003,
    3004,
    6707,
    6708,
    2039,
    5179,
    2097,
    5174,
    5178,
    2193,
    3857,
  ),
];
/**
 * Grids in zones: the same numbers lie in each of them, so that only those nearest to the register are worth a word.
 */
const zoned = [
  codes(4491, 4554),
  codes(2391, 2442),
  codes(5185, 5188),
  codes(6669, 6687),
  codes(3942, 3950),
  codes(25_828, 25_838),
  codes(31_466, 31_469),
  codes(31_254, 31_259),
  codes(2176, 2179),
  codes(28_348, 28_358),
  codes(7846, 7859),
  codes(32_601, 32_660),
  codes(32_701, 32_760),
].map((zones) => zones.filter((system) => !grids.includes(system)));
const mostOfZones = 2;

const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
/** By each coordinate on its own; undefined of no places. */
const middlePlace = (places: readonly Place[]): Place | undefined =>
  places.length === 0
    ? undefined
    : {
        longitude: middleOf(places.map(({ longitude }) => longitude)),
        latitude: middleOf(places.map(({ latitude }) => latitude)),
      };
const breadth = (system: string): number => {
  const [west, south, east, north] = useOf(system)?.area ?? [-180, -90, 180, 90];
  return (east - west) * (north - south);
};

/**
 * Systems in which these numbers lie where the system is used, nearest to the register first, then with the columns as
 * they are, then those of one country, then the narrowest: a person chooses. Numbers that are degrees fit WGS-84 alone.
 */
export function fitsOf(pairs: readonly Pair[], register: readonly Place[]): Fit[] {
  const step = Math.max(1, Math.floor(pairs.length / points));
  const some = pairs.filter((_, at) => at % step === 0).slice(0, points);
  if (some.length === 0) return [];
  const fitting = (system: string): Fit[] =>
    betterOf(fitOf(system, some, false, register), fitOf(system, some, true, register));
  if (some.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 180)) return fitting('WGS84');
  const ofZones = zoned.flatMap((zones) =>
    zones
      .flatMap(fitting)
      .toSorted((a, b) => (a.km ?? 0) - (b.km ?? 0))
      .slice(0, mostOfZones),
  );
  const rank = new Map([
    ...grids.flatMap(fitting).map((fit) => [fit, 0] as const),
    ...ofZones.map((fit) => [fit, 1] as const),
  ]);
  return [...rank]
    .toSorted(
      ([a, x], [b, y]) =>
        nearness(a.km) - nearness(b.km) ||
        Number(a.swapped) - Number(b.swapped) ||
        x - y ||
        breadth(a.system) - breadth(b.system),
    )
    .map(([fit]) => fit)
    .slice(0, mostFits);
}

/**
 * How these numbers, or the same with the columns the other way round, lie in a system; undefined: not where it is
 * used.
 */
function fitOf(system: string, pairs: readonly Pair[], swapped: boolean, register: readonly Place[]): Fit | undefined {
  const convert = toWgs84(system);
  const placeOf = ([x, y]: Pair): Place | null =>
    convert?.(...(swapped ? ([y, x] as const) : ([x, y] as const))) ?? null;
  // Most systems are told to be others by the middle alone.
  const first = placeOf([middleOf(pairs.map(([x]) => x)), middleOf(pairs.map(([, y]) => y))]);
  if (!first || !isUsedAt(system, first)) return undefined;
  const places = pairs.flatMap((pair) => placeOf(pair) ?? []);
  const middle = middlePlace(places);
  return middle && places.filter((place) => isUsedAt(system, place)).length >= pairs.length * 0.8
    ? { system, name: useOf(system)?.name ?? null, swapped, ...middle, km: nearest(middle, register) }
    : undefined;
}

/**
 * The columns the other way round are worth a word only where the numbers make no sense as they are, or lie nearer to
 * the register then.
 */
function betterOf(plain: Fit | undefined, turned: Fit | undefined): Fit[] {
  if (!plain || !turned) return [plain ?? turned ?? []].flat();
  return nearness(turned.km) < nearness(plain.km) ? [turned, plain] : [plain];
}

/** Whoever lies beside the register comes first; beyond that distance says nothing. */
const nearness = (km: number | null): number => (km === null ? 1 : km <= 100 ? 0 : km <= farKilometres ? 1 : 2);
