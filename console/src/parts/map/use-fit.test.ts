import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useFit } from './use-fit.ts';

afterEach(cleanup);

test('the view is fitted once for what is known, and stays while the next is on its way', () => {
  const fits: (string | undefined)[] = [];
  const start: { isReady: boolean; key: string | undefined } = { isReady: false, key: 'all' };
  const { rerender } = renderHook(({ isReady, key }: typeof start) => useFit(isReady, key, () => fits.push(key)), {
    initialProps: start,
  });
  rerender({ isReady: true, key: 'all' });
  expect(fits).toEqual([]);
  rerender({ isReady: true, key: undefined });
  expect(fits).toEqual([]);
  rerender({ isReady: true, key: 'road 4' });
  rerender({ isReady: true, key: 'road 4' });
  rerender({ isReady: true, key: undefined });
  rerender({ isReady: true, key: 'road 4' });
  expect(fits).toEqual(['road 4']);
  rerender({ isReady: true, key: 'all' });
  expect(fits).toEqual(['road 4', 'all']);
});

test('a page opened with a road fits it as soon as it is known', () => {
  const fits: (string | undefined)[] = [];
  const start: { key: string | undefined } = { key: undefined };
  const { rerender } = renderHook(({ key }: typeof start) => useFit(true, key, () => fits.push(key)), {
    initialProps: start,
  });
  rerender({ key: 'road 4' });
  expect(fits).toEqual(['road 4']);
});
