import { describe, expect, it } from 'vitest';
import { drawBaseMap, boundsOf } from './base-map.ts';
import { lampsBehind } from './dramas.ts';
import { equipmentCount } from './equipment.ts';
import { equipmentFamilies, troublesOf } from './equipment-kinds.ts';
import { commonFaults, rareFaults, wrongDays } from './faults.ts';
import { defaultSeed, generateCity, type City } from './index.ts';
import { distance, distanceToLine, toDegrees } from './plane.ts';
import type { Pole } from './types.ts';
import { disobedientCount } from './obedience.ts';
import type { Obedience } from './types.ts';

const city = generateCity({ seed: defaultSeed, lamps: 3000 });
const streetOf = (pole: Pole) => city.streets[pole.street] ?? city.streets[0]!;

describe('the demo city', () => {
  it('is the same for the same seed and another for another', () => {
    expect(JSON.stringify(generateCity({ seed: defaultSeed, lamps: 3000 }))).toBe(JSON.stringify(city));
    expect(generateCity({ seed: 7, lamps: 300 }).streets[0]?.line).not.toEqual(
      generateCity({ seed: 8, lamps: 300 }).streets[0]?.line,
    );
  });

  it.each([100, 640, 3000, 10_000])('has exactly %i lamps, each on a pole and a loop', (lamps) => {
    const made = lamps === 3000 ? city : generateCity({ seed: defaultSeed, lamps });
    expect(made.lamps).toHaveLength(lamps);
    expect(made.loops.reduce((sum, loop) => sum + loop.lamps.length, 0)).toBe(lamps);
    expect(made.lamps.filter((lamp, index) => !made.loops[lamp.loop]?.lamps.includes(index))).toEqual([]);
    expect(made.poles.reduce((sum, pole) => sum + pole.heads, 0)).toBe(lamps);
    for (const codes of [
      made.lamps.map((l) => l.code),
      made.poles.map((p) => p.code),
      made.boxes.map((b) => b.controllerCode),
      made.streets.map((s) => s.code),
    ])
      expect(new Set(codes).size).toBe(codes.length);
  });

  it('has every pole at the edge or the middle of its street', () => {
    for (const pole of city.poles) {
      const off = distanceToLine(pole.at, streetOf(pole).line);
      expect(off).toBeLessThanOrEqual(streetOf(pole).width / 2 + 0.5);
      if (pole.side !== 'median') expect(off).toBeGreaterThan(1.5);
    }
  });

  it('has no pole on another street’s carriageway', () => {
    const boxes = city.streets
      .map(({ line, width }) => ({ width, line, xs: line.map(([x]) => x), ys: line.map(([, y]) => y) }))
      .map(({ xs, ys, ...street }) => ({
        ...street,
        box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const,
      }));
    const standing = city.poles.filter(({ at: [x, y], ...pole }) =>
      boxes.some(
        ({ box: [west, south, east, north], width, line }, index) =>
          index !== pole.street &&
          x > west - width &&
          x < east + width &&
          y > south - width &&
          y < north + width &&
          distanceToLine([x, y], line) <= width / 2,
      ),
    );
    expect(standing.map((pole) => pole.code)).toEqual([]);
  });

  it('has no two poles in one place', () => {
    for (const row of Map.groupBy(city.poles, (pole) => Math.floor(pole.at[0] / 50)).values()) {
      expect(row.filter((a) => row.some((b) => a !== b && distance(a.at, b.at) < 5))).toEqual([]);
    }
  });

  it('has poles 25 to 40 m apart along each side', () => {
    const rows = Map.groupBy(city.poles, (pole) => `${pole.street} ${pole.side}`);
    const steps = [...rows.values()].flatMap((row) => row.slice(1).map((pole, i) => pole.along - (row[i]?.along ?? 0)));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(25);
    // Longer ones only where a crossing leaves a pole out.
    expect(steps.filter((step) => step > 40).length / steps.length).toBeLessThan(0.25);
    expect(steps.filter((step) => step > 130)).toEqual([]);
  });

  it('has named streets of three classes, walks, a bridged river', () => {
    for (const roadClass of ['arterial', 'secondary', 'branch', 'park'] as const)
      expect(city.streets.filter((street) => street.roadClass === roadClass).length).toBeGreaterThan(3);
    expect(city.streets.map((street) => street.name)).toEqual(expect.arrayContaining(['滨江大道', '江南大道']));
    expect(city.streets.every((street) => /^[\u4e00-\u9fff]{2,}$/u.test(street.name))).toBe(true);
    expect(city.streets.flatMap((street) => street.bridges).length).toBeGreaterThanOrEqual(2);
    const names = city.streets.filter((street) => street.lit).map((street) => street.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('feeds loops of one phase from boxes near them', () => {
    for (const loop of city.loops) {
      expect(loop.lamps.length).toBeLessThanOrEqual(22);
      const box = city.boxes[loop.box];
      expect(box && loop.lamps.every((lamp) => distance(city.poles[city.lamps[lamp]!.pole]!.at, box.at) < 2200)).toBe(
        true,
      );
    }
    for (const box of city.boxes) expect(box.loops.length).toBeLessThanOrEqual(6);
    expect(new Set(city.loops.map((loop) => loop.phase))).toEqual(new Set(['A', 'B', 'C']));
    expect(city.transformers.length).toBeGreaterThan(5);
  });

  it('lets at least 600 lamps speak for themselves', () => {
    expect(city.lamps.filter((lamp) => lamp.direct && lamp.fault !== 'N301').length).toBeGreaterThanOrEqual(600);
  });

  it.each([200, 3000])('has two lamps that are faulty and whose clocks are days wrong (%i lamps)', (lamps) => {
    const wrong = (lamps === 3000 ? city : generateCity({ seed: defaultSeed, lamps })).lamps.filter(
      (lamp) => lamp.clockDaysAhead !== 0,
    );
    expect(wrong.map(({ clockDaysAhead }) => clockDaysAhead)).toEqual(wrongDays);
    for (const { direct, fault } of wrong) expect([direct, fault]).toEqual([true, expect.stringMatching(/^L/)]);
  });

  it.each([defaultSeed, 1, 2])(
    'has twenty sound lamps that disobey, on as many roads, and old ones (seed %i)',
    (seed) => {
      const made = seed === defaultSeed ? city : generateCity({ seed, lamps: 3000 });
      const of = (obedience: Obedience) => made.lamps.filter((lamp) => lamp.obedience === obedience);
      const disobedient = of('wrongPlan');
      expect(disobedient).toHaveLength(20);
      expect(new Set(disobedient.map(({ pole }) => made.poles[pole]!.street)).size).toBe(20);
      for (const { fault, loop } of disobedient) {
        expect(fault).toBeNull();
        expect(made.boxes[made.loops[loop]!.box]!.silent).toBe(false);
      }
      // What lamps of parks do is published to nobody.
      for (const { pole } of disobedient) expect(made.streets[made.poles[pole]!.street]!.roadClass).not.toBe('park');
      const old = of('table');
      expect(new Set(old.map(({ loop }) => made.loops[loop]!.box)).size).toBe(1);
      expect(old.every(({ direct }) => !direct)).toBe(true);
      expect(old.length).toBeGreaterThan(60);
      expect(old.length).toBeLessThanOrEqual(300);
    },
  );

  it.each([100, 300])('has fewer of both in a small city (%i lamps)', (lamps) => {
    const small = generateCity({ seed: defaultSeed, lamps });
    const count = (obedience: Obedience) => small.lamps.filter((lamp) => lamp.obedience === obedience).length;
    expect(count('wrongPlan')).toBe(disobedientCount(lamps));
    expect(count('table')).toBe(lamps / 10);
  });

  it.each([defaultSeed, 1, 2])('has at least 20 lamps of each common fault and 5 of each other (seed %i)', (seed) => {
    const made = seed === defaultSeed ? city : generateCity({ seed, lamps: 3000 });
    const count = (code: string) => made.lamps.filter((lamp) => lamp.fault === code).length;
    for (const code of commonFaults) expect(count(code), code).toBeGreaterThanOrEqual(20);
    for (const code of rareFaults) expect(count(code), code).toBeGreaterThanOrEqual(5);
    expect(made.lamps.filter((lamp) => lamp.fault !== null).length).toBeLessThan(300);
    // A silent controller hides no faulty lamp.
    for (const lamp of made.lamps)
      if (made.boxes[made.loops[lamp.loop]!.box]!.silent) expect(lamp).toMatchObject({ fault: null, direct: false });
  });
});

describe('its other devices', () => {
  it.each([100, 300, 3000, 20_000])(
    'are of every family, few or many (%i lamps)',
    (lamps) => {
      const { equipment, poles, boxes } = lamps === 3000 ? city : generateCity({ seed: defaultSeed, lamps });
      expect(new Set(equipment.map(({ code }) => code)).size).toBe(equipment.length);
      for (const family of equipmentFamilies) {
        const own = equipment.filter((one) => one.family === family);
        expect(own).toHaveLength(equipmentCount(family, lamps));
        expect(own.length, family).toBeGreaterThanOrEqual(lamps === 3000 ? 5 : 2);
        expect(own.length, family).toBeLessThanOrEqual(lamps === 3000 ? 60 : 240);
      }
      for (const { pole, at, gateway, box } of equipment) {
        expect(box === null ? distance(poles[pole]!.at, at) : distance(boxes[box]!.at, at)).toBeLessThan(40);
        if (gateway !== null) expect(equipment[gateway]?.family).toBe('gateway');
      }
    },
    60_000,
  );

  it.each([defaultSeed, 1, 2])('are well as a rule, and each trouble is there (seed %i)', (seed) => {
    const { equipment } = seed === defaultSeed ? city : generateCity({ seed, lamps: 3000 });
    for (const family of equipmentFamilies) {
      const own = equipment.filter((one) => one.family === family);
      const troubled = own.flatMap(({ trouble }) => trouble ?? []);
      expect(new Set(troubled), family).toEqual(new Set(troublesOf[family]));
      expect(troubled.length, family).toBeLessThanOrEqual(own.length / 3);
    }
  });

  it('stand where they would: covers in the road, locks in rows, cameras and screens on smart poles', () => {
    const of = (family: string) => city.equipment.filter((one) => one.family === family);
    for (const { pole, at } of of('manhole-cover')) {
      const { line, width } = streetOf(city.poles[pole]!);
      expect(distanceToLine(at, line)).toBeLessThan(width / 2 - 1);
    }
    for (const family of ['gateway', 'information-screen', 'security-camera', 'wifi'])
      for (const { pole } of of(family)) expect(city.poles[pole]?.kind).toBe('equipment_type_24');
    for (const { at, pole } of of('parking-lock')) {
      const { line, width } = streetOf(city.poles[pole]!);
      expect(distanceToLine(at, line)).toBeGreaterThan(width / 2);
      expect(of('parking-lock').some((other) => other.at !== at && distance(other.at, at) < 3)).toBe(true);
    }
    for (const { pole } of of('solar-controller')) expect(streetOf(city.poles[pole]!).roadClass).toBe('park');
  });
});

describe('its dramas', () => {
  it.each([defaultSeed, 1, 2])('are four, on different lamps (seed %i)', (seed) => {
    const { dramas, lamps, loops, boxes, poles } = seed === defaultSeed ? city : generateCity({ seed, lamps: 3000 });
    const failing = boxes[dramas.failingBox ?? -1]!;
    const dark = failing.loops.flatMap((loop) => loops[loop]!.lamps);
    expect(dark.length).toBeGreaterThan(20);
    const behind = lampsBehind(loops, dramas.cut);
    expect(behind.length).toBeGreaterThan(2);
    // The last road of the loop is dark as a whole.
    const road = poles[lamps[behind[0]!]!.pole]!.street;
    expect(lamps.flatMap(({ pole }, lamp) => (poles[pole]!.street === road ? [lamp] : []))).toEqual(
      behind.toSorted((a, b) => a - b),
    );
    expect(lamps[dramas.stuckLamp!]?.fault).toBe('L112');
    expect(lamps[dramas.dyingLamp!]).toMatchObject({ fault: null, obedience: 'plan' });
    const all = [...dark, ...behind, dramas.stuckLamp, dramas.dyingLamp];
    expect(new Set(all).size).toBe(all.length);
  });

  it('are none in a small city', () => {
    expect(Object.values(generateCity({ seed: defaultSeed, lamps: 400 }).dramas)).toEqual([null, null, null, null]);
  });
});

describe('its base map', () => {
  const map = drawBaseMap(city);
  it('has all layers, closed rings and stays below a megabyte', () => {
    const layers = new Set(map.features.map((feature) => feature.properties.layer));
    expect([...layers].sort()).toEqual(['block', 'bridge', 'building', 'park', 'road', 'water']);
    for (const { geometry } of map.features) {
      if (geometry.type === 'LineString') expect(geometry.coordinates.length).toBeGreaterThan(1);
      else
        for (const ring of geometry.coordinates)
          expect(ring.length > 3 && String(ring[0]) === String(ring.at(-1))).toBe(true);
    }
    expect(JSON.stringify(map).length).toBeLessThan(1_000_000);
  });

  it('bounds every lamp', () => {
    const [west, south, east, north] = boundsOf(city);
    for (const pole of city.poles) {
      const [longitude, latitude] = toDegrees(pole.at);
      expect(longitude >= west && longitude <= east && latitude >= south && latitude <= north).toBe(true);
    }
  });
});

it('a city of 20,000 lamps is possible, in seconds', () => {
  const large: City = generateCity({ seed: defaultSeed, lamps: 20_000 });
  expect(large.lamps).toHaveLength(20_000);
}, 60_000);
