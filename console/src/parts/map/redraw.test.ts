import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LampField } from './lamp-field.ts';
import { Redraw } from './redraw.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const lamp = (): LampField =>
  new LampField({
    ids: [1],
    codes: ['BJ-1'],
    longitudes: [120.2],
    latitudes: [30.2],
    ratedWatts: [120],
    cct: [3000],
    states: [0],
    levels: [0],
  });
function drawn(field: LampField, onChange?: () => void) {
  const repaint = vi.fn();
  const redraw = new Redraw(field, onChange);
  redraw.map = { triggerRepaint: repaint } as unknown as MapLibreMap;
  return { redraw, repaint };
}

test('many changes are told one by one and drawn together', () => {
  const field = lamp();
  let told = 0;
  const { repaint } = drawn(field, () => told++);
  for (const level of [10, 20, 30]) field.apply([[1, 0, level]]);
  expect([told, repaint.mock.calls.length]).toEqual([3, 0]);
  vi.runAllTimers();
  expect(repaint).toHaveBeenCalledTimes(1);
});

test('a hidden map draws nothing and takes everything over when it is shown again', () => {
  const field = lamp();
  let told = 0;
  const { redraw, repaint } = drawn(field, () => told++);
  redraw.paused = true;
  field.apply([[1, 0, 10]]);
  vi.runAllTimers();
  expect([told, repaint.mock.calls.length]).toEqual([1, 0]);
  redraw.paused = false;
  expect(repaint).toHaveBeenCalledTimes(1);
});

test('what was disposed of hears and draws nothing more', () => {
  const field = lamp();
  let told = 0;
  const { redraw, repaint } = drawn(field, () => told++);
  field.apply([[1, 0, 10]]);
  redraw.dispose();
  field.apply([[1, 0, 20]]);
  vi.runAllTimers();
  expect([told, repaint.mock.calls.length]).toEqual([1, 0]);
});
