import type { Clock } from '../../platform/clock.ts';

interface Kept<T> {
  readonly askedAt: number;
  readonly answer: Promise<T>;
  /** Since when and until when it is good, ms; undefined: it is not answered yet. */ good?: {
    readonly from: number;
    readonly until: number;
  };
}

/**
 * An answer is kept so many times as long as it took: what is asked again and again takes a fifth of a connection, more
 * only when it takes longer than a quarter of a minute.
 */
const rest = 4;
/** And no longer than this for having taken long, ms: a clock may be set ahead meanwhile. */
const longestRest = 60_000;
/** What is not answered by then is asked again, ms: its connection may be lost. */
const patience = 120_000;

const isGood = ({ askedAt, good }: Kept<unknown>, now: number): boolean =>
  good ? now >= good.from && now < good.until : now >= askedAt && now - askedAt < patience;

/**
 * Keeps the answer of an expensive question for `milliseconds`, longer when it took long, by key; callers who ask
 * meanwhile share one, and it is asked once at a time. The answer says itself from when it is (`at`), so nobody is
 * deceived. A failure is not kept, nor is an answer that `isKept` denies. Beyond `most` keys the oldest answers are
 * forgotten.
 */
export function remember<T>(
  clock: Clock,
  milliseconds: number,
  { most = 200, isKept = () => true }: { readonly most?: number; readonly isKept?: (answer: T) => boolean } = {},
) {
  const kept = new Map<string, Kept<T>>();
  const time = () => clock.now().getTime();

  function forget(): void {
    for (const [key, { good }] of kept) {
      if (kept.size < most) return;
      if (good) kept.delete(key);
    }
  }

  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const now = time();
    const known = kept.get(key);
    if (known && isGood(known, now)) return known.answer;
    kept.delete(key);
    forget();
    const one: Kept<T> = { askedAt: now, answer: ask() };
    kept.set(key, one);
    const drop = () => {
      if (kept.get(key) === one) kept.delete(key);
    };
    one.answer.then((answer) => {
      if (!isKept(answer)) return drop();
      const from = time();
      one.good = { from, until: from + Math.max(milliseconds, Math.min(rest * (from - now), longestRest)) };
    }, drop);
    return one.answer;
  };
}
