import { clockAt, sunDay, type SunDay, type SunPlace } from '../sun.ts';
import { addDays, clockChange, dayNumber, zoneOffset, type Day } from '../zone.ts';

/** What every programme of a night at one place shares: the sun of its evening and morning, and its wall clock. */
export interface NightFrame {
  readonly day: Day;
  readonly nextDay: Day;
  readonly evening: SunDay;
  readonly morning: SunDay;
  /** Midnight before the evening, if the zone keeps its offset for days around it; null: daylight saving changes. */
  readonly midnight: number | null;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const noon = 12 * 60;
/** Frames of one place that are kept: a year. */
const mostFrames = 400;

const frames = new WeakMap<SunPlace, Map<Day, NightFrame>>();

export function frameOf(place: SunPlace, day: Day): NightFrame {
  let known = frames.get(place);
  if (!known) frames.set(place, (known = new Map()));
  let frame = known.get(day);
  if (!frame) {
    frame = newFrame(place, day);
    if (known.size >= mostFrames) known.clear();
    known.set(day, frame);
  }
  return frame;
}

function newFrame(place: SunPlace, day: Day): NightFrame {
  const nextDay = addDays(day, 1);
  const start = dayNumber(day) * dayMs;
  const offset = zoneOffset(start - 2 * dayMs, place.timeZone);
  const isSteady = [-1, 0, 1, 2, 3, 4].every((days) => zoneOffset(start + days * dayMs, place.timeZone) === offset);
  return {
    day,
    nextDay,
    evening: sunDay(place, day),
    morning: sunDay(place, nextDay),
    midnight: isSteady ? start - offset + place.sunOffsetMinutes * minuteMs : null,
  };
}

/** The instant of a minute of the day: from noon on of the evening's date, before it of the next. */
export function clockOfNight(place: SunPlace, { day, nextDay, midnight }: NightFrame, minute: number): number {
  if (midnight !== null) return midnight + (minute >= noon ? minute : minute + 1440) * minuteMs;
  return clockAt(place, minute >= noon ? day : nextDay, minute);
}

/** What daylight saving does to that minute. */
export function changeOfNight(
  place: SunPlace,
  { day, nextDay, midnight }: NightFrame,
  minute: number,
): 'skipped' | 'repeated' | null {
  return midnight === null ? clockChange(minute >= noon ? day : nextDay, minute, place.timeZone) : null;
}
