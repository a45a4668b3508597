import type { Clock } from '../../platform/clock.ts';

/**
 * Keeps the answer of an expensive question for `milliseconds`, by key; callers who ask meanwhile share one. The answer says
 * itself from when it is (`at`), so nobody is deceived. A failure is not kept.
 */
export function remember<T>(clock: Clock, milliseconds: number, most = 200) {
  const kept = new Map<string, { until: number; answer: Promise<T> }>();
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const now = clock.now().getTime();
    const known = kept.get(key);
    if (known && now < known.until) return known.answer;
    if (kept.size >= most) kept.clear();
    const answer = ask();
    kept.set(key, { until: now + milliseconds, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
