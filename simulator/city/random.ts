/** A small seeded generator (mulberry32): the same seed gives the same city and the same noise everywhere. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Roughly normal, mean 0, deviation 1. */
  normal(): number;
  shuffled<T>(list: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(next() * list.length)];
    if (found === undefined) throw new Error('picked from an empty list');
    return found;
  };
  return {
    next,
    whole,
    pick,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    normal: () => (next() + next() + next() + next() - 2) * 1.732,
    shuffled: (list) => {
      const copy = [...list];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = whole(0, i);
        [copy[i], copy[j]] = [copy[j] as never, copy[i] as never];
      }
      return copy;
    },
  };
}

/** A seed of its own for each named thing, so that one more of one thing does not move the others. */
export function seedOf(seed: number, name: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
