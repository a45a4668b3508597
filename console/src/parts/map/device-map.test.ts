import fc from '../../../../catalogue/testing/properties.ts';
import { describe, expect, test } from 'vitest';
import { differences, mapStates, type MapStateName } from '../../../../contract/device-map.ts';
import { clusterLamps } from './clusters.ts';
import { DeviceField } from './device-field.ts';
import { marksOf } from './marks.ts';
import { insidePolygon } from './polygon.ts';

interface Thing {
  family: 'lamp-pole' | 'single-lamp-controller' | 'wifi';
  state: MapStateName;
  x: number;
  y?: number;
  atPole?: boolean;
}
const families = ['lamp-pole', 'single-lamp-controller', 'wifi'];

/** Things at steps of a millionth of a degree beside a corner in 滨江, ids from 1. */
function columnsOf(things: readonly Thing[]) {
  return {
    ids: differences(things.map((_, index) => index + 1)),
    kinds: things.map(
      ({ family, state, atPole }) =>
        families.indexOf(family) * 16 + mapStates.indexOf(state) * 2 + (atPole === true ? 1 : 0),
    ),
    dx: differences(things.map(({ x }) => 120_200_000 + x)),
    dy: differences(things.map(({ y = 0 }) => 30_200_000 + y)),
  };
}
const fieldOf = (things: readonly Thing[]): DeviceField => new DeviceField(families, columnsOf(things));
const everything = { families: new Set(families), states: new Set(mapStates), ids: null };

describe('places', () => {
  const street = (): DeviceField =>
    fieldOf([
      { family: 'lamp-pole', state: 'inUse', x: 0 },
      { family: 'single-lamp-controller', state: 'on', x: 0, atPole: true },
      { family: 'lamp-pole', state: 'inUse', x: 300 },
      { family: 'single-lamp-controller', state: 'alarm', x: 300, atPole: true },
      { family: 'wifi', state: 'offline', x: 600 },
      { family: 'wifi', state: 'on', x: 0 },
    ]);

  test('what stands at one place is one stack, however far apart in the answer; the pole comes first', () => {
    const field = street();
    expect(field.stackOf(5)).toEqual([0, 1, 5]);
    expect(field.stackOf(3)).toEqual([2, 3]);
    expect(field.stackOf(4)).toEqual([4]);
    expect(field.lngLat(2)[0]).toBeCloseTo(120.2003, 6);
  });

  test('a place is one mark: its first picture, its worst state, how many; the worst lie on top', () => {
    const { count, looks, kinds } = marksOf(street());
    const marks = Array.from({ length: count }, (_, index) => [
      mapStates[looks[index]! & 7],
      families[kinds[index]! % 32],
      Math.floor(kinds[index]! / 32),
    ]);
    expect(marks).toEqual([
      ['on', 'lamp-pole', 3],
      ['offline', 'wifi', 1],
      ['alarm', 'lamp-pole', 2],
    ]);
  });

  test('layers, states and a road decide what counts; selection shows at the place', () => {
    const field = street();
    field.show({ ...everything, families: new Set(['lamp-pole']) });
    expect([...marksOf(field).kinds].map((kind) => Math.floor(kind / 32))).toEqual([1, 1]);
    field.show({ ...everything, states: new Set<MapStateName>(['alarm', 'offline']) });
    expect([...field.visible]).toEqual([0, 0, 0, 1, 1, 0]);
    field.show({ ...everything, ids: new Set([2]) });
    field.select(new Set([2]));
    expect([...marksOf(field).looks]).toEqual([8]);
    expect(field.tally().families.get('wifi')).toBe(2);
    expect(field.tally().states).toMatchObject({ inUse: 2, alarm: 1 });
  });

  test('a hidden state hides what gets into it and shows what leaves it', () => {
    const things: Thing[] = [
      { family: 'lamp-pole', state: 'inUse', x: 0 },
      { family: 'wifi', state: 'on', x: 50 },
      { family: 'wifi', state: 'alarm', x: 90 },
    ];
    const field = fieldOf(things);
    field.show({ ...everything, families: new Set(['wifi']), states: new Set<MapStateName>(['alarm', 'offline']) });
    expect(
      field.take(
        families,
        columnsOf([
          { ...things[0]!, state: 'alarm' },
          { ...things[1]!, state: 'offline' },
          { ...things[2]!, state: 'on' },
        ]),
      ),
    ).toBe(true);
    expect([...field.visible]).toEqual([0, 1, 0]);
    field.apply([[3, mapStates.indexOf('alarm'), 0]]);
    expect([...field.visible]).toEqual([0, 1, 1]);
  });

  test('pills tell the worst of a neighbourhood; what is in use and says nothing worries nobody', () => {
    expect(clusterLamps(street(), 12)).toMatchObject([{ state: mapStates.indexOf('alarm'), inState: 1, total: 3 }]);
    expect(clusterLamps(fieldOf([{ family: 'lamp-pole', state: 'inUse', x: 0 }]), 12)).toEqual([]);
  });

  test('an answer in which only states differ is taken over; one with another place is not', () => {
    const things: Thing[] = [
      { family: 'lamp-pole', state: 'inUse', x: 0 },
      { family: 'wifi', state: 'on', x: 50 },
    ];
    const field = fieldOf(things);
    let told = 0;
    field.subscribe(() => told++);
    expect(field.take(families, columnsOf([things[0]!, { ...things[1]!, state: 'offline' }]))).toBe(true);
    expect([field.mapState(1), told]).toEqual(['offline', 1]);
    expect(field.take(families, columnsOf([things[0]!, { ...things[1]!, x: 51 }]))).toBe(false);
    expect(field.take(families, columnsOf([things[0]!, { ...things[1]!, atPole: true }]))).toBe(false);
    expect(field.take(families, columnsOf(things.slice(0, 1)))).toBe(false);
  });
});

describe('polygons', () => {
  const square = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 10 },
    { x: 0, y: 10 },
  ];
  test('inside and outside, a bay is outside, fewer than three corners hold nothing', () => {
    expect(insidePolygon({ x: 5, y: 5 }, square)).toBe(true);
    expect(insidePolygon({ x: 11, y: 5 }, square)).toBe(false);
    const bay = [...square.slice(0, 3), { x: 5, y: 2 }, square[3]!];
    expect(insidePolygon({ x: 5, y: 8 }, bay)).toBe(false);
    expect(insidePolygon({ x: 5, y: 1 }, bay)).toBe(true);
    expect(insidePolygon({ x: 5, y: 5 }, square.slice(0, 2))).toBe(false);
  });

  test('a triangle holds what lies on the same side of its three lines', () => {
    const point = fc.record({ x: fc.integer({ min: -50, max: 50 }), y: fc.integer({ min: -50, max: 50 }) });
    fc.assert(
      fc.property(point, point, point, point, (p, a, b, c) => {
        const side = (from: typeof a, to: typeof a): number =>
          (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
        const sides = [side(a, b), side(b, c), side(c, a)];
        fc.pre(sides.every((value) => value !== 0));
        expect(insidePolygon(p, [a, b, c])).toBe(
          sides.every((value) => value > 0) || sides.every((value) => value < 0),
        );
      }),
    );
  });
});
