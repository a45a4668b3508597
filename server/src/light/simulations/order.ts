import { setImmediate as breathe } from 'node:timers/promises';
import type { CalendarFinding } from '../../../../catalogue/lighting/plan/calendar-findings.ts';
import type { Load, Track, YearClass, YearInput, YearPlan } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { Inability } from './abilities.ts';

/**
 * What a thread is asked: a city's lists in parts, since whatever is handed over is copied while nobody else is served;
 * numbers of lamps as they are, since they change hands without a copy.
 */

type OrderInput = Omit<YearInput, 'rows'>;
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
interface TrackNote {
  readonly track: number;
  readonly calendar: readonly CalendarFinding[];
  readonly tooLarge: boolean;
}

export interface Order {
  readonly input: OrderInput;
  readonly lamps: Lamps;
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

/** Hands an order to a thread; other work is done between its parts. The numbers of lamps are the thread's then. */
export async function handOver(
  to: { postMessage(question: Question, transfer: readonly ArrayBuffer[]): void },
  { input, lamps, notes, cannot }: Order,
): Promise<void> {
  for (const part of partsOf(input)) {
    to.postMessage({ part }, []);
    await breathe();
  }
  const { from, days } = input;
  const { ids, classOf, rowOf, positionOf } = lamps;
  const numbers = [ids, classOf, rowOf, positionOf, ...cannot.map((one) => one.lamps)];
  to.postMessage(
    { begin: { input: { from, days }, lamps, notes, cannot } },
    numbers.map(({ buffer }) => buffer),
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
