import { describe, expect, test } from 'vitest';
import { hasCycle } from './tree.ts';

describe('a tree by its parents', () => {
  const parents: Readonly<Record<number, number>> = { 1: 0, 2: 1, 3: 2, 4: 0 };
  test.each([
    ['as it stands', {}, false],
    ['a branch elsewhere', { 2: 4 }, false],
    ['below its own child', { 1: 2 }, true],
    ['below itself', { 4: 4 }, true],
    ['two that change places through each other', { 1: 4, 4: 3 }, true],
    ['a parent that nobody knows ends the way', { 4: 99 }, false],
  ])('%s', (_what, moved: Readonly<Record<number, number>>, cycle) => {
    expect(hasCycle(Object.keys(moved).map(Number), (id) => moved[id] ?? parents[id] ?? 0)).toBe(cycle);
  });

  test('a chain of 100,000 is walked once', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => index + 1);
    expect(hasCycle(ids, (id) => id - 1)).toBe(false);
  });
});
