import type { Static } from 'typebox';
import { carriesOthers } from '../../../../catalogue/index.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import {
  timelineKinds,
  type getDeviceTimeline,
  type TimelineEntry,
} from '../../../../contract/register/device-history.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { visibleDevices, type Devices } from '../devices/index.ts';
import type { FoundEpisode } from '../episodes/index.ts';
import * as store from './timeline.store.ts';

type Entry = Static<typeof TimelineEntry>;
type Query = QueryOf<typeof getDeviceTimeline>;
type Page = ReplyOf<typeof getDeviceTimeline>;
export interface HistoryParts {
  readonly db: Db;
  readonly devices: Devices;
}
export type DeviceHistory = ReturnType<typeof createDeviceHistory>;

const usual = 30;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** What happened to devices, as one line of time. */
export function createDeviceHistory({ db, devices }: HistoryParts) {
  return {
    async ofDevice(caller: Caller, id: number, query: Query): Promise<Page> {
      await devices.get(caller, id);
      return page(db, [id], query, null);
    },

    /** Of a pole, everything on it that the caller sees, and what was taken off it. */
    async ofPole(caller: Caller, id: number, query: Query): Promise<Page> {
      const pole = await devices.get(caller, id);
      if (!carriesOthers(pole.family)) throw refuse('notFound');
      const mounted = await store.findMounted(db, id, visibleDevices(caller));
      return page(db, [id, ...mounted], query, { poleId: id, scope: caller });
    },
  };
}

async function page(
  db: Db,
  ids: readonly number[],
  { kinds, before, size = usual }: Query,
  left: store.Left | null,
): Promise<Page> {
  const wanted = new Set<string>(kinds?.split(',') ?? timelineKinds);
  const asked: store.Asked = { ids, before: before === undefined ? null : placeOf(before), limit: size + 1 };
  const [episodes, commands, changes] = await Promise.all([
    wanted.has('episode') || wanted.has('event') ? store.findEpisodes(db, asked) : [],
    wanted.has('command') ? store.findCommands(db, asked) : [],
    wanted.has('change') ? store.findChanges(db, asked, left) : [],
  ]);
  const all = [
    ...episodes.map(ofEpisode),
    ...commands.map(ofCommand),
    ...changes.map((change) => ofChange(change, left?.poleId ?? null)),
  ].sort(newestFirst);
  return { data: all.slice(0, size).map(({ entry }) => entry), more: all.length > size };
}

function placeOf(key: string): store.Place {
  const [at = '', rank, id, deviceId] = key.split('~');
  if (Number.isNaN(Date.parse(at))) throw refuse('notFound');
  return { at, rank: Number(rank), id: Number(id), deviceId: Number(deviceId) };
}

interface Placed {
  readonly place: store.Place;
  readonly entry: Entry;
}
const newestFirst = (a: Placed, b: Placed): number =>
  a.place.at === b.place.at
    ? b.place.rank - a.place.rank || b.place.id - a.place.id || b.place.deviceId - a.place.deviceId
    : a.place.at < b.place.at
      ? 1
      : -1;

function placed(
  row: store.Found,
  rank: number,
  gone: boolean,
  what: Partial<Pick<Entry, 'episode' | 'command' | 'change'>>,
): Placed {
  const place = { at: row.moment, rank, id: row.id, deviceId: row.deviceId };
  const key = [place.at, rank, place.id, place.deviceId].join('~');
  const device = { id: row.deviceId, family: row.family, code: row.code, name: row.name, gone };
  return {
    place,
    entry: { key, at: new Date(row.moment).toISOString(), device, episode: null, command: null, change: null, ...what },
  };
}

const ofEpisode = (row: FoundEpisode): Placed => placed(row, row.rank, false, { episode: row.episode });

function ofCommand(row: store.FoundCommand): Placed {
  const { deviceId, code, name, family, state, tries, canary, error, proof, verification } = row;
  const item = {
    deviceId,
    code,
    name,
    family,
    state,
    tries,
    canary,
    verification,
    reading: null,
    queuedAt: row.queuedAt.toISOString(),
    sentAt: iso(row.sentAt),
    acknowledgedAt: iso(row.acknowledgedAt),
    endedAt: iso(row.endedAt),
    until: iso(row.until),
    error,
    proof,
  };
  return placed(row, store.ranks.command, false, {
    command: { id: row.id, command: row.command, args: row.args, reason: row.reason, actorName: row.actorName, item },
  });
}

function ofChange(row: store.FoundChange, poleId: number | null): Placed {
  const { kind, source, importId, note, actorName, gone } = row;
  const left = poleId !== null && row.leftPoleId === poleId;
  return placed(row, store.ranks.change, gone, {
    change: { kind, source, importId, note, actorName, fields: [...row.fields], left },
  });
}
