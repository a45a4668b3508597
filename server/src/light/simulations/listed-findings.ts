import type { YearDifference } from '../../../../catalogue/lighting/plan/difference.ts';
import { findingSeverities, type FindingCode } from '../../../../catalogue/lighting/plan/findings.ts';
import type { YearRow } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { Lamps, Order } from './order.ts';
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

export function listFindings(difference: YearDifference, order: Order): ListedFinding[] {
  const ofNights = difference.findings.map(({ classes, named, ...finding }) => ({ finding, classes, named }));
  return [...ofNights, ...ofTracks(order), ...ofDevices(order)]
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

/** What calendars leave open, and plans that are too large for a message: of all lamps of the track. */
function ofTracks({ input, notes }: Order): ListedFinding[] {
  return (['a', 'b'] as const).flatMap((side) =>
    notes.flatMap(({ track, calendar, tooLarge }): ListedFinding[] => {
      const classes = [...input.classes.keys()].filter(
        (one) => input.plans[input.classes[one]?.[side] ?? -1]?.track === track,
      );
      const lamps = classes.reduce((sum, one) => sum + (input.classes[one]?.lamps ?? 0), 0);
      if (lamps === 0) return [];
      const about = { side, label: input.tracks[track]?.label ?? null, lamps } as const;
      const said = [
        ...calendar.map(({ code, rule, first, nights }) =>
          finding(code, { ...about, programme: rule, first, nights, of: input.days }),
        ),
        ...(tooLarge ? [finding('messageTooLarge', { ...about, first: input.from })] : []),
      ];
      return said.map((one) => ({ finding: one, classes, named: [] }));
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
