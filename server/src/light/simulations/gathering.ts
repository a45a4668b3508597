import { createHash } from 'node:crypto';
import { classFloors } from '../../../../catalogue/lighting/floors.ts';
import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import { noRole, type LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { createYearClasses, type Load } from '../../../../catalogue/lighting/plan/year-input.ts';
import { roleAt } from '../../../../catalogue/lighting/rows.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { dayNumber } from '../../../../catalogue/lighting/zone.ts';
import { roadClasses } from '../../../../catalogue/records/road.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { loadCurves, type LearnedCurves } from '../lamps/index.ts';
import { placeInForce } from '../plans/index.ts';
import { abilities } from './abilities.ts';
import { loadLamps, loadNeighbours, type RowName, type SimulatedLamp } from './lamps.store.ts';
import { numbersOf, type Lamps, type Order } from './order.ts';
import type { AskedSimulation } from './simulations.types.ts';
import { createTracks, type KnownTrack } from './tracks.ts';

/** The lamps of a scope as the year difference takes them. Pages of lamps come one after the other. */

const lampsAPage = 2000;
/** So many rows are asked for lamps of others at once. */
const rowsAtOnce = 50;
/** Places of the sun are cells of so many degrees: at most 12 s of the sun from east to west. */
const cellsOfDegree = 20;

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
}

type Standing = NonNullable<SimulatedLamp['standing']>;

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

export async function gather(asked: AskedSimulation, { db, caller, progress }: GatherParts): Promise<Gathered> {
  const { from, to, scope } = asked;
  const days = dayNumber(to) - dayNumber(from) + 1;
  const tracks = createTracks(db, { from, days });
  const year = createYearClasses((index) => tracks.tracks[index]?.track);
  const curves = await loadCurves(db);
  const areas = new Map<number, AreaPlace>();
  const places = createIndex<SunPlace>();
  const loads = createIndex<Load>();
  const rows = createIndex<Standing>();
  const able = abilities();
  const watts: Watts = { learned: 0, nameplate: 0, unknown: 0 };
  let withoutPlace = 0;

  /** The class of a lamp; undefined: nobody knows where it stands. */
  async function classOf(lamp: SimulatedLamp, isNeighbour: boolean): Promise<number | undefined> {
    const { followed, timeZone } = lamp;
    const now = () => tracks.current(followed, timeZone);
    const trackB = isNeighbour ? await now() : await tracks.of(asked.b, 'b', followed, timeZone);
    const trackA = asked.a && !isNeighbour ? await tracks.of(asked.a, 'a', followed, timeZone) : await now();
    const [knownA, knownB] = [tracks.tracks[trackA], tracks.tracks[trackB]];
    const placed = [knownA, knownB].map((track) => placeOf(lamp, track, areas.get(lamp.workAreaId)));
    const [placeA, placeB] = placed.map((place) =>
      place ? places.of(Object.values(place).join(' '), () => place) : undefined,
    );
    if (placeA === undefined || placeB === undefined) return undefined;
    if (!isNeighbour) {
      watts[sourceOf(lamp, curves)] += 1;
      able.look(lamp.id, { can: lamp.capabilities, dimming: lamp.dimming }, trackB);
    }
    const load = isNeighbour
      ? 0
      : loads.of(`${lamp.watts}\n${lamp.manufacturer}\n${lamp.model}`, () => loadOfLamp(lamp, curves));
    return year.add(
      {
        ...{ placeA, placeB, trackA, trackB, roleA: roleOf(lamp, knownA), roleB: roleOf(lamp, knownB) },
        ...{ load, road: lamp.roadClass },
      },
      !isNeighbour,
    );
  }

  async function numbered(page: readonly SimulatedLamp[], isNeighbour: boolean): Promise<Lamps> {
    await tracks.load(page.map(({ followed }) => followed));
    const strangers = [...new Set(page.map(({ workAreaId }) => workAreaId))].filter((area) => !areas.has(area));
    if (strangers.length > 0) for (const [area, place] of await loadPlaces(db, strangers)) areas.set(area, place);
    const lamps = lampsOf(page.length);
    let count = 0;
    for (const lamp of page) {
      const found = await classOf(lamp, isNeighbour);
      if (found === undefined) {
        if (!isNeighbour) withoutPlace += 1;
        continue;
      }
      const { standing } = lamp;
      lamps.ids[count] = lamp.id;
      lamps.classOf[count] = found;
      if (standing) {
        lamps.rowOf[count] = 1 + rows.of(`${standing.roadId} ${standing.side}`, () => standing);
        lamps.positionOf[count] = standing.position;
      }
      count += 1;
    }
    return firstOf(lamps, count);
  }

  /** Page after page, until one is not full. */
  async function paged(load: (after: number) => Promise<SimulatedLamp[]>, isNeighbour: boolean): Promise<Lamps[]> {
    const pages: Lamps[] = [];
    for (let after = 0; ;) {
      const page = await load(after);
      pages.push(await numbered(page, isNeighbour));
      if (!isNeighbour) progress((seen += page.length));
      if (page.length < lampsAPage) return pages;
      after = page.at(-1)?.id ?? after;
    }
  }

  let seen = 0;
  const page = (after: number) => ({ after, limit: lampsAPage, until: to });
  const pages = await paged((after) => loadLamps(db, scope, caller, page(after)), false);
  const neighbours: Lamps[] = [];
  // Of everything there are no others.
  const isWhole = Object.keys(scope).length === 0 && caller.workAreas === 'all' && caller.workAreaId === null;
  const judged = isWhole ? [] : rows.things.filter(({ roadClass }) => roadClass !== null && classFloors[roadClass] > 0);
  for (let at = 0; at < judged.length; at += rowsAtOnce) {
    const some: readonly RowName[] = judged.slice(at, at + rowsAtOnce);
    neighbours.push(
      ...(await paged((after) => loadNeighbours(db, scope, caller, { ...page(after), rows: some }), true)),
    );
  }

  const yearTracks = tracks.tracks.map(({ track }) => track);
  const order: Order = {
    input: {
      ...{ from, days, tracks: yearTracks, places: places.things, loads: loads.things },
      ...{ plans: year.plans, classes: year.classes },
    },
    lamps: joined(pages),
    neighbours: joined(neighbours),
    roadOf: Uint8Array.from(rows.things, ({ roadClass }) =>
      roadClass === null ? 0 : 1 + roadClasses.indexOf(roadClass),
    ),
    notes: tracks.tracks.flatMap(({ calendar, tooLarge, excepted }, track) =>
      calendar.length > 0 || tooLarge || excepted.length > 0 ? [{ track, calendar, tooLarge, excepted }] : [],
    ),
    cannot: able.found(yearTracks),
  };
  const found = { order, tracks: tracks.tracks, withoutPlace, watts };
  return { ...found, key: keyOf(found) };
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
const kernel = 4;
function keyOf({ order, withoutPlace, watts }: Omit<Gathered, 'key'>): string {
  const { input, notes, cannot } = order;
  const { from, days, tracks, places, loads, plans, classes } = input;
  const hash = createHash('sha256');
  const head = [kernel, from, days, withoutPlace, watts, notes, cannot.map(({ code, track }) => [code, track])];
  hash.update(`${JSON.stringify(head)}\n`);
  for (const list of [tracks, places, loads, plans, classes]) {
    hash.update(`${list.length}\n`);
    for (const one of list) hash.update(`${JSON.stringify(one)}\n`);
  }
  for (const numbers of numbersOf(order)) hash.update(numbers);
  return hash.digest('hex');
}
