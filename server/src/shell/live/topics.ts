import type { LampDelta } from '../../../../contract/live.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { createHints, Lately, type Hint, type LiveTopic } from '../../platform/live/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { openStates } from '../../light/commands/index.ts';
import { findDeltas } from '../../light/lamps/index.ts';
import { enter, leavingWhenItFails, tell, type Reader } from './audience.ts';
import { bundle, createDeviceTopics } from './device-topics.ts';
import { commandVisible, deviceVisible, itemsOf } from './live.store.ts';
import { inTurns } from './turns.ts';

export interface LiveTopicsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: readonly Hint[];
}

type Opening = Parameters<LiveTopic['open']>[0];

const gatherMs = 250;
/** What is fetched again as a whole is announced less often. */
const slowlyMs = 2000;

/**
 * Everything that can be watched, with who may. What changed is gathered for a moment and read once for all who watch.
 */
export function createLiveTopics({ db, bus, clock, log, hints }: LiveTopicsParts): {
  readonly topics: readonly LiveTopic[];
  start(): Stop;
} {
  const hinted = createHints(hints, { bus, clock });
  const lamps = new Set<Reader>();
  const devices = new Map<number, Set<Reader>>();
  const commands = new Map<number, Set<Reader>>();
  const changedLamps = new Set<number>();
  const changedItems = new Map<number, Set<number>>();

  const told = createDeviceTopics({ db, clock });
  const lately = new Lately(clock.now().getTime());
  const lampTurn = inTurns();
  const changedDevices = new Set<number>();
  let registerChanged = false;

  const sendLampsTo = async (readers: Iterable<Reader>, ids: readonly number[]): Promise<void> => {
    const at = clock.now().toISOString();
    for (let from = 0; from < ids.length; from += bundle) {
      const rows = (await findDeltas(db, ids.slice(from, from + bundle))).map(({ workAreaId, delta }) => ({
        id: delta[0],
        workAreaId,
        delta,
      }));
      await tell<{ id: number; workAreaId: number; delta: LampDelta }>(db, readers, rows, (seen) => ({
        type: 'lamps',
        at,
        lamps: seen.map(({ delta }) => delta),
      }));
    }
  };

  async function sendLamps(): Promise<void> {
    if (changedLamps.size === 0) return;
    const ids = [...changedLamps];
    changedLamps.clear();
    if (lamps.size === 0) return;
    try {
      await sendLampsTo(lamps, ids);
    } catch (thrown) {
      for (const id of ids) changedLamps.add(id);
      throw thrown;
    }
  }

  /** What somebody missed of the lamps who was away since then. */
  async function catchUpLamps(reader: Reader, since: string): Promise<void> {
    const ids = told.missed(since);
    if (ids === null) reader.send({ type: 'stale', topic: 'lamps' });
    else await sendLampsTo([reader], ids);
  }

  async function sendCommands(): Promise<void> {
    for (const [id, deviceIds] of [...changedItems]) {
      changedItems.delete(id);
      const readers = commands.get(id);
      if (!readers) continue;
      try {
        for (const { caller, send } of readers) {
          const { states, changed } = await itemsOf(db, id, caller, [...deviceIds]);
          send({
            type: 'command',
            id,
            states,
            finished: !openStates.some((state) => (states[state] ?? 0) > 0),
            changed,
          });
        }
      } catch (thrown) {
        changedItems.set(id, new Set([...deviceIds, ...(changedItems.get(id) ?? [])]));
        throw thrown;
      }
    }
  }

  const safely = (what: () => Promise<void>) => async () => {
    try {
      await what();
    } catch (thrown) {
      log.warn({ reason: reasonOf(thrown) }, 'live messages could not be sent');
    }
  };
  const noteDevices = (ids: readonly number[]) => {
    told.note(ids);
    for (const id of ids) if (devices.has(id)) changedDevices.add(id);
  };
  const tellDevices = () => {
    for (const id of changedDevices) devices.get(id)?.forEach(({ send }) => send({ type: 'device', id }));
    changedDevices.clear();
  };

  /** Of what is only hinted at: fetch again, when something happened since it was fetched. */
  const catchUp = ({ since, topic, send }: Opening, has: (since: number) => boolean): void => {
    if (since !== null && has(Date.parse(since))) send({ type: 'stale', topic });
  };
  const single = (
    name: RegExp,
    permissions: readonly Permission[],
    readers: Map<number, Set<Reader>>,
    find: (id: number, caller: Caller) => Promise<boolean | undefined>,
    has: (id: number, since: number) => boolean,
  ): LiveTopic => ({
    name,
    async open(opening) {
      const { caller, id, send } = opening;
      if (!permissions.some((permission) => caller.permissions.has(permission)))
        return { refused: 'missingPermission' };
      const visible = await find(id, caller);
      if (visible === undefined) return { refused: 'notFound' };
      if (!visible) return { refused: 'foreignWorkArea' };
      const watching = readers.get(id) ?? new Set();
      readers.set(id, watching);
      const leave = enter(watching, { caller, send });
      catchUp(opening, (since) => has(id, since));
      return () => {
        leave();
        if (watching.size === 0) readers.delete(id);
      };
    },
  });

  return {
    topics: [
      {
        name: /^lamps$/,
        async open({ caller, since, send }) {
          if (!caller.permissions.has('lamp.monitor')) return { refused: 'missingPermission' };
          const reader = { caller, send };
          const leave = enter(lamps, reader);
          if (since !== null)
            await leavingWhenItFails(
              leave,
              lampTurn(() => catchUpLamps(reader, since)),
            );
          return leave;
        },
      },
      told.topic,
      ...hinted.topics,
      single(
        /^device:(\d+)$/,
        ['lamp.monitor', 'device.query'],
        devices,
        (id, caller) => deviceVisible(db, id, caller),
        (id, since) => told.hasChanged(id, since),
      ),
      single(
        /^command:(\d+)$/,
        ['lamp.monitor'],
        commands,
        (id, caller) => commandVisible(db, id, caller),
        (id, since) => lately.since(`command:${id}`, since),
      ),
    ],
    start() {
      const stops = [
        hinted.start(),
        bus.subscribe('lamps.judged', ({ ids }) => {
          for (const id of ids) changedLamps.add(id);
          noteDevices(ids);
        }),
        bus.subscribe('devices.changed', ({ ids }) => noteDevices(ids)),
        bus.subscribe('register.changed', () => {
          registerChanged = true;
        }),
        // What other processes said meanwhile was not heard: whoever comes back fetches everything.
        bus.subscribe('bus.resumed', () =>
          [told.recent, lately].forEach((memory) => memory.forget(clock.now().getTime())),
        ),
        bus.subscribe('commands.changed', ({ commandId, deviceIds }) => {
          const items = changedItems.get(commandId) ?? new Set();
          for (const id of deviceIds) items.add(id);
          changedItems.set(commandId, items);
          lately.note(`command:${commandId}`, clock.now().getTime());
          noteDevices(deviceIds);
        }),
        clock.every(
          gatherMs,
          safely(() => lampTurn(sendLamps)),
        ),
        clock.every(gatherMs, safely(told.flush)),
        clock.every(gatherMs, tellDevices),
        clock.every(gatherMs, safely(sendCommands)),
        clock.every(slowlyMs, () => {
          if (registerChanged) told.register();
          registerChanged = false;
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}
