import { addDays, type Day } from '../zone.ts';
import { canonicalJson } from './canonical.ts';
import type { levelsBetween } from './lamp-plan.ts';
import { resolveNight } from './night.ts';
import { litByPattern } from './pattern.ts';
import type { LampRole, Night, Pattern, Programme } from './programme.ts';
import type { SunPlace } from '../sun.ts';
import type { Track } from './year-input.ts';
import type { DayClock } from './year-heat.ts';

/** What a track of which no programme of a day is known is taken as: it has none, so it is dark. */
const dark: Programme = {
  on: { at: '12:00', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
  off: { at: '11:59', offsetMinutes: 1, notBefore: null, notAfter: null, light: null },
  periods: [{ start: 'on', level: 0, pattern: 'all', rampSeconds: 0 }],
  minimumMinutes: 0,
};

export const programmeOfDay = ({ programmes, byDay }: Track, day: number): Programme =>
  programmes[byDay[day + 1] ?? 0]?.programme ?? dark;

/** What of a programme's night differs between lamps of one place and driver: whether each pattern lights them. */
interface Variants {
  readonly programme: Programme;
  readonly usesOne: boolean;
  readonly usesTwo: boolean;
  day: number;
  readonly nights: (Night | undefined)[];
}

/** `day`: -1 is the day before the first. */
export type NightOf = (programme: Programme, role: LampRole, day: number) => Night;

/**
 * The nights of one place: of a programme and a day one for each thing that its patterns make of a lamp, however many
 * tracks and places of a row share it. Days are asked for in order; only the last one is kept.
 */
export function createYearNights(place: SunPlace, days: readonly Day[]): NightOf {
  const known = new Map<Programme, Variants>();
  const usesPattern = (programme: Programme, asked: Pattern) =>
    programme.periods.some(({ pattern }) => pattern === asked);

  function variantsOf(programme: Programme): Variants {
    let variants = known.get(programme);
    if (!variants) {
      const uses = { usesOne: usesPattern(programme, 'alternateOne'), usesTwo: usesPattern(programme, 'alternateTwo') };
      known.set(programme, (variants = { programme, ...uses, day: -2, nights: [] }));
    }
    return variants;
  }

  return (programme, role, day) => {
    const variants = variantsOf(programme);
    if (variants.day !== day) {
      variants.day = day;
      variants.nights.length = 0;
    }
    const name = days[day + 1] ?? '';
    const one = variants.usesOne && litByPattern('alternateOne', role, name) ? 1 : 0;
    const two = variants.usesTwo && litByPattern('alternateTwo', role, name) ? 2 : 0;
    return (variants.nights[one + two] ??= resolveNight(programme, place, name, role));
  };
}

/** The same programmes as one object each, wherever they stand: their nights are shared. */
export function sharedProgrammes(tracks: readonly Track[]): Track[] {
  const known = new Map<string, Programme>();
  return tracks.map((track) => ({
    ...track,
    programmes: track.programmes.map((named) => {
      const text = canonicalJson(named.programme);
      const programme = known.get(text) ?? named.programme;
      known.set(text, programme);
      return { ...named, programme };
    }),
  }));
}

/** The lighting days of a span with the one before and the one after. */
export const daysAround = (from: Day, days: number): Day[] =>
  Array.from({ length: days + 2 }, (_, index) => addDays(from, index - 1));

/**
 * The stretches with a level above 0 in the window of a day, ascending. Where nights reach into each other's windows
 * they are cut as lamps cut them.
 */
export function eachLit(
  { before, night, after }: { readonly before: Night; readonly night: Night; readonly after: Night },
  { from, to }: DayClock,
  slow: () => ReturnType<typeof levelsBetween>,
  take: (from: number, to: number, level: number) => void,
): void {
  const isOwn =
    (before.off === null || before.off <= from) &&
    (after.on === null || after.on >= to) &&
    (night.on === null || night.off === null || (night.on >= from && night.off <= to));
  if (!isOwn) {
    for (const stretch of slow()) if (stretch.level > 0) take(stretch.from, stretch.to, stretch.level);
    return;
  }
  const { steps } = night;
  for (let index = 0; index + 1 < steps.length; index += 1) {
    const step = steps[index];
    const next = steps[index + 1];
    if (step && next && step.level > 0) take(step.at, next.at, step.level);
  }
}
