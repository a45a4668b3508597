import type { getHomeMap } from '../../../../contract/light/home.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { scopeKey } from './home.service.ts';
import { findCells, findSquares, findWorstPlaces, type Bounds, type Square } from './map.store.ts';
import { remember } from './remember.ts';

type HomeMap = ReplyOf<typeof getHomeMap>;

/** How old the picture may be, ms: it takes a look at every lamp. */
const mapAge = 15_000;
/** How old the bounds may be, ms: lamps do not move, but others are mounted. Where none stands yet nothing is kept. */
const boundsAge = 60_000;
/** Cells along the longer side. */
const cellsAlong = 96;
const mostPlaces = 5;
/** So far, in degrees, a lamp may stand from the square with most lamps; about 100 km. */
const reach = 1;
/** A picture is at least so wide, in degrees: about 500 m. */
const least = 0.005;

/** The city as a small picture of cells, with the five worst places. Callers who see the same devices share an answer. */
export function createHomeMap({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const maps = remember<HomeMap>(clock, mapAge);
  const areas = remember<Area>(clock, boundsAge, { isKept: ({ bounds }) => bounds !== null });

  async function draw(caller: DeviceScope): Promise<HomeMap> {
    const scope = visibleDevices(caller);
    const at = clock.now().toISOString();
    const { bounds, unplaced } = await areas(scopeKey(caller), async () => areaOf(await findSquares(db, scope)));
    const size = bounds && cellSize(bounds);
    const [cells, places] = await Promise.all([
      bounds && size ? findCells(db, scope, bounds, { ...size, most: cellsAlong ** 2 }) : [],
      findWorstPlaces(db, scope, visibleDevices(caller, 'c'), mostPlaces),
    ]);
    const x = (longitude: number) => perMille(longitude, bounds?.west ?? 0, bounds?.east ?? 1);
    const y = (latitude: number) => perMille(latitude, bounds?.north ?? 1, bounds?.south ?? 0);
    const inside = (share: number | null) => (share !== null && share >= 0 && share <= 1000 ? share : null);
    return {
      at,
      bounds,
      unplaced,
      cells: {
        x: cells.map((cell) => x(cell.longitude)),
        y: cells.map((cell) => y(cell.latitude)),
        lamps: cells.map((cell) => cell.lamps),
        light: cells.map((cell) => Math.round(cell.light * 100) / 100),
        alarm: cells.map((cell) => cell.alarm),
        offline: cells.map((cell) => cell.offline),
      },
      places: places.map(({ longitude, latitude, since, ...place }) => ({
        ...place,
        since: since?.toISOString() ?? null,
        x: bounds && longitude !== null ? inside(x(longitude)) : null,
        y: bounds && latitude !== null ? inside(y(latitude)) : null,
      })),
    };
  }

  return (caller: DeviceScope): Promise<HomeMap> => maps(scopeKey(caller), () => draw(caller));
}

interface Area {
  readonly bounds: Bounds | null;
  readonly unplaced: number;
}

const perMille = (value: number, from: number, to: number) => Math.round(((value - from) / (to - from)) * 1000);

/** What most lamps stand in, with a little room; a lamp far away from all others would make the city a point. */
function areaOf({ squares, unplaced }: { readonly squares: readonly Square[]; readonly unplaced: number }): Area {
  const [main] = squares;
  if (!main) return { bounds: null, unplaced };
  const isNear = (one: Square) =>
    one.west <= main.east + reach &&
    one.east >= main.west - reach &&
    one.south <= main.north + reach &&
    one.north >= main.south - reach;
  const near = squares.filter(isNear);
  const far = squares.filter((one) => !isNear(one)).reduce((total, one) => total + one.lamps, 0);
  const [west, east] = widened(Math.min(...near.map((one) => one.west)), Math.max(...near.map((one) => one.east)));
  const [south, north] = widened(Math.min(...near.map((one) => one.south)), Math.max(...near.map((one) => one.north)));
  return { bounds: { west, south, east, north }, unplaced: unplaced + far };
}

function widened(low: number, high: number): [number, number] {
  const room = Math.max((high - low) * 0.03, (least - (high - low)) / 2);
  return [low - room, high + room];
}

/** Square cells on the ground: a degree of longitude is shorter than one of latitude. */
function cellSize({ west, south, east, north }: Bounds): { readonly width: number; readonly height: number } {
  const shorter = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const height = Math.max((east - west) * shorter, north - south) / cellsAlong;
  return { width: height / shorter, height };
}
