import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { usePlaces } from './use-places.ts';

test('neighbours of a page that was seen are asked for from where it ends and begins, all others by their number', () => {
  const { result, rerender } = renderHook(({ list }) => usePlaces(list), { initialProps: { list: 'poles by code' } });
  expect(result.current.of(1)).toEqual({ page: 1 });
  result.current.note(1, { next: 'end of 1' });
  expect(result.current.of(2)).toEqual({ after: 'end of 1' });
  result.current.note(2, { next: 'end of 2', previous: 'begin of 2' });
  expect([1, 2, 3, 4].map((page) => result.current.of(page))).toEqual([
    { page: 1 },
    { after: 'end of 1' },
    { after: 'end of 2' },
    { page: 4 },
  ]);
  result.current.note(50, { next: 'end of 50', previous: 'begin of 50' });
  expect([49, 50, 51].map((page) => result.current.of(page))).toEqual([
    { before: 'begin of 50' },
    { page: 50 },
    { after: 'end of 50' },
  ]);
  // Another order is another list, of which nothing is known.
  rerender({ list: 'poles by road' });
  expect(result.current.of(2)).toEqual({ page: 2 });
});
