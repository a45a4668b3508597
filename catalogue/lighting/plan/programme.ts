import type { Day } from '../zone.ts';
import type { SunPlace } from '../sun.ts';

/** What a lighting office plans: programmes of a night, the calendar that chooses one, and what a lamp follows. */

/** The four modes of an energy-saving scheme: 手动, 节能, 隔一亮一, 隔二亮一. */
export const planModes = ['manual', 'energySaving', 'alternateOne', 'alternateTwo'] as const;
export type PlanMode = (typeof planModes)[number];

/** Which lamps of a row a period lights: all, every second (隔一亮一), every third (隔二亮一). */
export const patterns = ['all', 'alternateOne', 'alternateTwo'] as const;
export type Pattern = (typeof patterns)[number];

/** How the pattern moves along the row: never, by one each night, by one each week. */
export const rotations = ['fixed', 'nightly', 'weekly'] as const;
export type Rotation = (typeof rotations)[number];

export const sunAnchors = ['sunset', 'sunrise', 'dusk', 'dawn'] as const;

/**
 * An instant of a night: an event of the sun, the middle between on and off, or a wall-clock time `HH:MM` (from 12:00
 * on the evening's date, before it on the next), and minutes added to it.
 */
export interface Anchor {
  readonly at: (typeof sunAnchors)[number] | 'middle' | (string & {});
  readonly offsetMinutes: number;
}

/** Light control inside a window around the anchor: switched by the signal of a sensor, at the latest at its end. */
export interface LightWindow {
  readonly lux: number;
  readonly sensitivity: number | null;
  readonly beforeMinutes: number;
  readonly afterMinutes: number;
  readonly delayMinutes: number;
}

/** When the lamps go on, or off. `notBefore` and `notAfter`: wall-clock times that bound what the sun says. */
export interface Switching extends Anchor {
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  readonly light: LightWindow | null;
}

/** From `start` on this level in percent; 0 is a dark stretch. */
export interface Period {
  readonly start: 'on' | Anchor;
  readonly level: number;
  readonly pattern: Pattern;
  /** How long the change to this level takes, seconds. */
  readonly rampSeconds: number;
}

export interface Programme {
  readonly on: Switching;
  readonly off: Switching;
  /** 1 to 6; the first starts `on`. */
  readonly periods: readonly Period[];
  /** A lit stretch at an end of the night that is shorter is not lit. */
  readonly minimumMinutes: number;
}

/** What one lamp is in the plan. The same programme makes another night for another role. */
export interface LampRole {
  /** Its place in the row, from 0; null: it has none, and every pattern lights it. */
  readonly position: number | null;
  /** Lamps of its row. */
  readonly rowLength: number;
  /** On the right side of the road: its pattern is staggered against the left. */
  readonly right: boolean;
  /** Lit in every pattern: a junction, an end of the row, or by hand. */
  readonly keep: boolean;
  /** The lowest level its driver holds, percent; 0 stays 0. */
  readonly minLevel: number;
  readonly rotation: Rotation;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One change of level of a night, epoch ms. `period`: the place of its period in the programme; null: the end. */
export interface NightStep {
  readonly at: number;
  readonly level: number;
  readonly pattern: Pattern;
  readonly period: number | null;
  readonly rampSeconds: number;
}

/** What an editor or a publication says of a night. */
export const nightWarnings = [
  /** On is not before off: no light although there is a night. */
  'neverDark',
  /** Two periods start at one instant: the later in the list holds, or the one by the sun. */
  'sameInstant',
  /** A period that the night does not reach. */
  'periodUnused',
  /** A lit stretch shorter than the minimum was left out. */
  'minimumBurning',
  /** A dark stretch shorter than five minutes was not made. */
  'darkTooShort',
  /** A wall-clock time that daylight saving skips, or repeats. */
  'skippedTime',
  'repeatedTime',
  /** Sun neither rises nor sets: `polarDay` has no night, `polarNight` lasts from noon to noon. */
  'polarDay',
  'polarNight',
] as const;
export interface NightWarning {
  readonly code: (typeof nightWarnings)[number];
  /** The period it is about; null: the night. */
  readonly period: number | null;
}

/** A night of one lamp, epoch ms. Outside `on`–`off` the lamp is off, always. */
export interface Night {
  readonly day: Day;
  readonly on: number | null;
  readonly off: number | null;
  /**
   * What the lamp itself does, ascending: the first at `on`, neighbours differ in level or pattern, and a last one of
   * level 0 at `off`. Empty without a night.
   */
  readonly steps: readonly NightStep[];
  /** The longest stretches with light, ascending: there may be several. Everything that judges goes by them. */
  readonly lit: readonly Span[];
  /** Stretches in which a pattern keeps this lamp dark while others of its row burn. */
  readonly plannedDark: readonly Span[];
  readonly warnings: readonly NightWarning[];
}

/** What a lamp follows: where it stands, what it is in the row, and which programme each lighting day has. */
export interface LampPlan {
  readonly place: SunPlace;
  readonly role: LampRole;
  readonly programmeOn: (day: Day) => Programme;
}

/** A lamp of no row: every pattern lights it. */
export const noRole: LampRole = {
  position: null,
  rowLength: 0,
  right: false,
  keep: false,
  minLevel: 0,
  rotation: 'weekly',
};
