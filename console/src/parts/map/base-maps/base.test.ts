import { afterEach, describe, expect, test, vi } from 'vitest';
import fc from '../../../../../catalogue/testing/properties.ts';
import { fromWgs84, type GeographicSystem, type LngLat } from '../../../../../catalogue/coordinates.ts';
import { mapColours } from '../colours.ts';
import { mercator } from '../mercator.ts';
import { failureNow, forgetTiles, noteTile } from './health.ts';
import { gridLines, gridStep } from './grid-lines.ts';
import { mapStyle, type BaseMapView } from './map-style.ts';
import { patchesOf } from './warp.ts';

vi.mock('maplibre-gl', () => ({ addProtocol: () => undefined }));

const metresAPixel = (zoom: number, latitude: number, size: number): number =>
  (40_075_016.7 * Math.cos((latitude * Math.PI) / 180)) / (2 ** zoom * size);

/** How far a place drawn on our map is from the same place on the picture that lies there, metres. */
function off(system: GeographicSystem, place: LngLat, zoom: number, size = 256): number {
  const world = 2 ** zoom * size;
  const [px, py] = mercator(...(place as [number, number])).map((share) => share * world) as [number, number];
  const [tx, ty] = [Math.floor(px / size), Math.floor(py / size)];
  const [inX, inY] = [px - tx * size, py - ty * size];
  const patch = patchesOf(system, zoom, tx, ty, size).find(
    ({ toX, toY, width, height }) => inX >= toX && inX < toX + width && inY >= toY && inY < toY + height,
  );
  if (!patch) throw new Error('nothing is drawn there');
  const [sx, sy] = [patch.x * size + patch.fromX + inX - patch.toX, patch.y * size + patch.fromY + inY - patch.toY];
  const [wx, wy] = mercator(...(fromWgs84(system, place) as [number, number])).map((share) => share * world) as [
    number,
    number,
  ];
  return Math.hypot(sx - wx, sy - wy) * metresAPixel(zoom, place[1], size);
}

describe('pictures of shifted services', () => {
  test.each([
    ['Beijing', 116.404, 39.915],
    ['Shanghai', 121.4737, 31.2304],
    ['Shenzhen', 113.912316, 22.543847],
  ] as const)('%s lies where its lamps are, within a metre', (_name, longitude, latitude) => {
    for (const system of ['GCJ02', 'BD09'] as const) expect(off(system, [longitude, latitude], 18)).toBeLessThan(1);
  });

  test('anywhere in China and at any zoom, within a pixel', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 80, max: 118, noNaN: true }),
        fc.double({ min: 22, max: 45, noNaN: true }),
        fc.integer({ min: 11, max: 18 }),
        (longitude, latitude, zoom) => {
          expect(off('GCJ02', [longitude, latitude], zoom)).toBeLessThan(
            Math.max(0.8, 1.1 * metresAPixel(zoom, latitude, 256)),
          );
        },
      ),
    );
  });

  test('every pixel is drawn once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3360, max: 3390 }), fc.integer({ min: 1540, max: 1570 }), (x, y) => {
        const patches = patchesOf('GCJ02', 12, x, y, 256);
        expect(patches.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(256 * 256);
        for (const { fromX, fromY, width, height } of patches)
          expect(fromX >= 0 && fromY >= 0 && fromX + width <= 256 && fromY + height <= 256).toBe(true);
      }),
    );
  });

  test('Seoul and Taipei are not moved', () => {
    for (const place of [
      [126.978, 37.5665],
      [121.5654, 25.033],
    ] as const)
      expect(off('GCJ02', place, 18)).toBeLessThan(0.001);
  });
});

