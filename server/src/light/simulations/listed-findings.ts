import type { RoadClass } from '../../../../catalogue/lighting/floors.ts';
import type { YearDifference } from '../../../../catalogue/lighting/plan/difference.ts';
import { findingSeverities, type FindingCode } from '../../../../catalogue/lighting/plan/findings.ts';
import { yearSides, type YearRow, type YearSide } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { Lamps, Order } from './order.ts';
import type { RowWindows } from './row-windows.ts';
import type { KeptFinding } from './simulations.types.ts';

/** What is found in nights, calendars and devices as one list, with what leads from a finding to its lamps. */

export interface ListedFinding {
  readonly finding: KeptFinding;
  readonly classes: readonly number[];
  /** Lamps that are no whole class; then `classes` is empty. */
  readonly named: ArrayLike<number>;
}

/** More findings than anybody reads are left out, the slightest first. */
const mostFindings = 500;
const severities = ['error', 'warning', 'note'] as const;

export function listFindings(difference: YearDifference, order: Order, { lampsOf }: RowWindows): ListedFinding[] {
  const ofNights = difference.findings.map(({ classes, named, ...finding }) => ({ finding, classes, named }));
  const ofRows = difference.floors.map((floor): ListedFinding => {
    const { windows: _, ...rest } = floor;
    const named = lampsOf(floor);
    return { finding: { ...rest, lamps: named.length }, classes: [], named };
  });
  const isSaid = (side: YearSide, road: RoadClass) =>
    difference.floors.some((one) => one.side === side && one.code === 'floorException' && one.road === road);
  return [...ofNights, ...ofRows, ...ofTracks(order, isSaid), ...ofDevices(order)]
    .toSorted(
      (a, b) =>
        severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity) ||
        b.finding.lamps - a.finding.lamps,
    )
    .slice(0, mostFindings);
}

const finding = (code: FindingCode, more: Pick<KeptFinding, 'side' | 'first' | 'lamps'> & Partial<KeptFinding>) => ({
  code,
  severity: findingSeverities[code],
  label: null,
  programme: null,
  period: null,
  road: null,
  nights: 0,
  of: null,
  hours: null,
  ...more,
});

/**
 * What calendars leave open, and plans that are too large for a message: of all lamps of the track. What it is excepted
 * from is agreed to although no row needs it as it is ordered now: on side b, which is to be published.
 */
function ofTracks({ input, notes }: Order, isSaid: (side: YearSide, road: RoadClass) => boolean): ListedFinding[] {
  const lampsIn = (classes: readonly number[]) =>
    classes.reduce((sum, one) => sum + (input.classes[one]?.lamps ?? 0), 0);
  return yearSides.flatMap((side) =>
    notes.flatMap(({ track, calendar, tooLarge, excepted }): ListedFinding[] => {
      const classes = [...input.classes.keys()].filter(
        (one) => input.plans[input.classes[one]?.[side] ?? -1]?.track === track,
      );
      const lamps = lampsIn(classes);
      if (lamps === 0) return [];
      const about = { side, label: input.tracks[track]?.label ?? null, lamps } as const;
      const said = [
        ...calendar.map(({ code, rule, first, nights }) =>
          finding(code, { ...about, programme: rule, first, nights, of: input.days }),
        ),
        ...(tooLarge ? [finding('messageTooLarge', { ...about, first: input.from })] : []),
      ];
      const agreed = (side === 'a' ? [] : excepted).flatMap((road): ListedFinding[] => {
        const some = classes.filter((one) => input.classes[one]?.road === road);
        if (isSaid(side, road) || lampsIn(some) === 0) return [];
        const one = finding('floorException', { ...about, road, first: input.from, lamps: lampsIn(some) });
        return [{ finding: one, classes: some, named: [] }];
      });
      return [...said.map((one) => ({ finding: one, classes, named: [] })), ...agreed];
    }),
  );
}

const ofDevices = ({ cannot, input }: Order): ListedFinding[] =>
  cannot.map(({ code, track, lamps }) => ({
    finding: finding(code, {
      side: 'b',
      label: input.tracks[track]?.label ?? null,
      first: input.from,
      lamps: lamps.length,
    }),
    classes: [],
    named: lamps,
  }));

/** The lamps of a finding, ascending. */
export function lampsOfFinding({ classes, named }: ListedFinding, { ids, classOf }: Lamps): Float64Array<ArrayBuffer> {
  if (named.length > 0) return new Float64Array(named).sort();
  const wanted = new Set(classes);
  return ids.filter((_, lamp) => wanted.has(classOf[lamp] ?? 0));
}

/** Rows whose lamps follow different plans on a side; in others at most two neighbours are dark. */
export function mixedRows({ input: { plans, classes }, lamps }: Order): YearRow[] {
  const { ids, classOf, rowOf, positionOf } = lamps;
  const members = new Map<number, number[]>();
  for (const [lamp, row] of rowOf.entries()) {
    if (row === 0) continue;
    const known = members.get(row);
    if (known) known.push(lamp);
    else members.set(row, [lamp]);
  }
  const trackOf = (side: 'a' | 'b', lamp: number) => plans[classes[classOf[lamp] ?? 0]?.[side] ?? 0]?.track;
  return [...members.values()].flatMap((row): YearRow[] => {
    const [first = 0] = row;
    const isMixed = (['a', 'b'] as const).some((side) =>
      row.some((one) => trackOf(side, one) !== trackOf(side, first)),
    );
    if (!isMixed) return [];
    const ordered = row.toSorted((a, b) => (positionOf[a] ?? 0) - (positionOf[b] ?? 0));
    return [
      {
        lamps: ordered.map((lamp) => ids[lamp] ?? 0),
        positions: ordered.map((lamp) => positionOf[lamp] ?? 0),
        classes: ordered.map((lamp) => classOf[lamp] ?? 0),
      },
    ];
  });
}
