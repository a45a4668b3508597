import { afterEach, expect, it, vi } from 'vitest';
import { partOfId, WideMap } from './wide-map.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('has what was set and was not deleted, whatever part it stands in', () => {
  const map = new WideMap<number, string>(partOfId);
  const ids = [1, 4095, 4096, 8_000_001, 8_999_999];
  for (const id of ids) map.set(id, `n${id}`);
  map.set(4096, 'again');
  map.delete(1);
  map.delete(2);
  expect(map.get(1)).toBeUndefined();
  expect(map.get(8_000_001)).toBe('n8000001');
  expect([...map]).toEqual([
    [4095, 'n4095'],
    [4096, 'again'],
    [8_000_001, 'n8000001'],
    [8_999_999, 'n8999999'],
  ]);
});

it('no table has more than some thousand entries', () => {
  const map = new WideMap<number, number>(partOfId);
  const sizes: number[] = [];
  const set = Object.getOwnPropertyDescriptor(Map.prototype, 'set')?.value as typeof Map.prototype.set;
  vi.spyOn(Map.prototype, 'set').mockImplementation(function (this: Map<unknown, unknown>, key, value) {
    set.call(this, key, value);
    sizes.push(this.size);
    return this;
  });
  for (let id = 8_000_001; id <= 8_030_000; id += 1) map.set(id, id);
  vi.restoreAllMocks();
  expect(sizes.reduce((most, size) => Math.max(most, size), 0)).toBe(4096);
});

it('what is set and deleted while it is gone through ends it none the less', () => {
  const map = new WideMap<number, number>(partOfId);
  for (let id = 0; id < 10_000; id += 1) map.set(id, 0);
  const seen: number[] = [];
  for (const [id] of map) {
    seen.push(id);
    if (id % 2 === 0) map.set(id, 1);
    else map.delete(id);
  }
  expect(seen).toHaveLength(10_000);
  expect([...map]).toHaveLength(5000);
});
