/** What is believed of a speaker's clock. Offsets are server minus device, milliseconds. */
export interface ClockBelief {
  readonly offsetMs: number;
  /** A larger offset seen once, and when: believed when a later message agrees. */
  readonly candidateMs: number | null;
  readonly candidateAt: number;
  /** What was believed before a larger offset was, and until when that may have been a mistake; null: it cannot. */
  readonly before: { readonly offsetMs: number; readonly until: number } | null;
  /** Whether it was ever heard. */
  readonly known: boolean;
}

/**
 * Messages that agree on a larger offset must have come so far apart: what a queue lets go comes at once, and looks
 * like a clock that is late.
 */
const apartMs = 30_000;
/** So long after a larger offset was believed a queue may have been the reason. */
const doubtMs = 600_000;
/** Two messages do not wait equally long in a queue for more than this. */
const standingMs = 3_600_000;
/** A clock that was wrong by more than this and now shows the right time was set. */
const setRightMs = 10_000;
/** A message that is late by more than this puts an offset in doubt; one that is less late was slow on its way. */
const farMs = 60_000;
/** Up to here a difference is the network's, not the clock's. */
export const toleranceMs = 2000;
/** A clock further off is no clock (a device without one says 1970): its message is refused. Three weeks. */
export const largestOffsetMs = 21 * 86_400_000;

/**
 * Learns from one message. The difference between receiving and sending is the clock's error plus the way, and the way
 * is never negative: a smaller difference is believed at once, a larger one (a message that waited in a queue looks the
 * same) only when a message half a minute later agrees. No difference at all is believed at once, whatever was
 * believed: a message does not wait exactly as long as its clock is wrong. What differs by no more than the way changes
 * nothing: a reading that is sent again keeps its time, and with it its place in the history. A larger one that turns
 * out to be too large was a queue's: then what was believed before holds again, if it can. Null: the clock cannot be
 * believed at all.
 */
export function learn(belief: ClockBelief, receivedAt: number, sentAt: number): ClockBelief | null {
  const seen = receivedAt - sentAt;
  if (Math.abs(seen) > largestOffsetMs) return null;
  const offset = Math.abs(seen) <= toleranceMs ? 0 : seen;
  const settled = (offsetMs: number, before: ClockBelief['before']): ClockBelief => ({
    offsetMs,
    candidateMs: null,
    candidateAt: 0,
    before,
    known: true,
  });
  if (!belief.known) return settled(offset, null);
  const { offsetMs, candidateMs } = belief;
  if (offset === 0 && Math.abs(offsetMs) > setRightMs) return settled(0, null);
  const before = belief.before && receivedAt < belief.before.until ? belief.before : null;
  if (offset < offsetMs - toleranceMs)
    return settled(before && before.offsetMs <= offset + toleranceMs ? before.offsetMs : offset, null);
  // Nearly always: nothing new.
  if (offset <= offsetMs + toleranceMs)
    return candidateMs === null && before === belief.before ? belief : settled(offsetMs, before);
  const agrees = candidateMs !== null && Math.abs(candidateMs - offset) <= toleranceMs;
  if (!agrees) return { ...belief, candidateMs: offset, candidateAt: receivedAt };
  if (receivedAt - belief.candidateAt < apartMs) return belief;
  const agreed = Math.min(candidateMs, offset);
  const former = before?.offsetMs ?? offsetMs;
  return settled(agreed, agreed - former > standingMs ? null : { offsetMs: former, until: receivedAt + doubtMs });
}

/**
 * The offset that may be in force instead of the one that is believed, milliseconds; null: there is no doubt. What came
 * with it is either late by as much or of a clock that was set. A clock that was right, or wrong by less than what
 * counts as late, is not doubted: what is late from it is filed under its offset, which errs by no more than a minute;
 * a backlog of days is never kept back for the seconds of a clock without a time server.
 */
export const doubtOf = ({ offsetMs, candidateMs }: ClockBelief): number | null =>
  Math.abs(offsetMs) > farMs && candidateMs !== null && candidateMs - offsetMs > farMs ? candidateMs : null;

/**
 * A part of a millisecond that goes with a correction, in milliseconds. A reading that was shifted never falls on the
 * instant of another one of its device that was not, or was by something else: in the history it would pass for a
 * repeat, and be lost.
 */
export const markOf = (offsetMs: number): number =>
  offsetMs === 0 ? 0 : (1 + (((Math.round(offsetMs) % 997) + 997) % 997)) / 1000;
