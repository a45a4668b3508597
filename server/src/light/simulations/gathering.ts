import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import { noRole, type LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { createYearClasses, type Load } from '../../../../catalogue/lighting/plan/year-input.ts';
import { roleAt } from '../../../../catalogue/lighting/rows.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { dayNumber } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { loadCurves, type LearnedCurves } from '../lamps/index.ts';
import { placeInForce } from '../plans/index.ts';
import { abilities } from './abilities.ts';
import { loadLamps, type SimulatedLamp } from './lamps.store.ts';
import { partsOf, type Lamps, type Order } from './order.ts';
import type { AskedSimulation } from './simulations.types.ts';
import { createTracks, type KnownTrack } from './tracks.ts';

/** The lamps of a scope as the year difference takes them. Pages of lamps come one after the other. */

const lampsAPage = 2000;
/** Places of the sun are cells of so many degrees: at most 12 s of the sun from east to west. */
const cellsOfDegree = 20;

/** Bytes of numbers that are hashed at once. */
const bytesAtOnce = 2 ** 20;

export interface Gathered {
  readonly order: Order;
  readonly tracks: readonly KnownTrack[];
  readonly withoutPlace: number;
  readonly watts: Watts;
  /** The same for the same lamps, plans and days, and for all that is found in them. */
  readonly key: string;
}

/** Lamps by where their watts come from. */
interface Watts {
  learned: number;
  nameplate: number;
  unknown: number;
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

export async function gather(asked: AskedSimulation, { db, caller, progress, signal }: GatherParts): Promise<Gathered> {
  const { from, to, scope } = asked;
  const days = dayNumber(to) - dayNumber(from) + 1;
  const tracks = createTracks(db, { from, days });
  const year = createYearClasses((index) => tracks.tracks[index]?.track);
  const curves = await loadCurves(db);
  const areas = new Map<number, AreaPlace>();
  const places = createIndex<SunPlace>();
  const loads = createIndex<Load>();
  const rows = createIndex<null>();
  const able = abilities();
  const watts: Watts = { learned: 0, nameplate: 0, unknown: 0 };
  let withoutPlace = 0;

  /** The class of a lamp; undefined: nobody knows where it stands. */
  async function classOf(lamp: SimulatedLamp): Promise<number | undefined> {
    const { followed, timeZone } = lamp;
    const trackB = await tracks.of(asked.b, 'b', followed, timeZone);
    const trackA = asked.a
      ? await tracks.of(asked.a, 'a', followed, timeZone)
      : await tracks.current(followed, timeZone);
    const [knownA, knownB] = [tracks.tracks[trackA], tracks.tracks[trackB]];
    const placed = [knownA, knownB].map((track) => placeOf(lamp, track, areas.get(lamp.workAreaId)));
    const [placeA, placeB] = placed.map((place) =>
      place ? places.of(Object.values(place).join(' '), () => place) : undefined,
    );
    if (placeA === undefined || placeB === undefined) return undefined;
    watts[sourceOf(lamp, curves)] += 1;
    able.look(lamp.id, { can: lamp.capabilities, dimming: lamp.dimming }, trackB);
    return year.add({
      ...{ placeA, placeB, trackA, trackB, roleA: roleOf(lamp, knownA), roleB: roleOf(lamp, knownB) },
      load: loads.of(`${lamp.watts}\n${lamp.manufacturer}\n${lamp.model}`, () => loadOfLamp(lamp, curves)),
      road: lamp.roadClass,
    });
  }

  async function numbered(page: readonly SimulatedLamp[]): Promise<Lamps> {
    const lamps = lampsOf(page.length);
    const leave = breather();
    let count = 0;
    for (const lamp of page) {
      await leave();
      const found = await classOf(lamp);
      if (found === undefined) {
        withoutPlace += 1;
        continue;
      }
      const { standing } = lamp;
      lamps.ids[count] = lamp.id;
      lamps.classOf[count] = found;
      if (standing) {
        lamps.rowOf[count] = 1 + rows.of(`${standing.roadId} ${standing.side}`, () => null);
        lamps.positionOf[count] = standing.position;
      }
      count += 1;
    }
    return firstOf(lamps, count);
  }

  const pages: Lamps[] = [];
  let seen = 0;
  for (let after = 0; ;) {
    const page = await loadLamps(db, scope, caller, { after, limit: lampsAPage, until: to });
    signal.throwIfAborted();
    await tracks.load(page.map(({ followed }) => followed));
    const strangers = [...new Set(page.map(({ workAreaId }) => workAreaId))].filter((area) => !areas.has(area));
    if (strangers.length > 0) for (const [area, place] of await loadPlaces(db, strangers)) areas.set(area, place);
    pages.push(await numbered(page));
    progress((seen += page.length));
    if (page.length < lampsAPage) break;
    after = page.at(-1)?.id ?? after;
  }

  const yearTracks = tracks.tracks.map(({ track }) => track);
  const order: Order = {
    input: {
      ...{ from, days, tracks: yearTracks, places: places.things, loads: loads.things },
      ...{ plans: year.plans, classes: year.classes },
    },
    lamps: joined(pages),
    notes: tracks.tracks.flatMap(({ calendar, tooLarge }, track) =>
      calendar.length > 0 || tooLarge ? [{ track, calendar, tooLarge }] : [],
    ),
    cannot: able.found(yearTracks).map(({ lamps, ...one }) => ({ ...one, lamps: new Float64Array(lamps) })),
  };
  const found = { order, tracks: tracks.tracks, withoutPlace, watts };
  return { ...found, key: await keyOf(found) };
}

const lampsOf = (count: number): Lamps => ({
  ids: new Float64Array(count),
  classOf: new Uint32Array(count),
  rowOf: new Uint32Array(count),
  positionOf: new Uint32Array(count),
});

const firstOf = ({ ids, classOf, rowOf, positionOf }: Lamps, count: number): Lamps => ({
  ids: ids.subarray(0, count),
  classOf: classOf.subarray(0, count),
  rowOf: rowOf.subarray(0, count),
  positionOf: positionOf.subarray(0, count),
});

function joined(pages: readonly Lamps[]): Lamps {
  const all = lampsOf(pages.reduce((sum, { ids }) => sum + ids.length, 0));
  let at = 0;
  for (const page of pages) {
    all.ids.set(page.ids, at);
    all.classOf.set(page.classOf, at);
    all.rowOf.set(page.rowOf, at);
    all.positionOf.set(page.positionOf, at);
    at += page.ids.length;
  }
  return all;
}

/** By whose sun it burns, by cells. */
function placeOf(lamp: SimulatedLamp, track: KnownTrack | undefined, area: AreaPlace | undefined): SunPlace | null {
  const { timeZone, sunOffsetMinutes } = lamp;
  const place = placeInForce(track?.template ?? undefined, lamp, area);
  const cell = (degrees: number) => Math.round(degrees * cellsOfDegree) / cellsOfDegree;
  return place && { latitude: cell(place.latitude), longitude: cell(place.longitude), timeZone, sunOffsetMinutes };
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

/** What decides the result; bumped when the kernel counts otherwise. */
const kernel = 3;
async function keyOf({ order, withoutPlace, watts }: Omit<Gathered, 'key'>): Promise<string> {
  const { input, lamps, notes, cannot } = order;
  const hash = createHash('sha256');
  const head = [
    kernel,
    input.from,
    input.days,
    withoutPlace,
    watts,
    notes,
    cannot.map(({ code, track }) => [code, track]),
  ];
  hash.update(`${JSON.stringify(head)}\n`);
  for (const part of partsOf(input)) {
    hash.update(`${JSON.stringify(part)}\n`);
    await breathe();
  }
  const { ids, classOf, rowOf, positionOf } = lamps;
  for (const { buffer, byteLength } of [ids, classOf, rowOf, positionOf, ...cannot.map((one) => one.lamps)]) {
    for (let at = 0; at < byteLength; at += bytesAtOnce) {
      hash.update(new Uint8Array(buffer, at, Math.min(bytesAtOnce, byteLength - at)));
      await breathe();
    }
  }
  return hash.digest('hex');
}
