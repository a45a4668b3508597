/** What is believed of a speaker's clock. Offsets are server minus device, milliseconds. */
export interface ClockBelief {
  readonly offsetMs: number;
  /** A larger offset seen once: believed when the next message agrees. */
  readonly candidateMs: number | null;
  /** Whether it was ever heard. */
  readonly known: boolean;
}

/** Up to here a difference is the network's, not the clock's. */
export const toleranceMs = 2000;
/** A clock further off is no clock (a device without one says 1970): its message is refused. Three weeks. */
export const largestOffsetMs = 21 * 86_400_000;

/**
 * Learns from one message. The difference between receiving and sending is the clock's error plus the way, and the way is never
 * negative: a smaller difference is believed at once, a larger one (a message that waited in a queue looks the same) only when two
 * messages in a row agree. Null: the clock cannot be believed at all.
 */
export function learn(belief: ClockBelief, receivedAt: number, sentAt: number): ClockBelief | null {
  const seen = receivedAt - sentAt;
  if (Math.abs(seen) > largestOffsetMs) return null;
  const offset = Math.abs(seen) <= toleranceMs ? 0 : seen;
  const settled = (offsetMs: number): ClockBelief => ({ offsetMs, candidateMs: null, known: true });
  if (!belief.known || offset < belief.offsetMs) return settled(offset);
  if (offset <= belief.offsetMs + toleranceMs) return settled(belief.offsetMs);
  if (belief.candidateMs !== null && Math.abs(belief.candidateMs - offset) <= toleranceMs) return settled(Math.min(belief.candidateMs, offset));
  return { ...belief, candidateMs: offset };
}
