import { familyOf } from '../../../../catalogue/index.ts';
import type { DeviceDelta } from '../../../../contract/live.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { slackMs, type LiveTopic } from '../../platform/live/index.ts';
import { enter, isInside, leavingWhenItFails, tell, type Reader, type Scoped } from './audience.ts';
import { findPictures } from './live.store.ts';
import { fullDelta, Remembered, stateDelta, type Before, type Picture } from './pictures.ts';
import { Recent } from './recent.ts';
import { inTurns } from './turns.ts';

/** Those who watch the same: a family or all, an area or all that they see. */
interface Watched {
  readonly topic: string;
  readonly family: string | null;
  readonly areaId: number | null;
  readonly readers: Set<Reader>;
}
interface Told extends Scoped {
  readonly delta: DeviceDelta;
}

const name = /^devices(?::([a-z0-9-]+))?(?:@(\d+))?$/;
/** Read and told at once; more comes one bundle after the other. */
export const bundle = 2000;
/** Whoever has just fetched is told however much it is: else it would fetch again and again. */
const freshMs = 10_000;

/**
 * What changes of devices, for maps (states of all) and lists (states and values of a family): of each device only what
 * changed since it was told last. Whoever was away for less than a minute hears what it missed.
 */
export function createDeviceTopics({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const watched = new Map<string, Watched>();
  const remembered = new Remembered();
  const recent = new Recent(clock.now().getTime());
  const turn = inTurns();
  let changed = new Set<number>();
  /** When it was told last that something was registered, changed by somebody or taken away. */
  let registeredAt = Number.NEGATIVE_INFINITY;

  const isIn = ({ family, areaId }: Watched, picture: Picture): boolean =>
    (family === null || picture.family === family) && (areaId === null || picture.workAreaId === areaId);
  const deltaOf = ({ family }: Watched, now: Picture, before: Before | undefined): Told[] => {
    const delta = family === null ? stateDelta(now, before?.states) : fullDelta(now, before?.picture);
    return delta === null ? [] : [{ id: now.id, workAreaId: now.workAreaId, delta }];
  };
  const send = (to: Watched, readers: Iterable<Reader>, told: readonly Told[], at: string): Promise<void> =>
    tell(db, readers, told, (seen) => ({
      type: 'devices',
      topic: to.topic,
      at,
      devices: seen.map(({ delta }) => delta),
    }));

  async function flush(): Promise<void> {
    if (changed.size === 0) return;
    const ids = [...changed];
    changed = new Set();
    const now = clock.now();
    recent.add(now.getTime(), ids);
    if (watched.size === 0) return;
    try {
      for (let from = 0; from < ids.length; from += bundle) await tellAll(ids.slice(from, from + bundle), now);
    } catch (thrown) {
      // Nobody knows who was told what: all of it is told with the next flush.
      remembered.clear();
      for (const id of ids) changed.add(id);
      throw thrown;
    }
  }

  async function tellAll(ids: readonly number[], now: Date): Promise<void> {
    const pairs = (await findPictures(db, ids)).map((picture) => [picture, remembered.replace(picture)] as const);
    for (const one of watched.values())
      await send(
        one,
        one.readers,
        pairs.flatMap(([picture, before]) => (isIn(one, picture) ? deltaOf(one, picture, before) : [])),
        now.toISOString(),
      );
  }

  /** What somebody missed who was away since then. */
  async function catchUp(to: Watched, reader: Reader, since: string): Promise<void> {
    if (registeredAt >= Date.parse(since) - slackMs) reader.send({ type: 'register', topic: to.topic });
    const ids = missed(since);
    if (ids === null) return reader.send({ type: 'stale', topic: to.topic });
    const at = clock.now().toISOString();
    for (let from = 0; from < ids.length; from += bundle) {
      const pictures = (await findPictures(db, ids.slice(from, from + bundle))).filter((picture) => isIn(to, picture));
      await send(
        to,
        [reader],
        pictures.flatMap((picture) => deltaOf(to, picture, undefined)),
        at,
      );
    }
  }

  /** What changed since then; null: that is too long ago, or too much to be told one by one. */
  function missed(since: string): readonly number[] | null {
    const ids = recent.since(Date.parse(since));
    return ids === null || (ids.size > bundle && clock.now().getTime() - Date.parse(since) > freshMs) ? null : [...ids];
  }

  const topic: LiveTopic = {
    name,
    async open({ caller, topic: full, since, send: sendOne }) {
      const [, family = null, area] = name.exec(full) ?? [];
      const areaId = area === undefined ? null : Number(area);
      if (!caller.permissions.has('device.query')) return { refused: 'missingPermission' };
      if (family !== null && !familyOf(family)) return { refused: 'notFound' };
      if (areaId !== null && !isInside(caller, areaId, false)) return { refused: 'foreignWorkArea' };
      const one = watched.get(full) ?? { topic: full, family, areaId, readers: new Set<Reader>() };
      watched.set(full, one);
      const reader = { caller, send: sendOne };
      const leave = enter(one.readers, reader);
      const stop = () => {
        leave();
        if (one.readers.size > 0 || watched.get(full) !== one) return;
        watched.delete(full);
        if (watched.size === 0) remembered.clear();
      };
      if (since !== null)
        await leavingWhenItFails(
          stop,
          turn(() => catchUp(one, reader, since)),
        );
      return stop;
    },
  };

  return {
    topic,
    flush: () => turn(flush),
    /** Readings, state or link of these devices changed. */
    note(ids: readonly number[]): void {
      for (const id of ids) changed.add(id);
    },
    /** Devices were registered, changed by somebody or taken away. */
    register(): void {
      registeredAt = clock.now().getTime();
      for (const { topic: full, readers } of watched.values())
        readers.forEach((reader) => reader.send({ type: 'register', topic: full }));
    },
    /** Whether something of a device changed since then (ms); also when that is too long ago to tell. */
    hasChanged: (id: number, since: number): boolean => changed.has(id) || (recent.has(id, since) ?? true),
    recent,
    missed,
  };
}
