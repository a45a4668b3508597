import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, test } from 'vitest';
import fc from '../testing/properties.ts';
import { keptBecause, orderRow, roleAt, rowSteps, type RowPole, type RowSide } from './rows.ts';

const metre = 1 / 111_195;
/** A pole at metres east and north of a point of a city. */
const pole = (id: number, east: number, north: number, side: RowSide = 'left', code = `P-${id}`): RowPole => ({
  id,
  code,
  longitude: 120.2 + (east * metre) / Math.cos((30.25 * Math.PI) / 180),
  latitude: 30.25 + north * metre,
  side,
});
const ids = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const orderOf = (poles: readonly RowPole[], side: RowSide = 'left'): readonly number[] | undefined =>
  orderRow(poles).rows.find((row) => row.side === side)?.poleIds;

const metres = (poles: readonly RowPole[]): readonly (readonly [number, number])[] =>
  poles.map(({ longitude, latitude }) => [
    ((longitude ?? 0) * Math.cos(((poles[0]?.latitude ?? 0) * Math.PI) / 180)) / metre,
    (latitude ?? 0) / metre,
  ]);
const apart = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number =>
  Math.hypot(ax - bx, ay - by);

/** The least length of anything that joins all poles: no row through them is shorter. */
function leastLength(poles: readonly RowPole[]): number {
  const places = metres(poles);
  const far = places.map(() => Number.POSITIVE_INFINITY);
  const open = new Set(places.keys());
  let [length, at] = [0, 0];
  while (open.delete(at) && open.size > 0) {
    for (const i of open) far[i] = Math.min(far[i]!, apart(places[at]!, places[i]!));
    at = [...open].reduce((best, i) => (far[i]! < far[best]! ? i : best));
    length += far[at]!;
  }
  return length;
}

function lengthOf(poles: readonly RowPole[], order: readonly number[]): number {
  const places = metres(poles);
  const placeOf = new Map(poles.map(({ id }, i) => [id, places[i]!]));
  return order.slice(1).reduce((sum, id, i) => sum + apart(placeOf.get(order[i]!)!, placeOf.get(id)!), 0);
}

describe('rows of poles', () => {
  it('a straight road, however it turns: along it, the way its codes ascend', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 60 }),
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        fc.infiniteStream(fc.double({ min: -3, max: 3, noNaN: true })),
        (count, angle, noise) => {
          const poles = ids(count).map((id) => {
            const [along, across] = [id * 30, noise.next().value as number];
            return pole(
              id,
              along * Math.cos(angle) - across * Math.sin(angle),
              along * Math.sin(angle) + across * Math.cos(angle),
            );
          });
          expect(orderOf(poles)).toEqual(ids(count));
        },
      ),
    );
  });

  it('a road that winds or returns: from neighbour to neighbour', () => {
    const winding = ids(80).map((id) => pole(id, id * 12, 300 * Math.sin(id / 9)));
    expect(orderOf(winding)).toEqual(ids(80));
    // A horseshoe, whose ends lie side by side.
    const horseshoe = ids(50).map((id) => pole(id, 200 * Math.cos((id * 6) / 50), 200 * Math.sin((id * 6) / 50)));
    expect(orderOf(horseshoe)).toEqual(ids(50));
  });

  it('a ring: every neighbour stands beside it, wherever the row begins', () => {
    const ring = ids(60).map((id) =>
      pole(id, 250 * Math.cos((id * Math.PI) / 30), 250 * Math.sin((id * Math.PI) / 30)),
    );
    const order = orderOf(ring) ?? [];
    order.slice(1).forEach((id, i) => expect([1, 59]).toContain(Math.abs(id - order[i]!)));
    expect(new Set(order).size).toBe(60);
  });

  it('both sides run the same way, whatever their codes say, and the middle has a row of its own', () => {
    const left = ids(20).map((id) => pole(id, id * 30, 6, 'left'));
    // Numbered back on the other side.
    const right = ids(15).map((id) => pole(100 + id, 640 - id * 40, -6, 'right', `P-${100 + id}`));
    const median = ids(5).map((id) => pole(200 + id, id * 100, 0, 'median', `M-${id}`));
    const { rows } = orderRow([...right, ...median, ...left]);
    expect(rows.map(({ side }) => side)).toEqual(['left', 'right', 'median']);
    expect(rows.map(({ poleIds }) => poleIds)).toEqual([
      ids(20),
      ids(15)
        .map((id) => 100 + id)
        .toReversed(),
      ids(5).map((id) => 200 + id),
    ]);
  });

  it('codes ascend as people count: 2 before 10', () => {
    const codes = ['路-10', '路-2', '路-1', '路-20', '路-3'];
    const along = new Map(['路-1', '路-2', '路-3', '路-10', '路-20'].map((code, i) => [code, i]));
    const poles = codes.map((code, i) => pole(i + 1, -(along.get(code) ?? 0) * 25, 0, 'none', code));
    expect(orderOf(poles, 'none')).toEqual([3, 2, 5, 1, 4]);
  });

  it('poles without coordinates are named and in no row; half a position is none', () => {
    const poles = [
      pole(1, 0, 0),
      { ...pole(3, 0, 0), longitude: null, latitude: null },
      { ...pole(2, 0, 0), latitude: null },
    ];
    expect(orderRow(poles)).toEqual({ rows: [{ side: 'left', poleIds: [1] }], unplaced: [2, 3] });
    expect(orderRow([])).toEqual({ rows: [], unplaced: [] });
  });

  it('across the meridian at 180° a road is as long as it is', () => {
    const poles = ids(12).map((id) => ({
      ...pole(id, 0, 0),
      longitude: id < 7 ? 180 - (7 - id) * 3e-4 : -180 + (id - 7) * 3e-4,
    }));
    expect(orderOf(poles)).toEqual(ids(12));
  });

  it('every pole once, the sequence they are given in changes nothing', () => {
    const side = fc.constantFrom<RowSide>('left', 'right', 'median', 'none');
    const place = fc.record({ east: fc.integer({ min: 0, max: 500 }), north: fc.integer({ min: 0, max: 40 }), side });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 60 }), (places, keys) => {
        const poles = places.map((at, i) => pole(i + 1, at.east, at.north, at.side));
        const mixed = poles.toSorted((a, b) => (keys[a.id] ?? 0) - (keys[b.id] ?? 0));
        const found = orderRow(poles);
        expect(orderRow(mixed)).toEqual(found);
        expect(found.rows.flatMap(({ poleIds }) => poleIds).toSorted((a, b) => a - b)).toEqual(ids(places.length));
        for (const { side: row, poleIds } of found.rows)
          expect(poleIds.every((id) => poles[id - 1]?.side === row)).toBe(true);
      }),
    );
  });

  it('10,000 poles, heaped or spread, are ordered in many short steps', () => {
    for (const grid of [1, 50, 100_000]) {
      const poles = ids(10_000).map((id) => pole(id, ((id * 7919) % grid) * 3, ((id * 104_729) % grid) * 3));
      const steps = rowSteps(poles);
      let turns = 0;
      while (!steps.next().done) turns += 1;
      expect(turns).toBeGreaterThan(300);
    }
  });
});

