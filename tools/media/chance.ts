/** A small repeatable random source (mulberry32): the same seed draws the same city on every machine. */
export interface Chance {
  /** Evenly from `low` (included) to `high`. */
  between(low: number, high: number): number;
  /** True in `share` of the cases. */
  happens(share: number): boolean;
  /** Near 0, rarely beyond ±1: the mean of three draws. */
  around(): number;
}

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    happens: (share) => next() < share,
    around: () => (next() + next() + next()) * (2 / 3) - 1,
  };
}
