import { describe, expect, it } from 'vitest';
import { expectedWatts, learnedWatts } from './lamp-power.ts';

describe('expected power', () => {
  it('is nothing when off, the rating at full level, and bent in between', () => {
    for (const curve of ['led', 'sodium', 'unknown'] as const) {
      expect(expectedWatts(120, 0, curve)).toBe(0);
      expect(expectedWatts(120, 100, curve)).toBeCloseTo(120, 6);
    }
    expect(expectedWatts(100, 50)).toBeCloseTo(52.5, 6);
    expect(expectedWatts(100, 50, 'led')).toBeCloseTo(48.5, 6);
    expect(expectedWatts(100, 10, 'sodium')).toBe(45);
  });

  it('goes by what was learned of the model, straight between levels that are known, and never falls', () => {
    const learned = { levels: [20, 60, 80], shares: [0.15, 0.5, 0.48] };
    const at = (...levels: number[]) =>
      levels.map((level) => Math.round(learnedWatts(200, level, learned) * 100) / 100);
    expect(at(0, 10, 20, 40, 60, 80, 90, 100, 120)).toEqual([0, 20, 30, 65, 100, 100, 150, 200, 200]);
    expect(learnedWatts(200, 100, { levels: [100], shares: [0.9] })).toBeCloseTo(180, 9);
    expect(learnedWatts(200, 50, { levels: [], shares: [] })).toBe(expectedWatts(200, 50));
    expect(learnedWatts(200, 50, null)).toBe(expectedWatts(200, 50));
  });
});
