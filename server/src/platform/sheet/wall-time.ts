/** Offsets of callers count from Beijing (specified 10.2), minutes. */
export const beijingMinutes = 480;

/**
 * What a moment reads as on the clock of who is `timezoneOffset` minutes east of UTC+8, as if it were UTC: as a sheet
 * writes times.
 */
export const wallTime = (at: Date | number | string, timezoneOffset: number): Date =>
  new Date(new Date(at).getTime() + (beijingMinutes + timezoneOffset) * 60_000);
