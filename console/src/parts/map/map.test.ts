import type { FeatureCollection } from 'geojson';
import fc from '../../../../catalogue/testing/properties.ts';
import { describe, expect, test } from 'vitest';
import { lampStates } from '../../../../contract/light/lamps.ts';
import { clusterLamps, mergeTouching, type Cluster } from './clusters.ts';
import { PointGrid } from './grid.ts';
import { LampField, severity, stateIndex, type LampStateName } from './lamp-field.ts';
import { localMatrix, sortBySeverity } from './lamp-gpu.ts';
import { closeness, lampColour, peak, profile, ratedEnergy, zoomLight } from './light.ts';
import { isClear } from './room.ts';
import { RoadSides } from './road-side.ts';
import { scaleStep } from './MapControls.tsx';
import { fromMercator, mercator, MercatorLocal, pixelsPerMetre } from './mercator.ts';

/** Lamps 30 m apart along one street of 滨江, states as given. */
function street(states: readonly LampStateName[], spacing = 0.0003): LampField {
  return new LampField({
    ids: states.map((_, index) => index + 1),
    codes: states.map((_, index) => `BJ-${index + 1}`),
    longitudes: states.map((_, index) => 120.2 + index * spacing),
    latitudes: states.map(() => 30.2),
    ratedWatts: states.map(() => 120),
    cct: states.map(() => 3000),
    states: states.map((state) => stateIndex[state]),
    levels: states.map(() => 100),
  });
}

describe('positions', () => {
  test('there and back, everywhere a map shows', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -179, max: 179, noNaN: true }),
        fc.double({ min: -84, max: 84, noNaN: true }),
        (longitude, latitude) => {
          const [back, up] = fromMercator(...mercator(longitude, latitude));
          expect(back).toBeCloseTo(longitude, 9);
          expect(up).toBeCloseTo(latitude, 9);
        },
      ),
    );
  });

  test('32-bit offsets keep a lamp of a 40 km city within a centimetre', () => {
    const place = new MercatorLocal(120.2, 30.2);
    const [x, y] = place.toLocal(120.4, 30.4);
    const [longitude, latitude] = place.toLngLat(Math.fround(x), Math.fround(y));
    expect(Math.abs(longitude - 120.4) * 96_000).toBeLessThan(0.01);
    expect(Math.abs(latitude - 30.4) * 111_000).toBeLessThan(0.01);
  });

  test('the local matrix does what the map’s matrix does', () => {
    const field = street(['on', 'on']);
    const matrix = [2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1, 0, -1.2, 0.7, 0, 1];
    const local = localMatrix(matrix, field);
    const [x, y] = mercator(120.2, 30.2);
    const [lx, ly] = field.place.toLocal(120.2, 30.2);
    expect(local[0]! * lx + local[12]!).toBeCloseTo(2 * x - 1.2, 5);
    expect(local[5]! * ly + local[13]!).toBeCloseTo(-2 * y + 0.7, 5);
  });

  test('a metre is longer on the screen one zoom further, and nearer the pole', () => {
    expect(pixelsPerMetre(15, 30)).toBeCloseTo(2 * pixelsPerMetre(14, 30), 9);
    expect(pixelsPerMetre(15, 60)).toBeGreaterThan(pixelsPerMetre(15, 30));
  });
});

describe('light', () => {
  test.each([
    [2700, [1, 0.6, 0.235]],
    [3500, [1, 0.8, 0.561]],
    [5000, [0.8, 0.902, 1]],
    [1800, [1, 0.6, 0.235]],
    [6500, [0.8, 0.902, 1]],
    [Number.NaN, [1, 0.6, 0.235]],
  ])('%d K has its colour', (kelvin, colour) => {
    expect(lampColour(kelvin)).toEqual(colour);
  });

  test('between two temperatures the colour is between theirs', () => {
    const [red, green, blue] = lampColour(3100);
    expect(red).toBe(1);
    expect(green).toBeCloseTo(0.7, 6);
    expect(blue).toBeCloseTo(0.398, 6);
  });

  test('energy is rated power; an unknown rating is a small lamp, an absurd one has an end', () => {
    expect(ratedEnergy(145)).toBe(1);
    expect(ratedEnergy(72.5)).toBe(0.5);
    expect(ratedEnergy(0)).toBe(0.4);
    expect(ratedEnergy(1e9)).toBe(ratedEnergy(1000));
  });

  test('every blur of the profile carries its weight, the narrower the brighter', () => {
    for (const part of [...profile.sharp, ...profile.wide])
      expect(peak(part) * 2 * Math.PI * part.sigma ** 2).toBeCloseTo(part.weight, 9);
    const peaks = [...profile.sharp, ...profile.wide].map(peak);
    expect(peaks).toEqual([...peaks].sort((a, b) => b - a));
  });

  test('coming closer only ever widens a lamp; going away only ever darkens it', () => {
    const zooms = Array.from({ length: 60 }, (_, index) => zoomLight(8 + index * 0.2));
    for (let index = 1; index < zooms.length; index++) {
      expect(zooms[index]!.spread).toBeGreaterThanOrEqual(zooms[index - 1]!.spread);
      expect(zooms[index]!.wideGain).toBeGreaterThanOrEqual(zooms[index - 1]!.wideGain);
    }
  });
});

