import type { RoadClass } from '../../../../catalogue/lighting/floors.ts';
import type { CalendarFinding } from '../../../../catalogue/lighting/plan/calendar-findings.ts';
import type { YearInput } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { Inability } from './abilities.ts';

/** What is computed: the lists of a city, and its lamps as numbers. */

type OrderInput = Omit<YearInput, 'rows' | 'windows'>;

/** The lamps, ascending. */
export interface Lamps {
  readonly ids: Float64Array<ArrayBuffer>;
  readonly classOf: Uint32Array<ArrayBuffer>;
  /** The row of each from 1, and its place there; 0: it stands in none. */
  readonly rowOf: Uint32Array<ArrayBuffer>;
  readonly positionOf: Uint32Array<ArrayBuffer>;
}

/** What is found of a plan beside its nights. */
export interface TrackNote {
  readonly track: number;
  readonly calendar: readonly CalendarFinding[];
  readonly tooLarge: boolean;
  /** Road classes that it is excepted from and could be below the floor of, in whatever row. */
  readonly excepted: readonly RoadClass[];
}

export interface Order {
  readonly input: OrderInput;
  readonly lamps: Lamps;
  /** Others that stand in rows with them: floors are judged with what they do. */
  readonly neighbours: Lamps;
  /** The class of the road of each row, by its place in `roadClasses` from 1; 0: it has none. */
  readonly roadOf: Uint8Array<ArrayBuffer>;
  readonly notes: readonly TrackNote[];
  /** Lamps that do not run the plan on side b by themselves. */
  readonly cannot: readonly Inability[];
}

/** Everything of an order that is numbers alone. */
export const numbersOf = ({ lamps, neighbours, roadOf, cannot }: Omit<Order, 'input'>) => [
  ...[lamps, neighbours].flatMap(({ ids, classOf, rowOf, positionOf }) => [ids, classOf, rowOf, positionOf]),
  roadOf,
  ...cannot.map((one) => one.lamps),
];
