import { expect, it } from 'vitest';
import { planLimits } from './limits.ts';
import { roadStagger, roadStart } from './stagger.ts';
import fc from '../testing/properties.ts';

const most = planLimits.staggerSeconds.max;

it('begins a road so that its lamps are done within the window, and the same each time', () => {
  const ids = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.maxSafeNat());
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: most }), (id, window) => {
      const start = roadStart(id, window);
      if (window <= roadStagger) return start === null;
      return start !== null && start >= 0 && start + roadStagger <= window && start === roadStart(id, window);
    }),
  );
});

it('spreads roads evenly, however their ids follow each other', () => {
  for (const step of [1, 2, 7, 100]) {
    const counts = new Map<number | null, number>();
    for (let n = 1; n <= 2900; n += 1) {
      const start = roadStart(n * step, most);
      counts.set(start, (counts.get(start) ?? 0) + 1);
    }
    expect(counts.size).toBe(most - roadStagger + 1);
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(25);
  }
});

it('begins neighbours apart', () => {
  for (let id = 1; id < 500; id += 1)
    expect(Math.abs((roadStart(id, most) ?? 0) - (roadStart(id + 1, most) ?? 0))).toBeGreaterThan(roadStagger * 2);
});
