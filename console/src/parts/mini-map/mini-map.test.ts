import fc from '../../../../catalogue/testing/properties.ts';
import { describe, expect, test } from 'vitest';
import { apart, pictureOf, streetsOf } from './picture.ts';

const bounds = { west: 120, south: 30, east: 120.2, north: 30.1 };
const cellsAt = (points: readonly (readonly [x: number, y: number])[]) => ({
  x: points.map(([x]) => x),
  y: points.map(([, y]) => y),
  lamps: points.map(() => 2),
  light: points.map(() => 1),
  alarm: points.map(() => 0),
  offline: points.map(() => 0),
});

describe('the small map', () => {
  test('fits the city, north up, a kilometre as long both ways', () => {
    const { at } = pictureOf({ bounds, cells: cellsAt([]) }, { width: 400, height: 400 }, 20);
    const [northWest, southEast] = [at(0, 0), at(1000, 1000)];
    expect(northWest.x).toBeCloseTo(20);
    expect(southEast.x).toBeCloseTo(380);
    expect(southEast.y).toBeGreaterThan(northWest.y);
    // Twice as many degrees wide as high; a degree of longitude is shorter by the cosine of the latitude.
    const { x, y } = { x: southEast.x - northWest.x, y: southEast.y - northWest.y };
    expect(x / y).toBeCloseTo(2 * Math.cos((30.05 * Math.PI) / 180), 4);
    expect((northWest.y + southEast.y) / 2).toBeCloseTo(200);
  });

  test('an area without positions and a canvas without room draw nothing and fail nowhere', () => {
    const empty = pictureOf({ bounds: null, cells: cellsAt([]) }, { width: 0, height: 0 });
    expect([empty.dots, streetsOf(empty)]).toEqual([[], []]);
  });

  test('neighbours along a street are joined once, what is far away is not', () => {
    const street = cellsAt([...Array.from({ length: 5 }, (_, n) => [n * 10, 500] as const), [900, 100]]);
    const picture = pictureOf({ bounds, cells: street }, { width: 960, height: 480 }, 0);
    const joined = streetsOf(picture).map(([from, to]) => Math.round(Math.abs(to.x - from.x)));
    expect(joined.filter((length) => length === Math.round(picture.at(10, 0).x - picture.at(0, 0).x))).toHaveLength(4);
    expect(Math.max(...joined)).toBeLessThan(2.3 * picture.cell);
  });

  test('pins never cover each other, wherever the places are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: fc.integer({ min: 0, max: 300 }), y: fc.integer({ min: 0, max: 200 }) }), {
          maxLength: 5,
        }),
        (points) => {
          const moved = apart(points, { width: 300, height: 200, room: 28 });
          for (const [index, one] of moved.entries()) {
            expect(one.x >= 14 - 1e-9 && one.x <= 286 + 1e-9 && one.y >= 14 - 1e-9 && one.y <= 186 + 1e-9).toBe(true);
            for (const other of moved.slice(index + 1))
              expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(24);
          }
        },
      ),
    );
  });
});
