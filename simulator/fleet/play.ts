import { setTimeout as sleep } from 'node:timers/promises';
import { createAgenda, type Agenda } from './agenda.ts';
import { deliverBacklog, deliverEquipment, type BacklogParts } from './backlog.ts';
import { createFleet, dayMs, type Fleet } from './fleet.ts';
import { readMemory, writeMemory, writeWhole, type FleetMemory } from './memory-file.ts';
import { playOutage } from './outage.ts';
import { storiesOf } from './stories.ts';
import { deliverWeek } from './week.ts';
import { watchScenario } from '../scenarios/scenario.ts';
import type { Handover } from '../city/handover.ts';
import type { Progress } from '../city/progress.ts';

export interface PlayParts {
  readonly handover: Handover;
  /** What the devices keep; made when absent. */
  readonly memoryFile: string;
  readonly scenarioFile: string;
  /** Where it says how much of the past is delivered. */
  readonly progressFile: string;
  readonly say: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface Play {
  readonly fleet: Fleet;
  /** Every line was up once and every lamp has reported, or tried to for long enough. */
  readonly live: Promise<void>;
  /** The readings of before the start are delivered; resolves with their number. */
  readonly delivered: Promise<number>;
  /** Ends every connection: as in a power cut, or saying good-bye when the whole demonstration ends. */
  stop(how: 'cut' | 'goodBye'): Promise<void>;
}

/** Connections begun a second: a server that starts has other things to do as well. */
const connectionsPerSecond = 60;
const releasedPerSecond = 1000;
/** Longer than any fault of a lamp takes to be seen. */
const judgedMs = 4 * 3_600_000;
const liveWithinMs = 45_000;
const saveEveryMs = 60_000;
const goodByeMs = 1500;
/** A shorter pause leaves no backlog worth telling. */
const shortestGapMs = 2 * 60_000;

/** Plays a whole city until it is stopped. */
export function play({ handover, memoryFile, scenarioFile, progressFile, say }: PlayParts): Play {
  const began = Date.now();
  const memory = readMemory(memoryFile, handover.token) ?? firstMemoryOf(handover.token, began, memoryFile);
  const agenda = createAgenda();
  const complaints = new Map<string, number>();
  const fleet = createFleet({
    handover,
    memory,
    agenda,
    now: Date.now,
    failed: (_code, reason) => complaints.set(reason, (complaints.get(reason) ?? 0) + 1),
  });
  const stopOutage = playOutage(fleet, Date.now);
  const stopScenario = watchScenario(scenarioFile, fleet, (reason) => say('the scenario cannot be used', { reason }));
  let stopped = false;
  let saved = memory.delivered;
  let { weekDelivered } = memory;
  const save = (): void => {
    if (saved) writeMemory(memoryFile, memoryOf(fleet, memory, weekDelivered));
  };
  const stories = storiesOf(fleet.city, handover, memory.startedAt);
  const progress = (day: number, week: number): void => {
    const said: Progress = { token: handover.token, day, week, stories };
    writeWhole(progressFile, JSON.stringify(said));
  };
  progress(Number(memory.delivered), Number(weekDelivered));
  const timers = [
    setInterval(save, saveEveryMs),
    setInterval(() => {
      for (const [reason, count] of complaints) say('connections failed', { reason, count });
      complaints.clear();
    }, 5000),
  ];
  const live = connectAll(fleet, memory, agenda.at.bind(agenda), () => stopped);
  const delivered = live.then(async () => {
    say('the city is live', {
      connections: fleet.stations.length + fleet.equipment.length,
      seconds: (Date.now() - began) / 1000,
    });
    const first = fleet.lamps.find((lamp) => lamp.parts.silentSince === null);
    const gap = first ? began - (first.origin.at - first.lamp.spec.clockOffsetMs) : 0;
    const parts = { fleet, to: began, first: !memory.delivered, stopped: () => stopped };
    const count = memory.delivered
      ? gap > shortestGapMs
        ? (await deliverBacklog(parts)) +
          (await deliverEquipment(fleet, Math.max(memory.equipmentTo ?? began, began - dayMs), began, parts))
        : 0
      : await tellFirstDay(parts, agenda, (share) => progress(share, 0));
    if (stopped) return count;
    saved = true;
    save();
    progress(1, Number(weekDelivered));
    say('the backlog is delivered', { readings: count, seconds: (Date.now() - began) / 1000 });
    return count;
  });
  const week = delivered.then(async () => {
    if (weekDelivered || stopped) return;
    let told = 0;
    const count = await deliverWeek({
      fleet,
      startedAt: memory.startedAt,
      stopped: () => stopped,
      progress: (share) => {
        // A hundred times, not for each device.
        if (share - told < 0.01 && share < 1) return;
        told = share;
        progress(1, share);
      },
    });
    if (stopped) return;
    weekDelivered = true;
    save();
    say('the week before is delivered', { readings: count, seconds: (Date.now() - began) / 1000 });
  });
  week.catch((thrown: unknown) => say('the week before failed', { reason: String(thrown) }));
  delivered.catch((thrown: unknown) => say('the backlog failed', { reason: String(thrown) }));
  return {
    fleet,
    live,
    delivered,
    async stop(how) {
      if (stopped) return;
      stopped = true;
      timers.forEach(clearInterval);
      stopOutage();
      stopScenario();
      save();
      agenda.stop();
      if (how === 'cut') for (const line of [...fleet.stations, ...fleet.equipment]) line.close();
      else
        await Promise.race([
          Promise.all([...fleet.stations, ...fleet.equipment].map((line) => line.leave())),
          sleep(goodByeMs, undefined, { ref: false }),
        ]);
    },
  };
}

/**
 * What a lamp is judged by comes first, in its order, and then the lamp speaks for itself: an older sample raises no
 * fault. The hours before that come behind what is live, and who is silent is gone then.
 */
async function tellFirstDay(parts: BacklogParts, agenda: Agenda, progress: (share: number) => void): Promise<number> {
  const { fleet, to } = parts;
  const cut = to - judgedMs;
  const recent = await deliverBacklog({ ...parts, part: { from: cut, before: Number.POSITIVE_INFINITY } }).finally(() =>
    fleet.lamps.forEach((lamp, index) =>
      agenda.at(Date.now() + (index * 1000) / releasedPerSecond, () => lamp.release()),
    ),
  );
  progress(0.2);
  const equipment = await deliverEquipment(fleet, to - dayMs, to, parts);
  progress(0.4);
  const older = await deliverBacklog({ ...parts, part: { from: 0, before: cut } });
  for (const station of fleet.stations) if (station.silentSince !== null) station.close();
  for (const player of fleet.equipment) if (!player.hasLine) void player.leave();
  return recent + equipment + older;
}

/**
 * Kept at once: a first start that is killed begins with the same day again, so that nothing is told twice differently.
 */
function firstMemoryOf(token: string, startedAt: number, file: string): FleetMemory {
  const memory: FleetMemory = {
    ...{ token, startedAt },
    ...{ delivered: false, weekDelivered: false, dramas: true },
    ...{ lamps: {}, cabinets: {} },
  };
  writeMemory(file, memory);
  return memory;
}

function memoryOf(fleet: Fleet, before: FleetMemory, weekDelivered: boolean): FleetMemory {
  return {
    token: before.token,
    startedAt: before.startedAt,
    delivered: true,
    weekDelivered,
    dramas: before.dramas,
    equipmentTo: Date.now(),
    lamps: Object.fromEntries(fleet.lamps.map((lamp) => [lamp.parts.address.deviceId, lamp.lamp.memory])),
    cabinets: Object.fromEntries(
      fleet.controllers.map((controller) => [controller.parts.deviceId, controller.parts.cabinet.memory]),
    ),
  };
}

/**
 * Opens every line, controllers first, at a steady pace. A silent station is opened only while it still has its last
 * day to tell.
 */
function connectAll(
  fleet: Fleet,
  memory: FleetMemory,
  at: (time: number, action: () => void) => unknown,
  stopped: () => boolean,
): Promise<void> {
  const wanted = [
    ...fleet.stations.filter((station) => station.silentSince === null || !memory.delivered),
    ...fleet.equipment.filter((player) => player.hasLine || (!memory.delivered && !player.never)),
  ];
  const start = Date.now();
  const waiting = new Set<(typeof wanted)[number]>(wanted);
  wanted.forEach((station, index) =>
    at(start + (index * 1000) / connectionsPerSecond, () => station.open(() => waiting.delete(station))),
  );
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const all = waiting.size === 0 && fleet.lamps.every((lamp) => lamp.ready || lamp.parts.silentSince !== null);
      if (!all && !stopped() && Date.now() - start < liveWithinMs) return;
      clearInterval(timer);
      resolve();
    }, 250);
  });
}
