import { levelAt } from '../../catalogue/lighting/plan/lamp-plan.ts';
import { defaultTable, planOfTable } from '../../catalogue/lighting/plan/table.ts';
import { ageingMs, cutBeforeMs, isFailing, lampsBehind, noDramas } from '../city/dramas.ts';
import { generateCity, type City } from '../city/index.ts';
import type { Credential, Handover } from '../city/handover.ts';
import { origin } from '../city/plane.ts';
import { createRandom, seedOf } from '../city/random.ts';
import type { Loop } from '../city/types.ts';
import { firstMemory, Lamp } from '../lamp/lamp.ts';
import { followedBy } from '../lamp/plan.ts';
import { lampSpec, type LampSettings } from '../lamp/spec.ts';
import type { Agenda } from './agenda.ts';
import { Cabinet, firstCabinetMemory } from './cabinet.ts';
import { openConnection } from './connection.ts';
import { ControllerPlayer } from './controller-player.ts';
import { createEquipment } from './equipment-fleet.ts';
import type { EquipmentPlayer } from './equipment-player.ts';
import { LampPlayer } from './lamp-player.ts';
import type { FleetMemory } from './memory-file.ts';
import { StationLine } from './station-line.ts';

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** One identity on the wire: a lamp that speaks for itself, or a controller with its lamps. */
export interface Station {
  readonly credential: Credential;
  readonly lamps: readonly LampPlayer[];
  readonly controller: ControllerPlayer | null;
  readonly silentSince: number | null;
  open(ready: () => void): void;
  close(): void;
  leave(): Promise<void>;
}

export interface FleetParts {
  readonly handover: Handover;
  readonly memory: FleetMemory;
  readonly agenda: Agenda;
  readonly now: () => number;
  readonly failed: (code: string, reason: string) => void;
}

export interface Fleet {
  readonly city: City;
  readonly stations: readonly Station[];
  readonly lamps: readonly LampPlayer[];
  readonly controllers: readonly ControllerPlayer[];
  /** Devices that are neither lamps nor controllers. */
  readonly equipment: readonly EquipmentPlayer[];
  readonly lampsOfBox: (box: number) => readonly LampPlayer[];
  readonly byCode: ReadonlyMap<string, LampPlayer>;
  /** Watts that the sound lamps of a loop take by the plan, for times before the simulation began; `table`: before they had plans. */
  plannedWatts(loop: Loop, at: number, by?: 'plan' | 'table'): number;
}

/** What every lamp was set to when it was mounted, until the server tells it better. */
const factory: LampSettings = {
  version: 0,
  table: defaultTable,
  litSeconds: 900,
  unlitSeconds: 3600,
  place: { ...origin, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 },
};

