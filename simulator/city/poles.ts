import { distanceToSegment, stations, type Point, type Station } from './plane.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import type { LampModel, Pole, Side, Street } from './types.ts';

/** How the lamps of a street stand, as road lighting does it. */
interface Arrangement {
  readonly kind: 'both' | 'median' | 'staggered' | 'one';
  readonly spacing: number;
  readonly model: LampModel;
  readonly smart: boolean;
  readonly sodium: boolean;
}

export interface PoleDraft extends Omit<Pole, 'code' | 'number'> {
  readonly model: LampModel;
}

const led = (
  ratedWatts: number,
  cct: number,
  manufacturer = '萤火照明',
  dimming: LampModel['dimming'] = 'dali',
): LampModel => ({ name: `LED-${ratedWatts}-${cct / 100}`, manufacturer, ratedWatts, cct, curve: 'led', dimming });
const models = {
  arterial: [led(200, 4000), led(240, 4000, '晨辉光电', 'analog'), led(180, 3500)],
  secondary: [led(120, 3500, '晨辉光电', 'pwm'), led(150, 3000), led(120, 3000, '江城电气', 'analog')],
  sodium: [
    {
      name: 'HPS-150',
      manufacturer: '江城电气',
      ratedWatts: 150,
      cct: 2000,
      curve: 'sodium',
      dimming: 'analog',
    } satisfies LampModel,
  ],
  branch: [led(60, 3000), led(80, 3000, '江城电气', 'pwm'), led(75, 2700, '晨辉光电', 'analog')],
  park: [led(30, 2700), led(40, 2700, '晨辉光电', 'pwm')],
};

function arrangementOf(random: Random, street: Street): Arrangement {
  const plain = { smart: false, sodium: false };
  switch (street.roadClass) {
    case 'arterial': {
      const kind = /滨江|江南/.test(street.name) || random.chance(0.65) ? 'both' : 'median';
      return {
        kind,
        spacing: random.between(33, 38),
        model: random.pick(models.arterial),
        smart: random.chance(0.5),
        sodium: false,
      };
    }
    case 'secondary': {
      const sodium = random.chance(0.16);
      return {
        ...plain,
        kind: random.chance(0.6) ? 'staggered' : 'both',
        spacing: random.between(32, 37),
        model: random.pick(sodium ? models.sodium : models.secondary),
        sodium,
      };
    }
    case 'branch':
      return { ...plain, kind: 'one', spacing: random.between(26, 31), model: random.pick(models.branch) };
    case 'park':
      return { ...plain, kind: 'one', spacing: random.between(25.5, 29), model: random.pick(models.park) };
  }
}

/** Poles along every street, in order; none on a carriageway that crosses. */
export function plantPoles(seed: number, streets: readonly Street[]): PoleDraft[] {
  const crossing = crossingIndex(streets);
  const crowded = crowdIndex();
  return streets.flatMap((street, index) => {
    if (!street.lit) return [];
    const random = createRandom(seedOf(seed, `poles ${street.name} ${index}`));
    const way = arrangementOf(random, street);
    return rows(way, street, random).flatMap(({ side, spots }) =>
      spots.flatMap((spot): PoleDraft[] => {
        const at = placed(spot, street, side);
        const nearest = crossing(at, index);
        if (nearest < 1.5 || crowded(at)) return [];
        const bridge = street.bridges.some(([from, to]) => spot.along >= from && spot.along <= to);
        return [
          {
            street: index,
            side,
            at,
            left: spot.left,
            along: spot.along,
            model: way.model,
            intersection: nearest < 14,
            kind: way.sodium
              ? 'equipment_type_28'
              : way.smart && random.chance(0.4)
                ? 'equipment_type_24'
                : 'equipment_type_13',
            shape: street.roadClass === 'park' ? 'post_top' : side === 'median' ? 'double_arm' : 'single_arm',
            location: bridge
              ? 'bridge'
              : side === 'median'
                ? 'median'
                : street.roadClass === 'park'
                  ? 'footway'
                  : 'roadside',
            heads: side === 'median' ? 2 : 1,
          },
        ];
      }),
    );
  });
}

function rows(way: Arrangement, street: Street, random: Random): { side: Side; spots: Station[] }[] {
  const start = way.spacing * random.between(0.3, 0.7);
  const spots = stations(street.line, start, way.spacing);
  switch (way.kind) {
    case 'both':
      return [
        { side: 'left', spots },
        { side: 'right', spots },
      ];
    case 'median':
      return [{ side: 'median', spots }];
    case 'staggered':
      return [
        { side: 'left', spots },
        { side: 'right', spots: stations(street.line, start + way.spacing / 2, way.spacing) },
      ];
    case 'one':
      return [{ side: random.chance(0.5) ? 'left' : 'right', spots }];
  }
}

function placed(spot: Station, street: Street, side: Side): Point {
  const off =
    side === 'median' ? 0 : (street.width / 2 - (street.roadClass === 'park' ? 0 : 2)) * (side === 'left' ? 1 : -1);
  return [spot.at[0] + spot.left[0] * off, spot.at[1] + spot.left[1] * off];
}

/**
 * Whether a pole stands within about 10 m already: corners that two streets would light twice. Notes the place if not.
 */
function crowdIndex(): (at: Point) => boolean {
  const cell = 12;
  const taken = new Map<string, Point>();
  return ([x, y]) => {
    const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)];
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) {
        const other = taken.get(`${i},${j}`);
        if (other && Math.hypot(other[0] - x, other[1] - y) < 10) return true;
      }
    }
    taken.set(`${column},${row}`, [x, y]);
    return false;
  };
}

/**
 * Metres from a point to the edge of the nearest carriageway of another street (negative: on it); Infinity when none is
 * near.
 */
function crossingIndex(streets: readonly Street[]): (at: Point, own: number) => number {
  const cell = 60;
  const cells = new Map<string, [street: number, segment: number][]>();
  streets.forEach(({ line }, street) => {
    for (let i = 1; i < line.length; i++) {
      const [x, y] = line[i] as Point;
      const key = `${Math.floor(x / cell)},${Math.floor(y / cell)}`;
      const list = cells.get(key);
      if (list) list.push([street, i]);
      else cells.set(key, [[street, i]]);
    }
  });
  return (at, own) => {
    let least = Infinity;
    const column = Math.floor(at[0] / cell);
    const row = Math.floor(at[1] / cell);
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) {
        for (const [street, segment] of cells.get(`${i},${j}`) ?? []) {
          const other = streets[street];
          if (street === own || !other) continue;
          least = Math.min(
            least,
            distanceToSegment(at, other.line[segment - 1] as Point, other.line[segment] as Point) - other.width / 2,
          );
        }
      }
    }
    return least;
  };
}
