import { setImmediate as breathe } from 'node:timers/promises';
import type { RoadClass } from '../../../../catalogue/lighting/floors.ts';
import type { CalendarFinding } from '../../../../catalogue/lighting/plan/calendar-findings.ts';
import type { Load, Track, YearClass, YearInput, YearPlan } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { Inability } from './abilities.ts';

/**
 * What a thread is asked: a city's lists in parts, since whatever is handed over is copied while nobody else is served;
 * numbers of lamps as they are, since they change hands without a copy.
 */

type OrderInput = Omit<YearInput, 'rows' | 'windows'>;
type Lists = Pick<YearInput, 'tracks' | 'places' | 'loads' | 'plans' | 'classes'>;
type OrderPart = Partial<Lists>;

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
  readonly cannot: readonly (Omit<Inability, 'lamps'> & { readonly lamps: Float64Array<ArrayBuffer> })[];
}

/** An order without its lists. */
type OrderRest = Omit<Order, 'input'> & { readonly input: Omit<OrderInput, keyof Lists> };

export type Question =
  | { readonly part: OrderPart; readonly begin?: never; readonly lampsOf?: never }
  | { readonly begin: OrderRest; readonly part?: never; readonly lampsOf?: never }
  /** The lamps of a finding by its place. */
  | { readonly lampsOf: number; readonly part?: never; readonly begin?: never };

/** So many of a list are handed over at once: a millisecond or two. */
const partSizes: Readonly<Record<keyof Lists, number>> = {
  tracks: 20,
  places: 1000,
  loads: 100,
  plans: 1000,
  classes: 1000,
};

export function* partsOf(input: OrderInput): Generator<OrderPart> {
  for (const key of ['tracks', 'places', 'loads', 'plans', 'classes'] as const)
    for (let at = 0; at < input[key].length; at += partSizes[key])
      yield { [key]: input[key].slice(at, at + partSizes[key]) };
}

/** Everything of an order that is numbers alone. */
export const numbersOf = ({ lamps, neighbours, roadOf, cannot }: Omit<Order, 'input'>) => [
  ...[lamps, neighbours].flatMap(({ ids, classOf, rowOf, positionOf }) => [ids, classOf, rowOf, positionOf]),
  roadOf,
  ...cannot.map((one) => one.lamps),
];

/** Hands an order to a thread; other work is done between its parts. The numbers of lamps are the thread's then. */
export async function handOver(
  to: { postMessage(question: Question, transfer: readonly ArrayBuffer[]): void },
  { input, ...rest }: Order,
): Promise<void> {
  for (const part of partsOf(input)) {
    to.postMessage({ part }, []);
    await breathe();
  }
  const { from, days } = input;
  to.postMessage(
    { begin: { input: { from, days }, ...rest } },
    numbersOf(rest).map(({ buffer }) => buffer),
  );
}

/** Puts an order together from its parts. */
export function createReceiver() {
  const tracks: Track[] = [];
  const places: SunPlace[] = [];
  const loads: Load[] = [];
  const plans: YearPlan[] = [];
  const classes: YearClass[] = [];
  return {
    take(part: OrderPart): void {
      tracks.push(...(part.tracks ?? []));
      places.push(...(part.places ?? []));
      loads.push(...(part.loads ?? []));
      plans.push(...(part.plans ?? []));
      classes.push(...(part.classes ?? []));
    },
    whole: ({ input, ...rest }: OrderRest): Order => ({
      ...rest,
      input: { ...input, tracks, places, loads, plans, classes },
    }),
  };
}
