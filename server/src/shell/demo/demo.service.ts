import { offsetForClockAt } from '../../../../catalogue/lighting/sun.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getBaseMap, getDemo } from '../../../../contract/shell/demo.ts';
import { drawBaseMap } from '../../../../simulator/city/base-map.ts';
import { failureOf } from '../../../../simulator/city/dramas.ts';
import type { Handover } from '../../../../simulator/city/handover.ts';
import { generateCity } from '../../../../simulator/city/index.ts';
import { lookAgain } from '../../light/publications/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import type { Files } from '../../platform/files/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import type { Change, Devices } from '../../register/devices/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { provisionOn } from '../../wires/link/index.ts';
import * as store from './demo.store.ts';
import { findHandover, findProgress, writeHandover } from './handover-file.ts';
import { findPlaces, findTaken } from './office.store.ts';
import { seedOffice } from './office.ts';
import { handOverAgain, seedCity } from './seed.ts';
import { seenDevices, seenPlaces } from './seen.store.ts';

export interface DemoParts {
  /** Makes the city, which takes longer than a request may. */
  readonly db: Db;
  /** Answers people. */
  readonly answering: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly devices: Pick<Devices, 'registerMany' | 'issueCredentials' | 'prepared'>;
  /** Keeps the files that people of the city imported. */
  readonly files: Pick<Files, 'put'>;
  /** DEMO: whether this process plays the city. Without it only what an earlier demonstration left is shown. */
  readonly enabled: boolean;
  readonly lamps: number;
  /** Where the handover file stands. */
  readonly folder: string;
}

export type Demo = ReturnType<typeof createDemo>;
type State = ReplyOf<typeof getDemo>;
type BaseMap = ReplyOf<typeof getBaseMap>;

/** When a story happens: since an instant, or in the present night. */
function spanOf(
  since: number | null,
  tonight: ReturnType<typeof failureOf>,
): Pick<State['stories'][number], 'from' | 'to'> {
  if (since !== null) return { from: new Date(since).toISOString(), to: null };
  return {
    from: tonight && new Date(tonight.from).toISOString(),
    to: tonight && new Date(tonight.to).toISOString(),
  };
}

/** The demo city: made at the first start, its evening, its base map. */
export function createDemo({ db, answering, bus, clock, log, devices, files, enabled, lamps, folder }: DemoParts) {
  let drawn: { token: string; map: BaseMap } | undefined;

  async function state(caller: Caller): Promise<State> {
    const mark = await store.findMark(answering);
    const places = mark ? await findPlaces(answering) : null;
    const sunOffsetMinutes = mark ? await store.findSunOffset(answering, mark.workAreaId) : 0;
    const progress = enabled && mark ? findProgress(folder, mark.token) : undefined;
    const stories = progress?.stories ?? [];
    const seen = await seenDevices(answering, caller, [
      ...stories.map(({ deviceId }) => deviceId),
      places?.lampId ?? null,
      places?.controllerId ?? null,
    ]);
    const place = mark && (await loadPlaces(answering, [mark.workAreaId])).get(mark.workAreaId);
    return {
      active: enabled,
      demoEvening: enabled && sunOffsetMinutes !== 0,
      since: mark?.since ?? null,
      workAreaId: mark?.workAreaId ?? null,
      sunOffsetMinutes,
      lamps: mark?.lamps ?? 0,
      history: { day: progress?.day ?? 0, week: progress?.week ?? 0 },
      stories: stories
        .filter(({ deviceId }) => seen.has(deviceId))
        .map(({ since, ...story }) => ({
          ...story,
          ...spanOf(since, place ? failureOf(place, clock.now().getTime()) : null),
        })),
      places:
        mark && places
          ? await seenPlaces(answering, caller, places, { devices: seen, workAreaId: mark.workAreaId })
          : null,
    };
  }

  /** The city and its handover file, made or mended; `broker` is its address without credentials. */
  async function prepare(broker: string): Promise<{ handover: Handover; made: boolean }> {
    return db.transaction().execute(async (tx) => {
      await store.lockDemo(tx);
      const mark = await store.findMark(tx);
      const kept = mark && findHandover(folder, mark.token);
      if (kept) {
        const handover = { ...kept, broker };
        if (kept.broker !== broker) writeHandover(folder, handover);
        return { handover, made: false };
      }
      const handover = mark
        ? await handOverAgain(tx, devices, mark, broker)
        : await seedCity(tx, { devices, lamps, broker, now: clock.now() });
      const fresh = mark ? undefined : await store.findMark(tx);
      const taken = fresh && (await findTaken(tx));
      if (taken) log.warn({ name: taken }, 'the demo city has no people: an account or role has the name of one');
      else if (fresh)
        await seedOffice(tx, {
          workAreaId: fresh.workAreaId,
          controllerId: fresh.failingControllerId ?? null,
          devices,
          files,
          now: clock.now(),
        });
      // Before the commit: a kill in between leaves a file of a city that is not there, which the next start writes
      // anew.
      writeHandover(folder, handover);
      return { handover, made: !mark };
    });
  }

  /** Moves the sun of the area; lamps hear of it with their settings. */
  async function move(
    caller: Caller,
    change: Change,
    action: string,
    minutes: (tx: Transaction, workAreaId: number) => Promise<number>,
  ): Promise<State> {
    const mark = await store.findMark(answering);
    if (mark) {
      const { workAreaId } = mark;
      await change(action, async (tx) => {
        await store.putSunOffset(tx, workAreaId, await minutes(tx, workAreaId));
        await lookAgain(tx, workAreaId, clock.now());
      });
      bus.publish('settings.changed', { workAreaId });
    }
    return state(caller);
  }

  return {
    state,

    /** Whether a city was made here. */
    exists: async (): Promise<boolean> => (await store.findMark(answering)) !== undefined,

    /** Makes the city ready to be played. Accounts are made known to a broker that is not ours. */
    async start(broker: Broker, address: string): Promise<Handover> {
      const { handover, made } = await prepare(address);
      if (broker.kind === 'external') await provisionOn(broker)(handover.credentials);
      if (made) bus.publish('settings.changed', { workAreaId: null });
      return handover;
    },

    /** From now on the area has its real sun. */
    endEvening: (caller: Caller, change: Change) => move(caller, change, 'demo.endEvening', () => Promise.resolve(0)),

    /** Now it is this minute `HH:MM` of the area's lighting day. The lamps of a city that is not played are real. */
    async setEvening(caller: Caller, change: Change, wanted: string): Promise<State> {
      if (!enabled || !(await store.findMark(answering))) throw refuse('noDemoCity');
      return move(caller, change, 'demo.setEvening', async (tx, workAreaId) => {
        const place = (await loadPlaces(tx, [workAreaId])).get(workAreaId);
        return place ? offsetForClockAt(place, clock.now().getTime(), wanted) : 0;
      });
    },

    async baseMap(): Promise<BaseMap> {
      const mark = await store.findMark(answering);
      if (!mark) return { type: 'FeatureCollection', features: [] };
      if (drawn?.token !== mark.token)
        drawn = { token: mark.token, map: drawBaseMap(generateCity({ seed: mark.seed, lamps: mark.lamps })) };
      return drawn.map;
    },
  };
}
