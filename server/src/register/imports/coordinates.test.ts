import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isUsedAt, toWgs84, useOf } from './coordinates.ts';

const at = (system: string, x: number, y: number) =>
  toWgs84(system)?.(x, y) ?? { longitude: Number.NaN, latitude: Number.NaN };
const metres = (a: { longitude: number; latitude: number }, b: { longitude: number; latitude: number }) =>
  Math.hypot(
    (a.longitude - b.longitude) * 111_320 * Math.cos((b.latitude * Math.PI) / 180),
    (a.latitude - b.latitude) * 110_900,
  );

/**
 * Towns of both countries. Near the border PROJ takes the parameters of the neighbour, which differ by 7 m: none of
 * these lies there.
 */
const points = [
  { name: 'Plzeň', longitude: 13.3776, latitude: 49.7475 },
  { name: 'Praha', longitude: 14.4208, latitude: 50.0875 },
  { name: 'Ostrava', longitude: 18.2928, latitude: 49.8347 },
  { name: 'Brno', longitude: 16.6068, latitude: 49.1951 },
  { name: 'Bratislava', longitude: 17.1077, latitude: 48.1486 },
  { name: 'Košice', longitude: 21.2611, latitude: 48.7164 },
] as const;
const hasProj = spawnSync('cs2cs', ['-l']).status === 0;
/** Easting and northing by PROJ, whatever order the system names its axes in. */
function byProj(
  system: string,
  order: 'xy' | 'yx',
  places: readonly { longitude: number; latitude: number }[],
): [number, number][] {
  const { stdout } = spawnSync('cs2cs', ['-f', '%.4f', 'EPSG:4326', system], {
    input: places.map(({ longitude, latitude }) => `${latitude} ${longitude}`).join('\n'),
    encoding: 'utf8',
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [a = Number.NaN, b = Number.NaN] = line.trim().split(/\s+/).map(Number);
      return order === 'xy' ? [a, b] : [b, a];
    });
}

describe('systems whose axes are not east and north', () => {
  test('a point of the Czech survey lies within a metre, by all three of its systems', () => {
    // Plzeň: made by PROJ with EPSG:1623.
    const place = { longitude: 13.3776, latitude: 49.7475 };
    const [east, north] = [-822398.633, -1069697.398];
    expect(metres(at('EPSG:5514', east, north), place)).toBeLessThan(1);
    for (const system of ['EPSG:5513', 'EPSG:2065']) expect(metres(at(system, -east, -north), place)).toBeLessThan(1);
    // The two numbers the wrong way round lie where nobody counts by this system.
    expect(isUsedAt('EPSG:5513', at('EPSG:5513', -north, -east))).toBe(false);
  });

  test('the South African zones count to the west and the south', () => {
    // Johannesburg by PROJ: EPSG:2053, westing and southing.
    expect(metres(at('EPSG:2053', 95219.418, 2899796.308), { longitude: 28.0473, latitude: -26.2041 })).toBeLessThan(1);
  });

  test('what has neither east nor west is no system here', () => {
    for (const system of ['EPSG:3031', 'EPSG:32661', 'EPSG:4978', 'EPSG:31288', 'EPSG:99999'])
      expect([system, toWgs84(system), useOf(system)]).toEqual([system, undefined, undefined]);
  });
});

test.skipIf(!hasProj)('agrees with PROJ', () => {
  for (const [system, order, sign] of [
    ['EPSG:5514', 'xy', 1],
    ['EPSG:5513', 'yx', 1],
    ['EPSG:2065', 'yx', 1],
  ] as const) {
    byProj(system === 'EPSG:2065' ? 'EPSG:5513' : system, order, points).forEach(([x, y], index) => {
      const place = points[index] ?? points[0];
      expect([system, place.name, metres(at(system, sign * x, sign * y), place) < 1]).toEqual([
        system,
        place.name,
        true,
      ]);
    });
  }
  const grids = [
    ['EPSG:27700', 'xy', -2.587, 51.454],
    ['EPSG:3826', 'xy', 121.22, 24.96],
    ['EPSG:5186', 'yx', 126.98, 37.57],
    ['EPSG:6677', 'yx', 139.75, 35.68],
    ['EPSG:28992', 'xy', 4.9, 52.37],
    ['EPSG:2326', 'yx', 114.16, 22.28],
    ['EPSG:2180', 'yx', 21.01, 52.23],
    ['EPSG:21781', 'xy', 8.54, 47.37],
    ['EPSG:23700', 'xy', 19.04, 47.5],
    ['EPSG:4547', 'yx', 114.06, 22.54],
    ['EPSG:32651', 'xy', 121.47, 31.23],
  ] as const;
  for (const [system, order, longitude, latitude] of grids) {
    const [[x, y] = [0, 0]] = byProj(system, order, [{ longitude, latitude }]);
    expect([
      system,
      Math.round(metres(at(system, x, y), { longitude, latitude }) * 10) / 10 <= (useOf(system)?.accuracy ?? 1),
    ]).toEqual([system, true]);
  }
});

test('knows where a system is used', () => {
  expect(isUsedAt('EPSG:27700', at('EPSG:27700', 358_000, 172_000))).toBe(true);
  expect(isUsedAt('EPSG:27700', at('EPSG:27700', 172_000, 2_600_000))).toBe(false);
  expect(isUsedAt('WGS84', { longitude: 170, latitude: -80 })).toBe(true);
});
