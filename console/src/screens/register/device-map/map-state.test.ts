import { describe, expect, test } from 'vitest';
import { differences, mapStates } from '../../../../../contract/device-map.ts';
import { DeviceField } from '../../../parts/map/device-field.ts';
import { metresBetween } from '../../../parts/map/distance.ts';
import { farMetres, metresMoved, middleOf, readPosition, rounded, shifted, type Pending } from './pending.ts';
import { readHidden, readView } from './view-state.ts';

describe('a move', () => {
  const here = { longitude: 120.2, latitude: 30.2 };
  const pending = (to: typeof here, from: typeof here | null = here): Pending => ({
    id: 1,
    family: 'lamp-pole',
    code: 'P-1',
    version: 1,
    from,
    own: from,
    to,
  });

  test('an arrow key is a metre in its direction', () => {
    expect(metresMoved(pending(shifted(here, 1, 0)))).toBeCloseTo(1, 1);
    expect(metresMoved(pending(shifted(here, 0, -10)))).toBeCloseTo(10, 0);
    expect(shifted(here, 0, -10).latitude).toBeLessThan(here.latitude);
    expect(metresMoved(pending(here, null))).toBeNull();
  });

  test('coordinates are read as they are typed; half of a pair, words and impossible ones are not', () => {
    expect(readPosition({ longitude: ' 120.2000004 ', latitude: '30.2' }).position).toEqual(here);
    for (const [longitude, latitude] of [
      ['', '30'],
      ['120,2', '30'],
      ['1e2', '30'],
      ['181', '30'],
      ['120', '86'],
      ['120', '-'],
    ] as const)
      expect(readPosition({ longitude, latitude }).position).toBeNull();
    expect(readPosition({ longitude: '-120', latitude: '30,2' })).toMatchObject({ longitude: -120, latitude: null });
    expect(rounded({ longitude: 1.23456789, latitude: -1.23456789 })).toEqual({
      longitude: 1.234568,
      latitude: -1.234568,
    });
  });

  test('far from the others is asked about; too few tell nothing, and one stray does not move the middle', () => {
    const field = (xs: number[]) =>
      new DeviceField(['lamp-pole'], {
        ids: differences(xs.map((_, index) => index + 1)),
        kinds: xs.map(() => 0),
        dx: differences(xs.map((x) => Math.round(x * 1e6))),
        dy: differences(xs.map(() => 30_200_000)),
      });
    expect(middleOf(field([120.2]))).toBeNull();
    const middle = middleOf(field([120.2, 120.21, 120.22, 10]))!;
    expect(metresBetween(middle, here)).toBeLessThan(2_000);
    expect(metresBetween(middle, { longitude: 30.2, latitude: 120.2 / 2 })).toBeGreaterThan(farMetres);
  });
});

describe('what is shown', () => {
  test('the address tells states, road and device; rubbish counts as not given', () => {
    const view = readView(
      new URLSearchParams('states=alarm,offline,nonsense&road=4&roadName=滨江大道&device=17&edit=positions'),
      ['wifi'],
    );
    expect([...view.states]).toEqual(['alarm', 'offline']);
    expect(view).toMatchObject({ road: { id: 4, name: '滨江大道' }, deviceId: 17, edits: true });
    expect(view.families.has('wifi')).toBe(false);
    expect(view.families.has('lamp-pole')).toBe(true);
    expect(readView(new URLSearchParams('states=x&road=-1&device=1e3'), [])).toMatchObject({
      states: new Set(mapStates),
      road: null,
      deviceId: null,
      edits: false,
    });
  });

  test('only families that exist are remembered as hidden', () => {
    expect(readHidden(['wifi', 'spaceship', 3])).toEqual(['wifi']);
    expect(readHidden('wifi')).toEqual([]);
  });
});
