import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';

/** The zone times are shown in (IANA name); the setting "time zone" changes it. */
export const shownZone = createStore<{ zone: string }>(() => ({
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}));
export const useZone = (): string => useStore(shownZone, (state) => state.zone);

/**
 * How an instant is written: `time` 21:46:31, `minute` 21:46, `date` 2026-11-20, `dateTime` both with seconds,
 * `dayTime` 11-20 21:46, with the year where that is another one.
 */
export type TimeStyle = 'time' | 'minute' | 'date' | 'dateTime' | 'dayTime';

const formats = new Map<string, Intl.DateTimeFormat>();
function partsOf(at: Date, zone: string): Record<string, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  return Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]));
}

type Instant = string | number | Date;

/**
 * Writes an instant in a zone, the same in every language (ISO order); "—" when missing or unreadable. `beside`: what
 * the reader has in mind, mostly now.
 */
export function formatTime(
  at: Instant | null | undefined,
  style: TimeStyle,
  zone: string,
  beside: Instant = Date.now(),
): string {
  if (at === null || at === undefined) return '—';
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '—';
  const { year, month, day, hour, minute, second } = partsOf(date, zone);
  const written: Record<TimeStyle, string> = {
    time: `${hour}:${minute}:${second}`,
    minute: `${hour}:${minute}`,
    date: `${year}-${month}-${day}`,
    dateTime: `${year}-${month}-${day} ${hour}:${minute}:${second}`,
    dayTime: `${style === 'dayTime' && partsOf(new Date(beside), zone)['year'] !== year ? `${year}-` : ''}${month}-${day} ${hour}:${minute}`,
  };
  return written[style];
}

/** Minutes east of UTC of a zone at an instant. */
export function zoneOffset(zone: string, at: Date = new Date()): number {
  const { year, month, day, hour, minute, second } = partsOf(at, zone);
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return Math.round((wall - Math.floor(at.getTime() / 1000) * 1000) / 60_000);
}

/**
 * The instant, ISO 8601 UTC, at which the clocks of a zone show `2026-11-20 18:00:00`; of two such instants the later
 * one, of none the one an hour on.
 */
export function instantOf(wall: string, zone: string): string {
  const shown = Date.parse(`${wall.replace(' ', 'T')}Z`);
  const near = shown - zoneOffset(zone, new Date(shown)) * 60_000;
  // The offset may be another one at that very night.
  return new Date(shown - zoneOffset(zone, new Date(near)) * 60_000).toISOString();
}

/** Formats in the shown zone: `const time = useTime(); time(lamp.at, 'minute')`. */
export function useTime(): (at: Instant | null | undefined, style: TimeStyle, beside?: Instant) => string {
  const zone = useZone();
  return (at, style, beside) => formatTime(at, style, zone, beside);
}
