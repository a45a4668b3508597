import { describe, expect, test } from 'vitest';
import { quantities } from '../../../../catalogue/quantities/index.ts';
import { curveOf, gapsIn, type Readings } from './curves.ts';

const start = Date.parse('2026-11-20T12:00:00.000Z');
const minute = 60_000;
const readings = (...all: [minutes: number, values: Record<string, number | boolean>][]): Readings => all.map(([minutes, values]) => ({ at: new Date(start + minutes * minute).toISOString(), quality: 'measured', values }));
const report = { lit: 900, unlit: 3600, heartbeat: 300 };

describe('gaps', () => {
  test('are where more than two periods lie between readings, by what the lamp was doing; the silence until the end counts', () => {
    const some = readings([0, { relay: true }], [15, { relay: true }], [60, { relay: false }], [150, { relay: false }]);
    expect(gapsIn(some, report, start + 300 * minute)).toEqual([{ from: start + 15 * minute, to: start + 60 * minute }, { from: start + 150 * minute, to: start + 300 * minute }]);
  });
});

describe('a curve', () => {
  const of = (key: string, ...values: number[]) => {
    const quantity = quantities.get(key);
    if (quantity?.kind !== 'number') throw new Error(key);
    return curveOf(quantity, readings(...values.map((value, index): [number, Record<string, number>] => [index, { [key]: value }])), [], { from: start, to: start + minute }, { name: key, unit: '' });
  };
  test('is none where the quantity was not reported', () => expect(of('voltage')).toBeUndefined());
  test('of power begins at zero, of a voltage around what it is, of a temperature below zero has room', () => {
    expect(of('power', 100, 101)?.spec.min).toBeUndefined();
    const { min = 0, max = 0 } = of('voltage', 226, 228)?.spec ?? {};
    expect(min).toBeGreaterThan(200);
    expect(max).toBeLessThan(250);
    expect(of('temperature', -5, 3)?.spec.min).toBeLessThan(-5);
  });
  test('tells its last value', () => expect(of('voltage', 226, 228)?.last).toBe(228));
});