describe('the lamps of a map', () => {
  test('a change is told once, with the span it touches; unknown lamps and repeats change nothing', () => {
    const field = street(['on', 'on', 'on', 'on']);
    let told = 0;
    field.subscribe(() => told++);
    field.apply([
      [3, stateIndex.dimmed, 60],
      [2, stateIndex.on, 100],
      [99, 0, 0],
    ]);
    expect(told).toBe(1);
    expect(field.takeDirty()).toEqual([2, 2]);
    expect(field.takeDirty()).toBeNull();
    field.apply([[3, stateIndex.dimmed, 60]]);
    expect(told).toBe(1);
  });

  test('a filter by state holds for what changes later', () => {
    const field = street(['on', 'alarm', 'alarm']);
    field.filter(new Set([1, 2]), new Set([stateIndex.alarm]));
    field.apply([
      [1, stateIndex.alarm, 100],
      [2, stateIndex.on, 100],
      [3, stateIndex.alarm, 40],
    ]);
    expect([...field.visible]).toEqual([1, 0, 0]);
    field.filter(null, null);
    field.apply([[1, stateIndex.off, 0]]);
    expect([...field.visible]).toEqual([1, 1, 1]);
  });

  test('counts, filters and bounds follow ids and states', () => {
    const field = street(['on', 'alarm', 'offline', 'on']);
    expect(field.counts(null)).toMatchObject({ on: 2, alarm: 1, offline: 1, maintenance: 0 });
    expect(field.counts(new Set([1, 2]))).toMatchObject({ on: 1, alarm: 1, offline: 0 });
    field.filter(new Set([1, 2, 3]), new Set([stateIndex.alarm]));
    expect([...field.visible]).toEqual([0, 1, 0, 0]);
    const [west, , east] = field.bounds(new Set([2, 3]))!;
    expect(west).toBeCloseTo(120.2003, 5);
    expect(east).toBeCloseTo(120.2006, 5);
    expect(street([]).bounds()).toBeNull();
  });

  test('severity: alarm above offline above maintenance above all others', () => {
    expect(lampStates.map((state) => severity[stateIndex[state]])).toEqual([0, 0, 0, 3, 2, 1, 0]);
  });
});

describe('what is where', () => {
  test('nearest and box agree with looking at every point', () => {
    const points = fc.array(
      fc.tuple(fc.integer({ min: -50_000, max: 50_000 }), fc.integer({ min: -50_000, max: 50_000 })),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(
        points,
        fc.integer({ min: -60_000, max: 60_000 }),
        fc.integer({ min: -60_000, max: 60_000 }),
        fc.integer({ min: 1, max: 30_000 }),
        (all, x, y, reach) => {
          const grid = new PointGrid(Float32Array.from(all.flat()));
          const inside = all.flatMap(([px, py], index) =>
            Math.abs(px - x) <= reach && Math.abs(py - y) <= reach ? [index] : [],
          );
          expect(grid.inside(x + reach, y + reach, x - reach, y - reach).sort((a, b) => a - b)).toEqual(inside);
          const distances = all.map(([px, py]) => Math.hypot(px - x, py - y));
          const nearest = grid.nearest(x, y, reach);
          const least = Math.min(...distances);
          if (least > reach) expect(nearest).toBeNull();
          else expect(distances[nearest!]).toBeCloseTo(least, 6);
        },
      ),
    );
  });
});

describe('pills', () => {
  test('none where all is well', () => {
    expect(clusterLamps(street(['on', 'dimmed', 'off', 'unknown']), 13)).toEqual([]);
  });

  test('a pill names the worst state, how many have it and how many lamps there are', () => {
    const [pill, ...more] = clusterLamps(street(['on', 'offline', 'alarm', 'offline', 'alarm', 'on']), 13);
    expect(more).toEqual([]);
    expect(pill).toMatchObject({ state: stateIndex.alarm, inState: 2, total: 6, only: null });
  });

  test('a single troubled lamp is itself, at its own place', () => {
    const field = street(['on', 'on', 'offline']);
    const [pill] = clusterLamps(field, 13);
    expect(pill).toMatchObject({ state: stateIndex.offline, inState: 1, only: 2 });
    expect(pill!.x).toBeCloseTo(field.positions[4]!, 3);
  });

  test('filtered lamps are not counted', () => {
    const field = street(['alarm', 'alarm', 'on']);
    field.filter(new Set([2, 3]), null);
    expect(clusterLamps(field, 13)[0]).toMatchObject({ inState: 1, total: 2 });
  });

  test('small zooms and panning change nothing; the whole city loses nobody', () => {
    const states = Array.from({ length: 400 }, (_, index): LampStateName =>
      index % 17 === 0 ? 'alarm' : index % 23 === 0 ? 'offline' : 'on',
    );
    const field = street(states, 0.0008);
    expect(clusterLamps(field, 12.1)).toEqual(clusterLamps(field, 12.9));
    const alarms = clusterLamps(field, 12)
      .filter((pill) => pill.state === stateIndex.alarm)
      .reduce((sum, pill) => sum + pill.inState, 0);
    expect(alarms).toBe(states.filter((state) => state === 'alarm').length);
  });

  test('touching pills become one at the worse one’s place, and their lamps are added', () => {
    const at = (x: number, state: LampStateName, inState: number): Cluster => ({
      key: `${x}`,
      x,
      y: 0,
      state: stateIndex[state],
      inState,
      total: 10,
      only: null,
    });
    expect(
      mergeTouching([at(0, 'alarm', 2), at(50, 'alarm', 1), at(60, 'offline', 4), at(500, 'offline', 1)], 100, 30),
    ).toMatchObject([
      { x: 0, state: stateIndex.alarm, inState: 3, total: 30 },
      { x: 500, inState: 1, total: 10 },
    ]);
  });
});

