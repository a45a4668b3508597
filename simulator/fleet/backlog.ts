import { readingsOut, type OutReading } from '../../protocols/mqtt-json/device.ts';
import { isFailing } from '../city/dramas.ts';
import { history, Lamp } from '../lamp/lamp.ts';
import { Cabinet } from './cabinet.ts';
import { nextControllerReport, type ControllerPlayer } from './controller-player.ts';
import { dayMs, type Fleet, type Station } from './fleet.ts';
import type { LampPlayer } from './lamp-player.ts';
import { createWindow } from './window.ts';

/** Messages on their way at a time: enough to keep the server busy, few enough to let live ones through. */
const inFlight = 12;

/** What a lamp would have said between its earlier memory (at most a day back) and `to`, true time. */
export function lampBacklog(player: LampPlayer, to: number): OutReading[] {
  const { spec } = player.lamp;
  const lamp = new Lamp(spec, player.past.settings, player.past.memory);
  const until = (player.parts.silentSince ?? to) + spec.clockOffsetMs;
  lamp.advance(Math.min(until, to + spec.clockOffsetMs - dayMs));
  return [...history(lamp, until)];
}

export function controllerBacklog(fleet: Fleet, player: ControllerPlayer, to: number): OutReading[] {
  const { seed } = player.parts;
  const box = fleet.city.boxes.find((candidate) => candidate.controllerCode === player.parts.code);
  const loops = (box?.loops ?? []).flatMap((index) => fleet.city.loops[index] ?? []);
  const cabinet = new Cabinet(
    { seed, loops, watts: (loop, at) => fleet.plannedWatts(loop, at), powered: player.parts.cabinet.powered },
    player.origin,
  );
  const readings: OutReading[] = [];
  const until = player.parts.silentSince ?? to;
  for (
    let at = nextControllerReport(seed, Math.max(player.origin.at, to - dayMs));
    at < until;
    at = nextControllerReport(seed, at)
  )
    readings.push(cabinet.reading(at));
  return readings;
}

export interface BacklogParts {
  readonly fleet: Fleet;
  /** When the simulation began: from here on devices speak for themselves. */
  readonly to: number;
  /** Only readings from here on, and before there: true time. */
  readonly part?: { readonly from: number; readonly before: number };
  /** The city's first day: silent devices still tell what was before their silence, and are gone afterwards. */
  readonly first: boolean;
  readonly stopped: () => boolean;
}

/**
 * Delivers what every device kept while nobody listened, through its own line, a window of messages at a time. Returns
 * how many readings went out.
 */
export async function deliverBacklog({
  fleet,
  to,
  part = { from: 0, before: Number.POSITIVE_INFINITY },
  first,
  stopped,
}: BacklogParts): Promise<number> {
  const window = createWindow(inFlight);
  let count = 0;
  const speaking = fleet.stations.filter((station) => first || station.silentSince === null);
  await Promise.all(
    speaking.map(async (station) => {
      const dark = new Set(
        station.controller && station.controller === fleet.controllers[fleet.city.dramas.failingBox ?? -1]
          ? station.lamps.map(({ parts: { address } }) => address.deviceId)
          : [],
      );
      const place = station.lamps[0]?.lamp.settings.place;
      const send = async (
        deviceId: number,
        viaId: number | null,
        clockOffsetMs: number,
        readings: () => OutReading[],
      ): Promise<void> =>
        window.run(async () => {
          if (stopped()) return;
          const own = readings().filter(({ at }) => {
            const time = at - clockOffsetMs;
            // Lamps without power say nothing.
            return time >= part.from && time < part.before && !(place && dark.has(deviceId) && isFailing(place, time));
          });
          const line =
            viaId === null && station.controller === null
              ? station.lamps[0]?.parts.line
              : station.controller?.parts.line;
          for (const out of readingsOut({ deviceId, viaId }, Date.now() + clockOffsetMs, own)) await line?.publish(out);
          count += own.length;
        });
      await Promise.all(
        tasksOf(fleet, station, to, first).map(({ deviceId, viaId, clockOffsetMs, readings }) =>
          send(deviceId, viaId, clockOffsetMs, readings),
        ),
      );
    }),
  );
  return count;
}

/** Delivers what devices that are no lamps measured in a time, all of them side by side. Returns how many readings went out. */
export async function deliverEquipment(
  fleet: Fleet,
  from: number,
  to: number,
  { first, stopped }: Pick<BacklogParts, 'first' | 'stopped'>,
): Promise<number> {
  const window = createWindow(inFlight);
  let count = 0;
  await Promise.all(
    fleet.equipment
      .filter((player) => !player.never && (first || player.hasLine))
      .map((player) =>
        window.run(async () => {
          if (stopped()) return;
          const readings = [...player.history(from, to)];
          await player.send(readings);
          count += readings.length;
        }),
      ),
  );
  return count;
}

function tasksOf(fleet: Fleet, station: Station, to: number, first: boolean) {
  const lamps = station.lamps
    .filter((player) => first || player.parts.silentSince === null)
    .map((player) => ({
      ...player.parts.address,
      clockOffsetMs: player.lamp.spec.clockOffsetMs,
      readings: () => lampBacklog(player, to),
    }));
  const { controller } = station;
  return controller
    ? [
        {
          deviceId: controller.parts.deviceId,
          viaId: null,
          clockOffsetMs: 0,
          readings: () => controllerBacklog(fleet, controller, to),
        },
        ...lamps,
      ]
    : lamps;
}
