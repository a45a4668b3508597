import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import { noRole, type LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import {
  createYearClasses,
  type Load,
  type YearInput,
  type YearRow,
} from '../../../../catalogue/lighting/plan/year-input.ts';
import { roleAt } from '../../../../catalogue/lighting/rows.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { dayNumber } from '../../../../catalogue/lighting/zone.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { loadCurves, type LearnedCurves } from '../lamps/index.ts';
import { abilities, type Inability } from './abilities.ts';
import { loadLamps, type SimulatedLamp } from './lamps.store.ts';
import type { AskedSimulation } from './simulations.types.ts';
import { createTracks, type KnownTrack } from './tracks.ts';

/** The lamps of a scope as the year difference takes them. Pages of lamps come one after the other. */

const lampsAPage = 2000;
/** Places of the sun are cells of so many degrees: at most 12 s of the sun from east to west. */
const cellsOfDegree = 20;

export interface Gathered {
  readonly input: YearInput;
  readonly tracks: readonly KnownTrack[];
  /** The lamps, ascending, and the class of each. */
  readonly ids: Float64Array;
  readonly classOf: Uint32Array;
  readonly withoutPlace: number;
  readonly watts: { learned: number; nameplate: number; unknown: number };
  readonly inabilities: readonly Inability[];
  /** The same for the same lamps, plans and days. */
  readonly key: string;
}

export interface GatherParts {
  readonly db: Db;
  readonly caller: DeviceScope;
  readonly progress: (lamps: number) => void;
  readonly signal: AbortSignal;
}

/** Everything of one kind once, by its text. */
function createIndex<Thing>() {
  const known = new Map<string, number>();
  const things: Thing[] = [];
  return {
    things,
    of(text: string, make: () => Thing): number {
      let found = known.get(text);
      if (found === undefined) {
        found = things.push(make()) - 1;
        known.set(text, found);
      }
      return found;
    },
  };
}

interface Numbered {
  readonly lamp: SimulatedLamp;
  readonly trackA: number;
  readonly trackB: number;
  readonly placeA: number;
  readonly placeB: number;
}

export async function gather(asked: AskedSimulation, { db, caller, progress, signal }: GatherParts): Promise<Gathered> {
  const { from, to, scope } = asked;
  const days = dayNumber(to) - dayNumber(from) + 1;
  const tracks = createTracks(db, { from, days });
  const curves = await loadCurves(db);
  const areas = new Map<number, AreaPlace>();
  const places = createIndex<SunPlace>();
  const loads = createIndex<Load>();
  const able = abilities();
  const found: Numbered[] = [];
  const loadOf: number[] = [];
  const watts = { learned: 0, nameplate: 0, unknown: 0 };
  let withoutPlace = 0;

  async function numbered(lamp: SimulatedLamp): Promise<Numbered | null> {
    const { followed, timeZone } = lamp;
    const trackB = await tracks.of(asked.b, 'b', followed, timeZone);
    const trackA = asked.a
      ? await tracks.of(asked.a, 'a', followed, timeZone)
      : await tracks.current(followed, timeZone);
    const placed = [trackA, trackB].map((track) => placeOf(lamp, tracks.tracks[track], areas.get(lamp.workAreaId)));
    const [placeA, placeB] = placed.map((place) =>
      place ? places.of(Object.values(place).join(' '), () => place) : undefined,
    );
    return placeA === undefined || placeB === undefined ? null : { lamp, trackA, trackB, placeA, placeB };
  }

  let seen = 0;
  for (let after = 0; ;) {
    const page = await loadLamps(db, scope, caller, { after, limit: lampsAPage, until: to });
    signal.throwIfAborted();
    await tracks.load(page.map(({ followed }) => followed));
    const strangers = [...new Set(page.map(({ workAreaId }) => workAreaId))].filter((area) => !areas.has(area));
    if (strangers.length > 0) for (const [area, place] of await loadPlaces(db, strangers)) areas.set(area, place);
    for (const lamp of page) {
      const one = await numbered(lamp);
      if (!one) withoutPlace += 1;
      else {
        found.push(one);
        loadOf.push(loads.of(`${lamp.watts}\n${lamp.manufacturer}\n${lamp.model}`, () => loadOfLamp(lamp, curves)));
        watts[sourceOf(lamp, curves)] += 1;
        able.look(lamp.id, lamp.capabilities, one.trackB);
      }
    }
    progress((seen += page.length));
    if (page.length < lampsAPage) break;
    after = page.at(-1)?.id ?? after;
  }

  const gathered = createYearClasses(tracks.tracks.map(({ track }) => track));
  const classOf = new Uint32Array(found.length);
  for (const [index, { lamp, trackA, trackB, placeA, placeB }] of found.entries()) {
    const roleA = roleOf(lamp, tracks.tracks[trackA]);
    const roleB = roleOf(lamp, tracks.tracks[trackB]);
    classOf[index] = gathered.add({
      ...{ placeA, placeB, trackA, trackB, roleA, roleB },
      ...{ load: loadOf[index] ?? 0, road: lamp.roadClass },
    });
    if (index % lampsAPage === 0) await breathe();
  }
  const input: YearInput = {
    ...{ from, days, tracks: tracks.tracks.map(({ track }) => track), places: places.things, loads: loads.things },
    ...{ plans: gathered.plans, classes: gathered.classes },
    rows: rowsOf(found, classOf),
  };
  const ids = Float64Array.from(found, ({ lamp }) => lamp.id);
  return {
    ...{ input, ids, classOf, withoutPlace, watts, tracks: tracks.tracks },
    inabilities: able.found(tracks.tracks.map(({ track }) => track)),
    key: await keyOf(input, ids, classOf),
  };
}

/** The template's place, or the lamp's own, or its area's, by cells. */
function placeOf(
  { timeZone, sunOffsetMinutes, ...lamp }: SimulatedLamp,
  track: KnownTrack | undefined,
  area: AreaPlace | undefined,
): SunPlace | null {
  const own = [track?.template, lamp, area].find((one) => one && one.latitude !== null && one.longitude !== null);
  if (!own || own.latitude === null || own.longitude === null) return null;
  const cell = (degrees: number) => Math.round(degrees * cellsOfDegree) / cellsOfDegree;
  return { latitude: cell(own.latitude), longitude: cell(own.longitude), timeZone, sunOffsetMinutes };
}

const roleOf = ({ standing }: SimulatedLamp, track: KnownTrack | undefined): LampRole => ({
  ...(standing ? roleAt(standing, standing.side) : noRole),
  rotation: track?.rotation ?? noRole.rotation,
  minLevel: track?.template?.minLevel ?? 0,
});

const loadOfLamp = ({ watts, manufacturer, model }: SimulatedLamp, curves: LearnedCurves): Load =>
  Array.from({ length: 101 }, (_, level) => learnedWatts(watts ?? 0, level, curves.of(manufacturer, model)));

const sourceOf = ({ watts, manufacturer, model }: SimulatedLamp, curves: LearnedCurves) =>
  watts === null ? 'unknown' : curves.of(manufacturer, model) ? 'learned' : 'nameplate';

/** Rows whose lamps follow different plans on a side; in others at most two neighbours are dark. */
function rowsOf(found: readonly Numbered[], classOf: Uint32Array): YearRow[] {
  const inRow = found.flatMap(({ lamp, trackA, trackB }, index) => {
    const { standing, id } = lamp;
    return standing
      ? [{ row: `${standing.roadId} ${standing.side}`, position: standing.position, id, index, trackA, trackB }]
      : [];
  });
  return [...Map.groupBy(inRow, ({ row }) => row).values()].flatMap((lamps): YearRow[] => {
    const isMixed = (['trackA', 'trackB'] as const).some((track) =>
      lamps.some((one) => one[track] !== lamps[0]?.[track]),
    );
    if (!isMixed) return [];
    const ordered = lamps.toSorted((a, b) => a.position - b.position);
    return [
      {
        lamps: ordered.map(({ id }) => id),
        positions: ordered.map(({ position }) => position),
        classes: ordered.map(({ index }) => classOf[index] ?? 0),
      },
    ];
  });
}

/** What decides the result; bumped when the kernel counts otherwise. */
const kernel = 1;
async function keyOf(input: YearInput, ids: Float64Array, classOf: Uint32Array): Promise<string> {
  const hash = createHash('sha256').update(`${kernel} ${input.from} ${input.days}\n`);
  for (const part of [input.tracks, input.places, input.loads, input.plans, input.classes, input.rows]) {
    hash.update(`${JSON.stringify(part)}\n`);
    await breathe();
  }
  return hash.update(ids).update(classOf).digest('hex');
}
