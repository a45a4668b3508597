import type { TemplateFamily } from '../families.ts';
import type { Day } from '../zone.ts';
import type { PlanMode, Programme, Rotation } from './programme.ts';

/** The content of an energy-saving scheme (节能方案) and of a work parameter template (工作参数模板): what a version holds. */

/**
 * `public`: a day off by law; `makeupWorkday`: a day of a weekend at work (调休); `eve`: the evening before days off;
 * `weekend`: Saturday and Sunday without makeup workdays; `workday`: every other day that is not `public`.
 */
export const holidayClasses = ['public', 'makeupWorkday', 'eve', 'weekend', 'workday'] as const;
export type HolidayClass = (typeof holidayClasses)[number];

/** When a rule of the calendar holds, asked of a lighting day: the date of its evening. Months and days from 1. */
export type Condition =
  | { readonly kind: 'date'; readonly date: Day }
  | { readonly kind: 'range'; readonly from: Day; readonly to: Day }
  /** `MM-DD`; may wrap over the new year. `otherwise`: what 02-29 means in other years. */
  | {
      readonly kind: 'yearly';
      readonly from: string;
      readonly to: string;
      readonly otherwise: 'none' | '02-28' | '03-01';
    }
  /** 1 Monday to 7 Sunday. */
  | { readonly kind: 'weekdays'; readonly days: readonly number[] }
  /** The n-th (1–5, -1 the last) weekday of the months; an empty list means every month. */
  | { readonly kind: 'nthWeekday'; readonly n: number; readonly weekday: number; readonly months: readonly number[] }
  /** `name`: one holiday as its country calls it (春节); null: any of the class. Never holds in a year not known. */
  | { readonly kind: 'holiday'; readonly class: HolidayClass; readonly name: string | null }
  /**
   * `span` days from a day of the lunar calendar on. Day 30 is the last of its month. `leap`: of the leap month, which
   * else never holds.
   */
  | {
      readonly kind: 'lunar';
      readonly month: number;
      readonly day: number;
      readonly span: number;
      readonly leap: boolean;
    }
  /** RFC 5545 RRULE of days from `start` on; at most five years ahead. */
  | { readonly kind: 'rrule'; readonly start: Day; readonly rrule: string };

export interface CalendarRule {
  /** Key of the programme. */
  readonly programme: number;
  readonly label: string;
  readonly enabled: boolean;
  /** All of them hold; one or two. */
  readonly when: readonly Condition[];
}

/** The first rule that holds wins. */
export interface Calendar {
  readonly rules: readonly CalendarRule[];
  /** Key of the programme of all other days. */
  readonly default: number;
}

export interface NamedProgramme {
  /** 1 to 255, unique in the scheme: what rules and devices call it. */
  readonly key: number;
  readonly name: string;
  readonly programme: Programme;
}

/** A level below the floor of a road class, with its reason. */
export interface FloorException {
  readonly roadClass: string;
  readonly reason: string;
}

export interface SchemeContent {
  readonly mode: PlanMode;
  readonly programmes: readonly NamedProgramme[];
  readonly calendar: Calendar;
  readonly rotation: Rotation;
  readonly floorExceptions: readonly FloorException[];
}

/** How a controller works whatever it is planned for: periods of reports, power-up, memory, limits of light. */
export interface TemplateContent {
  /** Whose controllers it sets. Absent: those of lamps, as in versions from before it was said. */
  readonly family?: TemplateFamily;
  readonly reportLitSeconds: number;
  readonly reportUnlitSeconds: number;
  /** A controller with a line of its own is missed when it says nothing for one and a half of it. */
  readonly heartbeatSeconds: number;
  /** Percent after power returns, until the controller knows the time. */
  readonly powerUpLevel: number;
  /** The server is away for so long: the device goes by its memory, and says so. */
  readonly fallbackMinutes: number;
  /** Followed by lamps without a scheme. */
  readonly fallbackProgramme: Programme;
  readonly minimumMinutes: number;
  readonly rampSeconds: number;
  readonly staggerSeconds: number;
  readonly minLevel: number;
  /** How the light sensor is set where a programme says nothing of it; null: as it was mounted. */
  readonly light: { readonly lux: number; readonly sensitivity: number; readonly delayMinutes: number } | null;
  /** Of all lamps with the template; null: each lamp's own place. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Other limits of alarms by code (`lampLimits`); empty: those of the catalogue. */
  readonly thresholds: Readonly<Record<string, number>>;
}
