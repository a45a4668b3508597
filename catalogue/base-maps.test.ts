import fc from './testing/properties.ts';
import { describe, expect, test } from 'vitest';
import { addressProblem, filledAddress, providers, tileAt } from './base-maps.ts';
import { fromWgs84, inShiftedChina, toWgs84, type GeographicSystem, type LngLat } from './coordinates.ts';

const metres = (a: LngLat, b: LngLat): number =>
  Math.hypot((a[0] - b[0]) * 111_320 * Math.cos((a[1] * Math.PI) / 180), (a[1] - b[1]) * 110_574);
const shifting: readonly GeographicSystem[] = ['GCJ02', 'BD09'];

describe('coordinate systems', () => {
  // Test pairs of eviltransform, an independent implementation.
  test.each([
    ['Beijing', [116.377817, 39.911954], [116.38404722455657, 39.91334545536069]],
    ['Shanghai', [121.5272106, 31.1774276], [121.531541859215, 31.17530398364597]],
    ['Shenzhen', [113.912316, 22.543847], [113.9171764808363, 22.540796131694766]],
  ] as const)('%s stands in GCJ-02 where it is known to', (_name, wgs, gcj) => {
    expect(metres(fromWgs84('GCJ02', wgs), gcj)).toBeLessThan(0.5);
  });

  test.each([
    ['Seoul', 126.978, 37.5665],
    ['Taipei', 121.5654, 25.033],
    ['Paris', 2.35, 48.86],
    ['Tokyo', 139.69, 35.68],
    ['Singapore', 103.82, 1.35],
  ] as const)('%s is not moved', (_name, longitude, latitude) => {
    expect(inShiftedChina(longitude, latitude)).toBe(false);
    for (const system of shifting) {
      expect(fromWgs84(system, [longitude, latitude])).toEqual([longitude, latitude]);
      expect(toWgs84(system, [longitude, latitude])).toEqual([longitude, latitude]);
    }
  });

  test('there and back is the same place to a centimetre, wherever the shift exists', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...shifting),
        fc.double({ min: 80, max: 118, noNaN: true }),
        fc.double({ min: 22, max: 45, noNaN: true }),
        (system, longitude, latitude) => {
          expect(metres(toWgs84(system, fromWgs84(system, [longitude, latitude])), [longitude, latitude])).toBeLessThan(
            0.01,
          );
        },
      ),
    );
  });
});

describe('addresses of tiles', () => {
  test.each([
    ['https://{s}.tile.example/{z}/{x}/{y}.png', undefined],
    ['http://10.0.0.5:8080/{z}/{x}/{-y}.png?k={key}', undefined],
    ['ftp://tile.example/{z}/{x}/{y}', 'scheme'],
    ['https://tile.example/{z}/{x}.png', 'places'],
    ['https://tile.example/{z}/{x}/{y}/{w}.png', 'unknown'],
    ['https://{key}.example/{z}/{x}/{y}.png', 'host'],
    ['https://user@tile.example/{z}/{x}/{y}.png', 'host'],
    ['https://{x}.example/{z}/{x}/{y}.png', 'host'],
  ] as const)('%s: %s', (address, problem) => {
    expect(addressProblem(address)).toBe(problem);
  });

  test('hosts share the work, rows may count from the south, keys are escaped', () => {
    expect(filledAddress('https://t{0-7}.x/{z}/{x}/{-y}?tk={key}', { z: 3, x: 5, y: 1 }, 'a&b')).toBe(
      'https://t6.x/3/5/6?tk=a%26b',
    );
    expect(filledAddress('https://{s}.x/{z}/{x}/{y}', { z: 1, x: 1, y: 1 }, '')).toBe('https://c.x/1/1/1');
  });

  test('every provider’s addresses are good ones and ask for the key', () => {
    for (const provider of Object.values(providers)) {
      for (const address of Object.values(provider.styles).flat()) {
        expect(addressProblem(address)).toBeUndefined();
        expect(address).toContain('{key}');
      }
    }
  });

  test('the tile of a place', () => {
    expect(tileAt(116.404, 39.915, 10)).toEqual({ z: 10, x: 843, y: 387 });
    expect(tileAt(-180, 89, 2)).toEqual({ z: 2, x: 0, y: 0 });
    expect(tileAt(180, -89, 2)).toEqual({ z: 2, x: 3, y: 3 });
  });
});