describe('the plain grid', () => {
  const view = { west: 120.19, south: 30.19, east: 120.21, north: 30.21, zoom: 14 };

  test('has round steps, its lines far enough apart', () => {
    for (let zoom = 8; zoom <= 19; zoom++) expect(String(gridStep(zoom, 30))).toMatch(/^[125]0*$/);
    expect(gridStep(15, 30)).toBeLessThan(gridStep(14, 30));
  });

  test('reaches beyond the view and stays where it is when one pans', () => {
    const eastings = (shift: number) =>
      gridLines({ ...view, west: view.west + shift, east: view.east + shift }).features.flatMap(({ geometry }) =>
        geometry.type === 'LineString' && geometry.coordinates[0]?.[0] === geometry.coordinates[1]?.[0]
          ? [geometry.coordinates[0]?.[0] ?? 0]
          : [],
      );
    const [before, after] = [eastings(0), eastings(0.004)];
    expect(Math.min(...before)).toBeLessThan(view.west);
    expect(Math.max(...before)).toBeGreaterThan(view.east);
    expect(after.filter((line) => before.includes(line)).length).toBeGreaterThan(5);
  });
});

describe('a base map that does not come', () => {
  afterEach(() => forgetTiles(7));
  const note = (...problems: (string | null)[]) => problems.forEach((problem) => noteTile(7, problem));

  test('is told after three tiles in a row, and no longer when one came', () => {
    note('timeout', 'timeout');
    expect(failureNow(7)).toBeNull();
    note('timeout');
    expect(failureNow(7)).toBe('timeout');
    note(null);
    expect(failureNow(7)).toBeNull();
  });

  test('gaps at the edge are no failure; nothing but gaps is one', () => {
    note(null, ...Array.from({ length: 40 }, () => 'notFound'));
    expect(failureNow(7)).toBeNull();
    forgetTiles(7);
    note(...Array.from({ length: 12 }, () => 'notFound'));
    expect(failureNow(7)).toBe('notFound');
  });
});

describe('styles', () => {
  const none = { type: 'FeatureCollection' as const, features: [] };
  const base: BaseMapView = {
    id: 3,
    version: 2,
    kind: 'xyz',
    name: 'x',
    style: null,
    system: 'WGS84',
    format: 'raster',
    minZoom: 0,
    maxZoom: 18,
    tileSize: 256,
    attribution: null,
    layers: 1,
    isDefault: false,
  };
  const style = (one: BaseMapView | null, dark = true) =>
    mapStyle({
      base: one,
      ground: none,
      colours: mapColours(dark, ['sans-serif']),
      dark,
      latitude: 30,
      language: 'zh-CN',
    });

  test('whatever lies below, lamps know where to shine; the grid lies under pictures', () => {
    for (const one of [
      null,
      base,
      { ...base, kind: 'grid' as const, layers: 0 },
      { ...base, format: 'vector' as const },
      { ...base, kind: 'tianditu' as const, layers: 2, style: 'vec' },
    ]) {
      const ids = style(one).layers.map(({ id }) => id);
      expect(ids).toContain('label-road');
      expect(ids.indexOf('grid')).toBeLessThan(ids.indexOf('label-road'));
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(Object.keys(style({ ...base, layers: 2 }).sources)).toEqual(['grid', 'base-0', 'base-1']);
  });

  test('by night a drawn map is turned dark, a photograph dimmed; by day neither', () => {
    const paint = (one: BaseMapView, dark: boolean) =>
      style(one, dark).layers.find(({ id }) => id === 'base-0')?.paint as Record<string, number>;
    expect(paint(base, true)['raster-brightness-min']).toBeGreaterThan(paint(base, true)['raster-brightness-max'] ?? 1);
    expect(paint({ ...base, style: 'photo' }, true)['raster-brightness-max']).toBeLessThan(0.7);
    expect(paint(base, false)['raster-brightness-max']).toBeUndefined();
  });

  test('other settings are another address, so that no old tile is shown', () => {
    const tiles = (version: number) => JSON.stringify(style({ ...base, version }).sources['base-0']);
    expect(tiles(1)).not.toBe(tiles(2));
  });
});
