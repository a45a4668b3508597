/** From here on a clock is called wrong; since when it is, is kept as `device_latest.clock_wrong_since`. */
export const wrongClockMs = 60_000;

/**
 * How much a clock is ahead, seconds, by its offset (server minus device, milliseconds); null: it is right to a minute,
 * or was never heard.
 */
export const clockAheadSeconds = (offsetMs: number | null | undefined): number | null =>
  Math.abs(offsetMs ?? 0) > wrongClockMs ? Math.round(-(offsetMs ?? 0) / 1000) : null;
