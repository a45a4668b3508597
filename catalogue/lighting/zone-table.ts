/**
 * Offsets of IANA zones from UTC: one table of transitions a zone and year, read from Intl once. A look-up is
 * arithmetic.
 */

/** Offset from one transition to the next, epoch ms and ms. */
interface Stretch {
  readonly from: number;
  readonly offset: number;
}

interface YearTable {
  readonly from: number;
  readonly to: number;
  /** Ascending; the first begins with the year. */
  readonly stretches: readonly Stretch[];
}

interface ZoneTable {
  readonly years: Map<number, YearTable>;
  /** The table asked last: neighbouring instants share it. */
  last: YearTable | null;
}

/** Two transitions are never closer (ms): the shortest stretch of any zone since 1970 lasts four weeks. */
const probeMs = 7 * 86_400_000;
/** Year tables of all zones that are kept; some 200 bytes each. */
const mostTables = 4000;

const formats = new Map<string, Intl.DateTimeFormat>();
const zones = new Map<string, ZoneTable>();
let kept = 0;

/** How far the zone's wall clock is ahead of UTC at an instant, milliseconds. */
export function offsetAt(at: number, timeZone: string): number {
  let zone = zones.get(timeZone);
  if (!zone) zones.set(timeZone, (zone = { years: new Map(), last: null }));
  let table = zone.last;
  if (!table || at < table.from || at >= table.to) {
    // An instant that is none is refused by Intl.
    if (!Number.isFinite(at)) return offsetByIntl(at, timeZone);
    table = yearTable(zone, new Date(at).getUTCFullYear(), timeZone);
    zone.last = table;
  }
  const { stretches } = table;
  let index = stretches.length - 1;
  while (index > 0 && (stretches[index] as Stretch).from > at) index--;
  return (stretches[index] as Stretch).offset;
}

function yearTable(zone: ZoneTable, year: number, timeZone: string): YearTable {
  const known = zone.years.get(year);
  if (known) return known;
  const [from, to] = [startOf(year), startOf(year + 1)];
  const stretches: Stretch[] = [{ from, offset: offsetByIntl(from, timeZone) }];
  let before = from;
  while (before < to) {
    const after = Math.min(before + probeMs, to);
    const offset = offsetByIntl(after, timeZone);
    if (offset !== stretches.at(-1)?.offset) {
      const at = transitionBetween(before, after, timeZone);
      if (at < to) stretches.push({ from: at, offset: offsetByIntl(at, timeZone) });
    }
    before = after;
  }
  const table = { from, to, stretches };
  if (kept >= mostTables) {
    for (const one of zones.values()) one.years.clear();
    kept = 0;
  }
  zone.years.set(year, table);
  kept++;
  return table;
}

/** The first whole second after `early` with the offset of `late`. */
function transitionBetween(early: number, late: number, timeZone: string): number {
  const offset = offsetByIntl(late, timeZone);
  let [low, high] = [Math.floor(early / 1000), Math.ceil(late / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetByIntl(middle * 1000, timeZone) === offset) high = middle;
    else low = middle;
  }
  return high * 1000;
}

/** `Date.UTC` takes the years 0 to 99 for those of the twentieth century. */
const startOf = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

function offsetByIntl(at: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const part of formatOf(timeZone).formatToParts(at))
    if (part.type !== 'literal') parts[part.type] = Number(part.value);
  const wall = Date.UTC(
    parts['year'] ?? 0,
    (parts['month'] ?? 1) - 1,
    parts['day'] ?? 1,
    parts['hour'] ?? 0,
    parts['minute'] ?? 0,
    parts['second'] ?? 0,
  );
  return wall - Math.floor(at / 1000) * 1000;
}
