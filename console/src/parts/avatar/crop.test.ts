import fc from '../../../../catalogue/testing/properties.ts';
import { describe, expect, test } from 'vitest';
import { centred, inside, maxZoomOf, moved, sideOf, stepped, zoomed, type Crop, type Size } from './crop.ts';

const wide: Size = { width: 2400, height: 1600 };
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

test('the largest square from the middle comes first', () => {
  expect(centred(wide)).toEqual({ x: 1200, y: 800, zoom: 1 });
  expect(sideOf(wide, centred(wide))).toBe(1600);
});

describe('zoom', () => {
  test('goes in steps of a tenth, from wherever it was', () => {
    let crop = centred(wide);
    for (let step = 0; step < 3; step += 1) crop = stepped(wide, crop, 1);
    expect(crop.zoom).toBe(1.3);
    expect(stepped(wide, { ...crop, zoom: 1.37 }, 1).zoom).toBe(1.5);
    expect(stepped(wide, crop, -99).zoom).toBe(1);
    expect(stepped(wide, crop, 999).zoom).toBe(10);
  });

  test.each([
    [{ width: 32, height: 900 }, 1],
    [{ width: 64, height: 64 }, 2],
    [{ width: 50, height: 80 }, 1.5],
    [{ width: 9000, height: 9000 }, 10],
    [{ width: 1, height: 1 }, 1],
  ])('%o is magnified at most %f times', (size, most) => {
    expect(maxZoomOf(size)).toBe(most);
  });

  test('keeps the point it is done around where it is', () => {
    const about = { x: 0.3, y: -0.2 };
    const pointOf = (crop: Crop) => ({
      x: crop.x + about.x * sideOf(wide, crop),
      y: crop.y + about.y * sideOf(wide, crop),
    });
    const before = { x: 1200, y: 800, zoom: 2 };
    const after = zoomed(wide, before, 3, about);
    expect(pointOf(after).x).toBeCloseTo(pointOf(before).x, 6);
    expect(pointOf(after).y).toBeCloseTo(pointOf(before).y, 6);
  });
});

test('moving the picture to the right shows what lay further left', () => {
  const crop = moved(wide, { x: 1200, y: 800, zoom: 4 }, 0.5, -0.25);
  expect(crop).toEqual({ x: 1000, y: 900, zoom: 4 });
});

test('whatever is done, the square lies inside the picture', () => {
  const sizes = fc.record({ width: fc.integer({ min: 1, max: 5000 }), height: fc.integer({ min: 1, max: 5000 }) });
  const act = fc.constantFrom('move', 'zoom', 'step', 'inside');
  fc.assert(
    fc.property(sizes, number(-9000, 9000), number(-9000, 9000), number(0.01, 30), act, (size, x, y, zoom, kind) => {
      const start = inside(size, { x, y, zoom });
      const crop =
        kind === 'move'
          ? moved(size, start, x / 1000, y / 1000)
          : kind === 'zoom'
            ? zoomed(size, start, zoom, { x: 0.5, y: -0.5 })
            : kind === 'step'
              ? stepped(size, start, Math.round(x))
              : start;
      const half = sideOf(size, crop) / 2;
      expect(crop.zoom).toBeGreaterThanOrEqual(1);
      expect(crop.zoom).toBeLessThanOrEqual(maxZoomOf(size));
      expect(crop.x - half).toBeGreaterThanOrEqual(-1e-6);
      expect(crop.y - half).toBeGreaterThanOrEqual(-1e-6);
      expect(crop.x + half).toBeLessThanOrEqual(size.width + 1e-6);
      expect(crop.y + half).toBeLessThanOrEqual(size.height + 1e-6);
    }),
  );
});
