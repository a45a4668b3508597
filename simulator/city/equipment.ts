import { distance, type Point } from './plane.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import { equipmentFamilies, troublesOf, type EquipmentFamily } from './equipment-kinds.ts';
import type { Box, Equipment, Pole, Street } from './types.ts';

/** What a smart city mounts on its poles and beside them, and where it stands. */

/** Devices of each family in a city of 3,000 lamps. */
const usual: Readonly<Record<EquipmentFamily, number>> = {
  gateway: 14,
  'information-screen': 10,
  'public-broadcast': 16,
  'one-click-call': 12,
  'security-camera': 40,
  'environmental-monitor': 12,
  'charging-pile': 18,
  wifi: 22,
  'micro-station-5g': 8,
  'pole-tilt-sensor': 24,
  'manhole-cover': 40,
  'trash-can': 32,
  'parking-lock': 36,
  'solar-controller': 14,
  'time-controller': 9,
};
/** A small city has two of each, a large one four times the usual number at most. */
const leastOfFamily = 2;
const mostShare = 4;

/** How many devices of a family a city of so many lamps has. */
export const equipmentCount = (family: EquipmentFamily, lamps: number): number =>
  Math.max(leastOfFamily, Math.round(usual[family] * Math.min(mostShare, lamps / 3000)));

/** A gateway speaks for devices within so many metres. */
const gatewayReach = 400;
/** Poles around a gateway that carry devices, itself included. */
const polesOfGateway = 4;
const baysOfPark = 6;
const bayWidth = 2.6;

const ownLine: ReadonlySet<EquipmentFamily> = new Set([
  'gateway',
  'charging-pile',
  'micro-station-5g',
  'solar-controller',
  'time-controller',
]);
const prefixes: Readonly<Record<EquipmentFamily, string>> = {
  gateway: 'WG',
  'information-screen': 'XXP',
  'public-broadcast': 'GB',
  'one-click-call': 'HJ',
  'security-camera': 'SXJ',
  'environmental-monitor': 'HJJC',
  'charging-pile': 'CDZ',
  wifi: 'WIFI',
  'micro-station-5g': 'WJZ',
  'pole-tilt-sensor': 'QX',
  'manhole-cover': 'JG',
  'trash-can': 'LJT',
  'parking-lock': 'CWS',
  'solar-controller': 'TYN',
  'time-controller': 'SK',
};
/** Makes of a family, in turn along the city. */
const kinds: Partial<Readonly<Record<EquipmentFamily, readonly string[]>>> = {
  gateway: ['smart', 'ordinary'],
  'information-screen': ['led_full', 'led_full', 'lcd'],
  'environmental-monitor': ['air', 'noise', 'weather', 'dust'],
  'charging-pile': ['ac', 'ac', 'dc'],
  'manhole-cover': ['rainwater', 'sewage', 'power', 'telecom', 'water'],
  'trash-can': ['residual', 'recyclable', 'residual', 'food'],
};

interface Spot {
  readonly pole: number;
  readonly at: Point;
  readonly box?: number;
}

/** Every mounted and standing device of a city but its lamps, poles and boxes, family by family; the same for a seed. */
export function placeEquipment(
  seed: number,
  streets: readonly Street[],
  poles: readonly Pole[],
  boxes: readonly Pick<Box, 'at' | 'silent'>[],
  lamps: number,
): Equipment[] {
  const random = createRandom(seedOf(seed, 'equipment'));
  const spots = spotsOf(random, streets, poles, boxes);
  const placed: Equipment[] = [];
  for (const family of equipmentFamilies) {
    const count = equipmentCount(family, lamps);
    const own = troubles(createRandom(seedOf(seed, `trouble ${family}`)), family, count);
    spots(family, count).forEach(({ pole, at, box }, index) => {
      const ofFamily = kinds[family] ?? ['usual'];
      placed.push({
        family,
        code: `${prefixes[family]}-${String(index + 1).padStart(3, '0')}`,
        number: index + 1,
        pole,
        at,
        box: box ?? null,
        kind: ofFamily[index % ofFamily.length] ?? 'usual',
        gateway: null,
        trouble: own[index] ?? null,
      });
    });
  }
  return behindGateways(placed);
}

