/** What is believed of a speaker's clock. Offsets are server minus device, milliseconds. */
export interface ClockBelief {
  readonly offsetMs: number;
  /** A larger offset seen once, and when: believed when a later message agrees. */
  readonly candidateMs: number | null;
  readonly candidateAt: number;
  /** Whether it was ever heard. */
  readonly known: boolean;
}

/** Messages that agree on a larger offset must have come so far apart: what a queue lets go comes at once, and looks like a clock that is late. */
const apartMs = 30_000;
/** Up to here a difference is the network's, not the clock's. */
export const toleranceMs = 2000;
/** A clock further off is no clock (a device without one says 1970): its message is refused. Three weeks. */
export const largestOffsetMs = 21 * 86_400_000;

/**
 * Learns from one message. The difference between receiving and sending is the clock's error plus the way, and the way is never
 * negative: a smaller difference is believed at once, a larger one (a message that waited in a queue looks the same) only when a message
 * half a minute later agrees. What differs by no more than the way changes nothing: a reading that is sent again keeps its time, and
 * with it its place in the history. Null: the clock cannot be believed at all.
 */
export function learn(belief: ClockBelief, receivedAt: number, sentAt: number): ClockBelief | null {
  const seen = receivedAt - sentAt;
  if (Math.abs(seen) > largestOffsetMs) return null;
  const offset = Math.abs(seen) <= toleranceMs ? 0 : seen;
  const settled = (offsetMs: number): ClockBelief => ({ offsetMs, candidateMs: null, candidateAt: 0, known: true });
  if (!belief.known || offset < belief.offsetMs - toleranceMs) return settled(offset);
  if (offset <= belief.offsetMs + toleranceMs) return settled(belief.offsetMs);
  const agrees = belief.candidateMs !== null && Math.abs(belief.candidateMs - offset) <= toleranceMs;
  if (!agrees) return { ...belief, candidateMs: offset, candidateAt: receivedAt };
  return receivedAt - belief.candidateAt < apartMs ? belief : settled(Math.min(belief.candidateMs ?? offset, offset));
}

/**
 * A part of a millisecond that goes with a correction, in milliseconds. A reading that was shifted never falls on the instant of another one of
 * its device that was not, or was by something else: in the history it would pass for a repeat, and be lost.
 */
export const markOf = (offsetMs: number): number => (offsetMs === 0 ? 0 : (1 + (((Math.round(offsetMs) % 997) + 997) % 997)) / 1000);