describe('what a pole is in its row', () => {
  const inside = { position: 4, rowLength: 9, junction: false, keep: false };
  it.each([
    [inside, null],
    [{ ...inside, position: 0 }, 'end'],
    [{ ...inside, position: 8 }, 'end'],
    [{ ...inside, junction: true }, 'junction'],
    [{ ...inside, keep: true }, 'hand'],
    [{ ...inside, position: 1, rowLength: 2 }, 'short'],
  ] as const)('%o is kept lit: %s', (standing, kept) => {
    expect(keptBecause(standing)).toBe(kept);
    expect(roleAt(standing, 'right')).toEqual({
      position: standing.position,
      rowLength: standing.rowLength,
      right: true,
      keep: kept !== null,
      minLevel: 0,
      rotation: 'weekly',
    });
  });
});

const data = join(import.meta.dirname, '../../../shared/data');
const rowsOf = (name: string): Record<string, string>[] =>
  parse(gunzipSync(readFileSync(join(data, name))).toString('utf8'), { columns: true, bom: true });
const inventories: readonly [string, (row: Record<string, string>) => { road: string; east: number; north: number }][] =
  [
    [
      'zhongli_street_lamps.csv.gz',
      (row) => ({ road: row['路街'] ?? '', east: Number(row['X']), north: Number(row['Y']) }),
    ],
    [
      'dc_downtown_street_lamps.csv.gz',
      (row) => ({
        road: row['STREETNAME'] ?? '',
        east: (Number(row['XCOORD']) / metre) * Math.cos((38.9 * Math.PI) / 180),
        north: Number(row['YCOORD']) / metre,
      }),
    ],
  ];

/**
 * The gaps of a real road are no measure alone: a road with a stretch without lamps has one long gap in any order. What
 * no order can be shorter than is the measure.
 */
test.skipIf(!existsSync(data)).each(inventories)(
  'real roads of %s (skipped where absent): rows at most 1.3 times as long as anything that joins their poles, on 95 of 100 roads',
  (name, read) => {
    const roads = new Map<string, RowPole[]>();
    for (const [i, row] of rowsOf(name).entries()) {
      const { road, east, north } = read(row);
      if (road === '' || !(Math.abs(east) > 1000) || !(north > 1000)) continue;
      const list = roads.get(road) ?? [];
      list.push({ id: i, code: `${i}`, side: 'none', ...degrees(east, north) });
      roads.set(road, list);
    }
    const counted = [...roads.values()].filter((poles) => poles.length >= 5);
    const good = counted.filter((poles) => lengthOf(poles, orderOf(poles, 'none') ?? []) <= 1.3 * leastLength(poles));
    expect(counted.length).toBeGreaterThan(50);
    expect(good.length / counted.length).toBeGreaterThan(0.95);
  },
);
const degrees = (east: number, north: number) => ({ longitude: east * metre, latitude: (north * metre) % 1 });
