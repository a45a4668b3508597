import { setTimeout as sleep } from 'node:timers/promises';
import { readingsOut, type OutReading } from '../../protocols/mqtt-json/device.ts';
import { ageingMs, isFailing } from '../city/dramas.ts';
import { firstMemory, history, Lamp, type LampMemory } from '../lamp/lamp.ts';
import { Cabinet, firstCabinetMemory } from './cabinet.ts';
import { nextControllerReport, type ControllerPlayer } from './controller-player.ts';
import { dayMs, type Fleet } from './fleet.ts';
import type { LampPlayer } from './lamp-player.ts';

/** The days before the first one: told once, behind everything else, in coarser steps than a device reports in. */
const weekMs = 7 * dayMs;
const lampStep = { litSeconds: 1800, unlitSeconds: 3600 } as const;
const cabinetStepMs = 3 * 300_000;
const equipmentStepMs = 15 * 60_000;
/** Readings a second: a server that is looked at meanwhile answers as usual. */
const perSecond = 3500;
/** Lamps that tell their week; those of a larger city begin with their first day. */
export const mostLampsOfWeek = 3000;
const wrongClockMs = 3_600_000;

/**
 * What a lamp would have said from `from` until the first day of its city, when it had no plan yet: its counters end
 * where its first memory begins. `startedAt`: when the city was first played.
 */
export function lampWeek(player: LampPlayer, from: number, startedAt: number): OutReading[] {
  const { spec } = player.lamp;
  // Not the memory that it has kept: that may be of days which are told already.
  const first = firstMemory(player.parts.lamp.spec, startedAt - dayMs + spec.clockOffsetMs);
  const { plan: _plan, ...settings } = player.lamp.settings;
  const begin: LampMemory = {
    ...firstMemory(spec, from + spec.clockOffsetMs),
    energyKwh: 0,
    runHours: 0,
    switchCount: 0,
  };
  const lamp = new Lamp(spec, { ...settings, ...lampStep }, begin);
  const readings = [...history(lamp, first.at)];
  const last = lamp.memory;
  const shift = {
    energy: first.energyKwh - last.energyKwh,
    runHours: first.runHours - last.runHours,
    switchCount: first.switchCount - last.switchCount,
  };
  return readings.map(({ at, values }) => ({
    at,
    values: {
      ...values,
      energy: rounded(Number(values['energy']) + shift.energy, 3),
      runHours: rounded(Number(values['runHours']) + shift.runHours, 1),
      switchCount: Math.max(0, Number(values['switchCount']) + shift.switchCount),
    },
  }));
}

/** The same of a controller. */
export function cabinetWeek(fleet: Fleet, player: ControllerPlayer, from: number, startedAt: number): OutReading[] {
  const { seed, code } = player.parts;
  const index = fleet.city.boxes.findIndex((box) => box.controllerCode === code);
  const loops = (fleet.city.boxes[index]?.loops ?? []).flatMap((loop) => fleet.city.loops[loop] ?? []);
  const place = fleet.lamps[loops[0]?.lamps[0] ?? 0]?.lamp.settings.place;
  const cabinet = new Cabinet(
    {
      seed,
      loops,
      watts: (loop, at) => fleet.plannedWatts(loop, at, 'table'),
      powered: (at) => index !== fleet.city.dramas.failingBox || !place || !isFailing(place, at),
    },
    { ...firstCabinetMemory(seed, from), energyKwh: 0 },
  );
  const readings: OutReading[] = [];
  const first = firstCabinetMemory(seed, startedAt - dayMs);
  for (
    let at = nextControllerReport(seed, from, cabinetStepMs);
    at < first.at;
    at = nextControllerReport(seed, at, cabinetStepMs)
  )
    readings.push(cabinet.reading(at));
  const shift = first.energyKwh - cabinet.memory.energyKwh;
  return readings.map(({ at, values }) => ({
    at,
    values: { ...values, energy: rounded(Number(values['energy']) + shift, 3) },
  }));
}

const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

export interface WeekParts {
  readonly fleet: Fleet;
  /** When this city was first played. */
  readonly startedAt: number;
  readonly stopped: () => boolean;
  /** Told of the share that is delivered, 0 to 1. */
  readonly progress: (share: number) => void;
}

interface Task {
  readonly readings: () => readonly OutReading[];
  readonly send: (readings: readonly OutReading[]) => Promise<void>;
}

/**
 * Delivers the days before the first one, device by device at a steady pace; of the lamp whose driver dies its six
 * weeks. Who is silent tells only its last day. Returns how many readings went out.
 */
export async function deliverWeek({ fleet, startedAt, stopped, progress }: WeekParts): Promise<number> {
  const tasks = tasksOf(fleet, startedAt);
  let count = 0;
  for (const [index, task] of tasks.entries()) {
    if (stopped()) break;
    const readings = task.readings();
    const began = Date.now();
    await task.send(readings);
    count += readings.length;
    await sleep(Math.max(1, (readings.length / perSecond) * 1000 - (Date.now() - began)), undefined, { ref: false });
    progress((index + 1) / tasks.length);
  }
  return count;
}

function tasksOf(fleet: Fleet, startedAt: number): Task[] {
  const [from, dying] = [startedAt - weekMs, fleet.city.dramas.dyingLamp];
  const lines = new Map(fleet.stations.map((station) => [station.controller?.parts.deviceId ?? null, station]));
  const lamps = fleet.lamps.flatMap((player, index): Task[] => {
    const { address, line, silentSince, now } = player.parts;
    const { clockOffsetMs } = player.lamp.spec;
    // A silent controller's line is gone by now.
    const gone = silentSince !== null && (address.viaId === null || lines.get(address.viaId)?.silentSince !== null);
    if (gone || Math.abs(clockOffsetMs) > wrongClockMs || (index >= mostLampsOfWeek && index !== dying)) return [];
    return [
      {
        readings: () => lampWeek(player, index === dying ? startedAt - ageingMs : from, startedAt),
        send: async (readings) => {
          for (const out of readingsOut(address, now() + clockOffsetMs, readings)) await line.publish(out);
        },
      },
    ];
  });
  const cabinets = fleet.controllers.flatMap((player): Task[] => {
    const { deviceId, line, silentSince, now } = player.parts;
    if (silentSince !== null) return [];
    return [
      {
        readings: () => cabinetWeek(fleet, player, from, startedAt),
        send: async (readings) => {
          for (const out of readingsOut({ deviceId, viaId: null }, now(), readings)) await line.publish(out);
        },
      },
    ];
  });
  const equipment = fleet.equipment
    .filter(({ hasLine }) => hasLine)
    .map((player): Task => ({
      readings: () => [
        ...player.history(from, startedAt - dayMs, Math.max(player.parts.unit.periodMs, equipmentStepMs)),
      ],
      send: (readings) => player.send(readings),
    }));
  return [...equipment, ...cabinets, ...lamps];
}