/** A place for each device of a family, spread evenly over the poles where such a device stands. */
function spotsOf(
  random: Random,
  streets: readonly Street[],
  poles: readonly Pole[],
  boxes: readonly Pick<Box, 'at' | 'silent'>[],
) {
  const all = poles.map((_, index) => index);
  const pole = (index: number): Pole => poles[index] as Pole;
  const classOf = (index: number) => streets[pole(index).street]?.roadClass;
  const orAll = (list: readonly number[]): readonly number[] => (list.length > 0 ? list : all);
  const smart = orAll(all.filter((index) => pole(index).kind === 'equipment_type_24'));
  const avenues = orAll(all.filter((index) => classOf(index) === 'arterial' && pole(index).side !== 'median'));
  const walks = orAll(all.filter((index) => classOf(index) === 'park'));
  const bridges = all.filter((index) => pole(index).location === 'bridge');
  const roads = orAll(all.filter((index) => classOf(index) !== 'park' && pole(index).side !== 'median'));
  const streetside = orAll(roads.filter((index) => classOf(index) !== 'arterial' && !pole(index).intersection));
  let carriers: readonly number[] = smart;

  const spread = (list: readonly number[], count: number): Spot[] => {
    const start = random.next();
    return Array.from({ length: count }, (_, i) => {
      const chosen = list[Math.floor(((i + start) / count) * list.length) % list.length] ?? 0;
      return { pole: chosen, at: pole(chosen).at };
    });
  };
  const beside = (spot: Spot, outward: number, along = 0): Spot => {
    const { left, side } = pole(spot.pole);
    const away = (side === 'right' ? -1 : 1) * outward;
    return {
      pole: spot.pole,
      at: [spot.at[0] + left[0] * away + left[1] * along, spot.at[1] + left[1] * away - left[0] * along],
    };
  };
  /** Rows of bays behind the footway; chargers stand in the same rows. */
  let parks: readonly Spot[] = [];
  const inParks = (count: number, outward: number): Spot[] => {
    const rows = (parks = parks.length > 0 ? parks : spread(streetside, Math.max(1, Math.round(count / baysOfPark))));
    return Array.from({ length: count }, (_, i) =>
      beside(rows[i % rows.length] as Spot, outward, (Math.floor(i / rows.length) + 1) * bayWidth),
    );
  };

  return (family: EquipmentFamily, count: number): Spot[] => {
    switch (family) {
      case 'gateway': {
        const chosen = spread(smart, count);
        carriers = [
          ...new Set(
            chosen.flatMap((spot) => {
              const at = smart.indexOf(spot.pole);
              return smart.slice(at, at + polesOfGateway);
            }),
          ),
        ];
        return chosen;
      }
      case 'security-camera': {
        const crossings = smart.filter((index) => pole(index).intersection);
        return spread([...new Set([...carriers, ...crossings])], count);
      }
      case 'one-click-call':
      case 'public-broadcast':
        return spread([...carriers, ...walks.filter((_, i) => i % 6 === 0)], count);
      case 'pole-tilt-sensor':
        return spread([...bridges, ...avenues], count);
      case 'trash-can':
        return spread([...avenues, ...walks], count).map((spot) => beside(spot, 1.4, 1.2));
      case 'manhole-cover':
        return spread(roads, count).map((spot) => beside(spot, -3.2, 6));
      // They come first: chargers stand in the car parks that locks made.
      case 'parking-lock':
        return inParks(count, 5);
      case 'charging-pile':
        return inParks(count, 7.4);
      case 'solar-controller':
        return spread(walks, count);
      case 'time-controller': {
        const open = boxes.flatMap(({ silent }, index) => (silent ? [] : [index]));
        return Array.from({ length: count }, (_, i) => {
          const box = open[Math.floor((i / count) * open.length)] ?? 0;
          const at = boxes[box]?.at ?? [0, 0];
          return { pole: nearest(poles, at), at, box };
        });
      }
      default:
        return spread(carriers, count);
    }
  };
}

function nearest(list: readonly { readonly at: Point }[], at: Point): number {
  let best = 0;
  list.forEach((one, index) => {
    if (distance(one.at, at) < distance(list[best]?.at ?? at, at)) best = index;
  });
  return best;
}

/** What is wrong with each device of a family: of ten devices two at most, so many kinds of trouble as there is room for. */
function troubles(random: Random, family: EquipmentFamily, count: number): (Equipment['trouble'] | undefined)[] {
  const known = troublesOf[family];
  const order = random.shuffled(Array.from({ length: count }, (_, index) => index));
  const troubled = Math.min(Math.max(known.length, Math.round(count / 15)), Math.floor(count / 3));
  const found: (Equipment['trouble'] | undefined)[] = [];
  order.slice(0, troubled).forEach((index, i) => (found[index] = known[i % known.length]));
  return found;
}

/** Devices without a line of their own are connected by the next gateway. */
function behindGateways(placed: readonly Equipment[]): Equipment[] {
  const gateways = placed.flatMap((one, index) => (one.family === 'gateway' ? [{ ...one, index }] : []));
  return placed.map((one) => {
    if (ownLine.has(one.family) || gateways.length === 0) return one;
    const next = gateways[nearest(gateways, one.at)];
    return next && distance(next.at, one.at) <= gatewayReach ? { ...one, gateway: next.index } : one;
  });
}
