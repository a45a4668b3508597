/**
 * Limits of plans: one table for forms, the server, devices and documents. `source`: `specified` (a label of the
 * console names the number), `domain` (4-domain practice), `ours` (where both are silent).
 */
interface Limit {
  readonly min: number;
  readonly max: number;
  /** Values are multiples of it. */
  readonly step: number;
  readonly unit: string;
  readonly source: 'specified' | 'domain' | 'ours';
}

const limit = (min: number, max: number, step: number, unit: string, source: Limit['source']): Limit => ({
  min,
  max,
  step,
  unit,
  source,
});

export const planLimits = {
  /** Time periods of a programme of lamps. */
  periods: limit(1, 6, 1, '', 'specified'),
  /** Time periods of a loop of a central controller, a time controller, a solar controller. */
  loopPeriods: limit(1, 5, 1, '', 'specified'),
  timerPeriods: limit(1, 4, 1, '', 'specified'),
  solarPeriods: limit(1, 3, 1, '', 'specified'),
  /** Sunrise and sunset delay of lamps, and of a time controller. */
  offsetMinutes: limit(-240, 240, 1, 'min', 'domain'),
  timerOffsetMinutes: limit(-120, 120, 10, 'min', 'specified'),
  level: limit(0, 100, 1, 'percent', 'domain'),
  rampSeconds: limit(0, 600, 1, 's', 'ours'),
  minimumMinutes: limit(0, 120, 1, 'min', 'ours'),
  /** Threshold of pure light control ("value ≤ 40"). */
  lux: limit(1, 40, 1, 'lx', 'specified'),
  sensitivity: limit(0, 255, 1, '', 'specified'),
  /** On and off delay of light control. */
  lightDelayMinutes: limit(0, 30, 1, 'min', 'specified'),
  lightWindowMinutes: limit(0, 60, 1, 'min', 'ours'),
  programmes: limit(1, 8, 1, '', 'ours'),
  /** What rules and devices call a programme, and what people call it. */
  programmeKey: limit(1, 255, 1, '', 'ours'),
  programmeName: limit(1, 30, 1, 'characters', 'ours'),
  floorReason: limit(5, 200, 1, 'characters', 'ours'),
  /** Code and name of a scheme or template, and the note of a version. */
  planCode: limit(1, 32, 1, 'characters', 'ours'),
  planName: limit(3, 30, 1, 'characters', 'ours'),
  versionNote: limit(0, 200, 1, 'characters', 'ours'),
  rules: limit(0, 60, 1, '', 'ours'),
  ruleLabel: limit(1, 60, 1, 'characters', 'ours'),
  /** Conditions of a rule that all hold. */
  conditions: limit(1, 2, 1, '', 'ours'),
  /** Conditions by RRULE in a calendar, how long one is, and how far ahead it is followed. */
  recurrences: limit(0, 10, 1, '', 'ours'),
  recurrenceText: limit(1, 200, 1, 'characters', 'ours'),
  recurrenceYears: limit(0, 5, 1, 'years', 'ours'),
  lunarSpan: limit(1, 30, 1, 'days', 'ours'),
  /** Years of which the lunar calendar is known. */
  lunarYears: limit(2020, 2060, 1, '', 'ours'),
  holidayName: limit(1, 60, 1, 'characters', 'ours'),
  /** Lighting days ahead for which a device holds the calendar. */
  deviceDays: limit(1, 400, 1, 'days', 'ours'),
  reportSeconds: limit(60, 86_400, 1, 's', 'ours'),
  /** A keep alive of MQTT has 16 bits. */
  heartbeatSeconds: limit(60, 65_535, 1, 's', 'ours'),
  fallbackMinutes: limit(5, 1440, 1, 'min', 'ours'),
  staggerSeconds: limit(0, 30, 1, 's', 'domain'),
  minLevel: limit(0, 50, 1, 'percent', 'ours'),
  latitude: limit(-90, 90, 0, 'degree', 'specified'),
  longitude: limit(-180, 180, 0, 'degree', 'specified'),
} as const satisfies Record<string, Limit>;
