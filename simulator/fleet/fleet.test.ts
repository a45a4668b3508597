import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../city/dramas.ts';
import type { Handover } from '../city/handover.ts';
import { defaultSeed, generateCity } from '../city/index.ts';
import { firstMemory } from '../lamp/lamp.ts';
import { applyScenario } from '../scenarios/scenario.ts';
import { createAgenda } from './agenda.ts';
import { createFleet, dayMs, type Fleet } from './fleet.ts';
import { readMemory, writeMemory, type FleetMemory } from './memory-file.ts';
import { storiesOf } from './stories.ts';
import { cabinetWeek, lampWeek } from './week.ts';

const startedAt = Date.parse('2026-11-20T18:00:00+08:00');
const city = generateCity({ seed: defaultSeed, lamps: 3000 });
const idsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index);
const lampIds = idsFrom(1, city.lamps.length);
const controllerIds = idsFrom(100_001, city.boxes.length);
const equipmentIds = idsFrom(200_001, city.equipment.length);
const handover: Handover = {
  ...{ format: 1, token: 'T', broker: 'mqtt://127.0.0.1:1', seed: defaultSeed, lamps: 3000 },
  ...{ lampIds, controllerIds, equipmentIds },
  credentials: [...lampIds, ...controllerIds, ...equipmentIds].map((deviceId) => ({
    deviceId,
    ...{ code: `D-${deviceId}`, clientId: `${deviceId}`, username: `${deviceId}`, password: '' },
  })),
};
const agenda = createAgenda(() => startedAt);
const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
afterAll(() => {
  agenda.stop();
  rmSync(folder, { recursive: true });
});

const first: FleetMemory = {
  ...{ token: 'T', startedAt, delivered: false, weekDelivered: false, dramas: true },
  ...{ lamps: {}, cabinets: {} },
};
const fleetOf = (memory: FleetMemory, now = startedAt): Fleet =>
  createFleet({ handover, memory, agenda, now: () => now, failed: () => undefined });
let fleet: Fleet;
beforeAll(() => {
  fleet = fleetOf(first);
});

test('a simulator that was stopped before the week was told tells the same week: never days that are told', () => {
  const later = startedAt + 2 * dayMs;
  const lamps = Object.fromEntries(
    fleet.lamps.map(({ parts, lamp: { spec } }) => [
      parts.address.deviceId,
      { ...firstMemory(spec, later + spec.clockOffsetMs), energyKwh: 99_999 },
    ]),
  );
  const cabinets = Object.fromEntries(
    controllerIds.map((id) => [id, { at: later, energyKwh: 199_999, watts: 0, warmth: 6 }]),
  );
  const again = fleetOf({ ...first, delivered: true, lamps, cabinets }, later);
  const from = startedAt - 7 * dayMs;
  for (const index of [0, 700, 2100]) {
    const [before, after] = [fleet, again].map((one) => lampWeek(one.lamps[index]!, from, startedAt));
    expect(after).toEqual(before);
    const { clockOffsetMs } = fleet.lamps[index]!.lamp.spec;
    expect(after!.at(-1)!.at).toBeLessThan(startedAt - dayMs + clockOffsetMs);
  }
  const [before, after] = [fleet, again].map((one) => cabinetWeek(one, one.controllers[3]!, from, startedAt));
  expect(after).toEqual(before);
  expect(after!.at(-1)!.at).toBeLessThan(startedAt - dayMs);
});

test('a city whose day an earlier version told has neither a week to tell nor dramas', () => {
  const file = join(folder, 'memory.json');
  const { weekDelivered: _week, dramas: _dramas, ...earlier } = first;
  writeMemory(file, { ...earlier, delivered: true } as FleetMemory);
  const memory = readMemory(file, 'T')!;
  expect(memory).toMatchObject({ weekDelivered: true, dramas: false });
  const old = fleetOf(memory, startedAt + 30 * dayMs);
  expect(storiesOf(old.city, handover, startedAt)).toEqual([]);
  expect(storiesOf(fleet.city, handover, startedAt).length).toBe(4);
  const silent = (one: Fleet): number => one.lamps.filter(({ parts }) => parts.silentSince !== null).length;
  expect(silent(old)).toBeLessThan(silent(fleet));
  writeMemory(file, first);
  expect(readMemory(file, 'T')).toEqual(first);
});

test('devices behind a silent gateway are silent since it is, or before', () => {
  const gateways = city.equipment.flatMap(({ trouble }, index) => (trouble === 'silent' ? [index] : []));
  const behind = city.equipment.flatMap(({ gateway, trouble }, index) =>
    gateway !== null && gateways.includes(gateway) && trouble !== 'never' ? [[index, gateway] as const] : [],
  );
  expect(behind.length).toBeGreaterThan(0);
  const since = (index: number): number => Number(fleet.equipment[index]!.parts.silentSince);
  for (const [index, gateway] of behind)
    if (city.equipment[index]!.trouble === null) expect(since(index)).toBe(since(gateway));
    else expect(since(index)).toBeLessThanOrEqual(since(gateway));
});

test('neither the end of an outage nor a scenario undoes the other', () => {
  const box = fleet.city.dramas.failingBox!;
  const lamps = fleet.lampsOfBox(box);
  const [mute, plain] = [lamps[0]!, lamps[1]!];
  const outage = failureOf(plain.lamp.settings.place, startedAt)!;
  const night = fleetOf(first, outage.from);
  const [one, other] = night.lampsOfBox(box);
  applyScenario(night, { [mute.parts.code]: 'mute' });
  for (const lamp of night.lampsOfBox(box)) lamp.blackOut(true);
  applyScenario(night, { [mute.parts.code]: 'mute', 'no such lamp': 'sound' });
  expect([one!.lamp.relay, other!.lamp.relay]).toEqual([false, false]);
  for (const lamp of night.lampsOfBox(box)) lamp.blackOut(false);
  expect([one!.manners, other!.manners]).toEqual(['mute', 'normal']);
  expect(other!.lamp.relay).toBe(true);
});