test.each([
  [1, 100, 100],
  [0.2, 500, 100],
  [0.19, 500, 95],
  [3, 20, 60],
  [0.001, 100_000, 100],
])('a scale of %d px a metre is a round length', (pixels, metres, width) => {
  const step = scaleStep(pixels);
  expect(step.metres).toBeCloseTo(metres, 6);
  expect(step.pixels).toBeCloseTo(width, 6);
});

describe('the close-up', () => {
  const place = new MercatorLocal(120.2, 30.2);
  const along = (latitude: number): FeatureCollection => ({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { layer: 'road' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [120.19, latitude],
            [120.21, latitude],
          ],
        },
      },
    ],
  });
  const noRoads: FeatureCollection = { type: 'FeatureCollection', features: [] };
  const leanAt = (ground: FeatureCollection, metresNorth: number, others: readonly number[] = []) => {
    const y = -metresNorth * pixelsPerMetre(20, 30.2);
    const lamps = new PointGrid(Float32Array.from([0, y, ...others]));
    return new RoadSides(ground, place, lamps).of(0, 0, y);
  };

  test('a mast leans over its road, whichever side it stands on; in the middle it leans nowhere', () => {
    // Along the road to the east the normal (−y, x) points to the south.
    expect(leanAt(along(30.2), 9)).toMatchObject({ x: expect.closeTo(1, 6) as number, side: 1 });
    expect(leanAt(along(30.2), -9).side).toBe(-1);
    expect(leanAt(along(30.2), 0.2).side).toBe(0);
  });

  test('without a road within 45 m it stands in the row of the nearest other lamp', () => {
    expect(leanAt(along(30.2), 60).side).toBe(0);
    const lean = leanAt(noRoads, 0, [0, 300]);
    expect(lean).toEqual({ x: 0, y: 1, side: 0 });
    expect(leanAt(noRoads, 0)).toEqual({ x: 1, y: 0, side: 0 });
  });

  test('both lamps of one pole stand in the row of the next pole, alone as one lamp does', () => {
    const lamps = new PointGrid(Float32Array.from([0, 0, 0, 0, 0, 300]));
    const sides = new RoadSides(noRoads, place, lamps);
    expect([sides.of(0, 0, 0), sides.of(1, 0, 0)]).toEqual([
      { x: 0, y: 1, side: 0 },
      { x: 0, y: 1, side: 0 },
    ]);
    expect(sides.of(2, 0, 300)).toEqual({ x: 0, y: -1, side: 0 });
    expect(leanAt(noRoads, 0, [0, 0])).toEqual({ x: 1, y: 0, side: 0 });
  });

  test('pools come between the zooms of a street and of 50 m', () => {
    expect([closeness(14), closeness(15.6)]).toEqual([0, 0]);
    expect(closeness(16.2)).toBeCloseTo(0.5, 6);
    expect(closeness(17)).toBe(1);
  });
});

test('lamps are drawn the well first and alarms last', () => {
  const names: LampStateName[] = ['alarm', 'on', 'maintenance', 'offline', 'dimmed', 'alarm'];
  const order = new Uint32Array(names.length);
  const well = sortBySeverity(
    names.map((name) => stateIndex[name]),
    order,
  );
  expect(well).toBe(2);
  expect([...order]).toEqual([1, 4, 2, 3, 0, 5]);
});

test('a chosen lamp is clear of the panels and bars around the map, or is not', () => {
  const room = { left: 304, right: 432, top: 56, bottom: 48 };
  const size = { width: 1244, height: 780 };
  expect(isClear({ x: 500, y: 300 }, size, room)).toBe(true);
  for (const covered of [
    { x: 200, y: 300 },
    { x: 900, y: 300 },
    { x: 500, y: 30 },
    { x: 500, y: 760 },
  ])
    expect(isClear(covered, size, room), JSON.stringify(covered)).toBe(false);
});
