import { cleanup, renderHook } from '@testing-library/react';
import { Activity, createElement, type ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useFit, useReveal } from './use-fit.ts';

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

interface Focused {
  readonly view: object | null;
  readonly focusId: number | null;
}

/** The hook in a tab that can be hidden: which lamps were revealed, and whether as picked on the map. */
function revealing(start: Focused) {
  const revealed: (readonly [id: number, isHere: boolean])[] = [];
  const tab: { mode: 'visible' | 'hidden' } = { mode: 'visible' };
  const { result, rerender } = renderHook(
    ({ view, focusId }: Focused) => useReveal(view, focusId, (id, isHere) => revealed.push([id, isHere])),
    {
      initialProps: start,
      wrapper: (inside: { children: ReactNode }) => createElement(Activity, { mode: tab.mode, ...inside }),
    },
  );
  const turn = (mode: 'visible' | 'hidden', focused: Focused): void => {
    tab.mode = mode;
    rerender(focused);
  };
  return { revealed, turn, focus: rerender, pick: (id: number | null) => result.current(id) };
}

test('a tab shown again leaves the map where it was, unless another lamp came into focus meanwhile', () => {
  const view = {};
  const { revealed, turn } = revealing({ view: null, focusId: 7 });
  expect(revealed).toEqual([]);
  turn('visible', { view, focusId: 7 });
  turn('hidden', { view, focusId: 7 });
  turn('visible', { view, focusId: 7 });
  expect(revealed).toEqual([[7, false]]);
  turn('hidden', { view, focusId: 8 });
  turn('visible', { view, focusId: 8 });
  expect(revealed).toEqual([
    [7, false],
    [8, false],
  ]);
});

test('a lamp is revealed again on a new map, and when it is opened again', () => {
  const [first, second] = [{}, {}];
  const { revealed, focus } = revealing({ view: first, focusId: 7 });
  focus({ view: second, focusId: 7 });
  focus({ view: second, focusId: null });
  focus({ view: second, focusId: 7 });
  expect(revealed).toEqual([
    [7, false],
    [7, false],
    [7, false],
  ]);
});

test('a pick counts for the lamp that it opens, and for nothing that is opened later', () => {
  const view = {};
  const { revealed, focus, pick } = revealing({ view, focusId: null });
  pick(7);
  focus({ view, focusId: 7 });
  expect(revealed).toEqual([[7, true]]);
  pick(7);
  focus({ view, focusId: null });
  focus({ view, focusId: 7 });
  expect(revealed.at(-1)).toEqual([7, false]);
  pick(8);
  focus({ view, focusId: 9 });
  focus({ view, focusId: 8 });
  expect(revealed.slice(2)).toEqual([
    [9, false],
    [8, false],
  ]);
});
