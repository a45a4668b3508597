import { roadClasses } from '../records/road.ts';
import type { Pattern } from './plan/programme.ts';
import type { SchemeContent } from './plan/scheme.ts';

export type RoadClass = (typeof roadClasses)[number];

/** The lowest mean level of a road class between on and off, percent of the rated light. */
export const classFloors: Readonly<Record<RoadClass, number>> = {
  expressway: 50,
  arterial: 50,
  secondary: 40,
  branch: 30,
  lane: 0,
  park: 0,
};

/** The share of lamps that a pattern lights among the darkest three neighbours of a row. */
const litShare: Readonly<Record<Pattern, number>> = { all: 1, alternateOne: 1 / 3, alternateTwo: 1 / 3 };

/** Mean level of the darkest three neighbours of a row, percent, one decimal. */
export const darkestMean = (level: number, pattern: Pattern): number => Math.round(level * litShare[pattern] * 10) / 10;

/** A period of a programme below the floor of a road class that no exception names. */
export interface FloorFinding {
  readonly code: 'belowFloor';
  readonly roadClass: RoadClass;
  /** Key of the programme. */
  readonly programme: number;
  readonly period: number;
  /** Mean level of three neighbours. */
  readonly level: number;
  readonly floor: number;
}

/** What of a scheme is too dark for which road class. A publication refuses it for roads of that class. */
export function floorFindings({
  programmes,
  floorExceptions,
}: {
  readonly programmes: readonly Pick<SchemeContent['programmes'][number], 'key' | 'programme'>[];
  readonly floorExceptions: SchemeContent['floorExceptions'];
}): FloorFinding[] {
  const excepted = new Set(floorExceptions.map(({ roadClass }) => roadClass));
  const judged = roadClasses.filter((roadClass) => !excepted.has(roadClass));
  return programmes.flatMap(({ key, programme }) =>
    programme.periods.flatMap((one, period) => {
      const level = darkestMean(one.level, one.pattern);
      return judged.flatMap((roadClass): FloorFinding[] => {
        const floor = classFloors[roadClass];
        return level < floor ? [{ code: 'belowFloor', roadClass, programme: key, period, level, floor }] : [];
      });
    }),
  );
}