/** Puts a player at every lamp and controller of the city, and behind one line those that share it. */
export function createFleet(parts: FleetParts): Fleet {
  const { handover, memory, agenda, now } = parts;
  const made = generateCity({ seed: handover.seed, lamps: handover.lamps });
  // What is told of a city of an earlier version holds: no road of it was dark, no driver was dying.
  const city = memory.dramas ? made : { ...made, dramas: noDramas };
  const credentials = new Map(handover.credentials.map((credential) => [credential.deviceId, credential]));
  const random = createRandom(seedOf(handover.seed, `play ${memory.startedAt}`)).next;
  const lines = new Map<number, StationLine>();
  const lineOf = (id: number): StationLine => {
    const line = lines.get(id) ?? new StationLine();
    lines.set(id, line);
    return line;
  };
  const boxOf = (loop: number): number => city.loops[loop]?.box ?? 0;
  const behindCut = new Set(lampsBehind(city.loops, city.dramas.cut));
  const boxSilence = city.boxes.map((box) => (box.silent ? memory.startedAt - 50 * 60_000 : null));

  const lamps = city.lamps.map((lamp, index): LampPlayer => {
    const deviceId = handover.lampIds[index] ?? 0;
    const loop = city.loops[lamp.loop] as Loop;
    const viaId = lamp.direct ? null : (handover.controllerIds[boxOf(lamp.loop)] ?? null);
    const spec = lampSpec({
      citySeed: city.seed,
      code: lamp.code,
      ratedWatts: lamp.model.ratedWatts,
      curve: lamp.model.curve,
      fault: lamp.fault,
      linkKind: lamp.link,
      loopTapVolts: loop.tapVolts,
      loopDropVolts: loop.dropVolts,
      reach: lamp.reach,
      ownClock: lamp.direct,
      clockDaysAhead: lamp.clockDaysAhead,
      obedience: lamp.obedience,
      ageingSince: index === city.dramas.dyingLamp ? memory.startedAt - ageingMs : null,
    });
    // What an earlier version did not keep is as at first.
    const kept = {
      ...firstMemory(spec, memory.startedAt - dayMs + spec.clockOffsetMs),
      ...memory.lamps[String(deviceId)],
    };
    // Nor does a lamp remember what its clock has still before it.
    const known = { ...kept, at: Math.min(kept.at, now() + spec.clockOffsetMs) };
    const silentSince =
      lamp.fault === 'N301'
        ? memory.startedAt - (3.6 + 5 * ((spec.seed % 1000) / 1000)) * hourMs
        : behindCut.has(index)
          ? memory.startedAt - cutBeforeMs
          : lamp.direct
            ? null
            : (boxSilence[boxOf(lamp.loop)] ?? null);
    return new LampPlayer({
      address: { deviceId, viaId },
      code: lamp.code,
      lamp: new Lamp(spec, factory, known),
      agenda,
      line: lineOf(viaId ?? deviceId),
      random,
      now,
      silentSince,
      held: !memory.delivered,
    });
  });

  /** The sun of a box, as its lamps were told. */
  const placeOf = (box: number) =>
    lamps[city.loops[city.boxes[box]?.loops[0] ?? -1]?.lamps[0] ?? -1]?.lamp.settings.place ?? factory.place;

  const controllers = city.boxes.map((box, index): ControllerPlayer => {
    const deviceId = handover.controllerIds[index] ?? 0;
    const seed = seedOf(city.seed, box.controllerCode);
    const cabinet = new Cabinet(
      {
        seed,
        loops: box.loops.map((loop) => city.loops[loop] as Loop),
        watts: (loop) => loop.lamps.reduce((sum, lamp) => sum + (lamps[lamp]?.watts ?? 0), 0),
        powered: (at) => index !== city.dramas.failingBox || !isFailing(placeOf(index), at),
      },
      {
        ...firstCabinetMemory(seed, memory.startedAt - dayMs),
        ...memory.cabinets[String(deviceId)],
      },
    );
    return new ControllerPlayer({
      deviceId,
      code: box.controllerCode,
      cabinet,
      agenda,
      line: lineOf(deviceId),
      now,
      seed,
      silentSince: boxSilence[index] ?? null,
    });
  });

  const stations: Station[] = [];
  const byLine = Map.groupBy(lamps, (lamp) => lamp.parts.address.viaId);
  for (const controller of controllers) {
    const { deviceId } = controller.parts;
    stations.push(createStation(parts, credentials, lineOf(deviceId), byLine.get(deviceId) ?? [], controller, random));
  }
  for (const lamp of byLine.get(null) ?? [])
    stations.push(createStation(parts, credentials, lineOf(lamp.parts.address.deviceId), [lamp], null, random));
  const ratedWatts = new Map(
    city.loops.map((loop) => [
      loop,
      loop.lamps.reduce((sum, lamp) => sum + (city.lamps[lamp]?.model.ratedWatts ?? 0), 0),
    ]),
  );
  return {
    city,
    stations,
    lamps,
    controllers,
    equipment: createEquipment({
      ...{ city, handover, credentials, agenda, random, now },
      startedAt: memory.startedAt,
      place: factory.place,
      failed: parts.failed,
    }),
    lampsOfBox: (box) =>
      (city.boxes[box]?.loops ?? []).flatMap((loop) =>
        (city.loops[loop]?.lamps ?? []).flatMap((lamp) => lamps[lamp] ?? []),
      ),
    byCode: new Map(lamps.map((lamp) => [lamp.parts.code, lamp])),
    plannedWatts: (loop, at, by = 'plan') => {
      const lamp = lamps[loop.lamps[0] ?? 0]?.lamp;
      const plan =
        lamp && by === 'plan'
          ? followedBy(lamp.spec, lamp.settings)
          : planOfTable(lamp?.settings.place ?? factory.place, factory.table);
      return ((ratedWatts.get(loop) ?? 0) * levelAt(plan, at)) / 100;
    },
  };
}

function createStation(
  parts: FleetParts,
  credentials: ReadonlyMap<number, Credential>,
  line: StationLine,
  lamps: readonly LampPlayer[],
  controller: ControllerPlayer | null,
  random: () => number,
): Station {
  const id = controller?.parts.deviceId ?? lamps[0]?.parts.address.deviceId ?? 0;
  const credential = credentials.get(id);
  if (!credential) throw new Error(`the handover file has no credentials for device ${id}`);
  const byId = new Map(lamps.map((lamp) => [lamp.parts.address.deviceId, lamp]));
  const single = controller ? undefined : lamps[0];
  return {
    credential,
    lamps,
    controller,
    silentSince: (controller ?? single)?.parts.silentSince ?? null,
    open(ready) {
      line.connection = openConnection({
        broker: parts.handover.broker,
        credential,
        hasChildren: controller !== null,
        random,
        now: () => parts.now() + (single?.lamp.spec.clockOffsetMs ?? 0),
        // A lamp with a table of its own does not run with the server's.
        settingsVersion: () =>
          single && single.lamp.spec.ownTable === null ? single.lamp.settings.version || null : null,
        ofPlan: () =>
          single ? { ...single.lamp.ofPlan, clockAt: parts.memory.startedAt + single.lamp.spec.clockOffsetMs } : {},
        heard: ({ kind, address, ...heard }) => {
          const lamp = byId.get(address.deviceId);
          if (kind === 'settings' && 'settings' in heard) lamp?.adopt(heard.settings);
          else if ('command' in heard) (lamp ?? (address.deviceId === id ? controller : null))?.command(heard.command);
        },
        ready: () => {
          controller?.connected();
          for (const lamp of lamps) lamp.connected();
          ready();
        },
        failed: (reason) => parts.failed(credential.code, reason),
      });
    },
    close: () => line.connection?.stop(),
    leave: async () => line.connection?.leave(),
  };
}
