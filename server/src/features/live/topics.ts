import { sql } from 'kysely';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { LiveTopic, Send } from '../../platform/live/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { openStates } from '../commands/index.ts';
import { visibleDevices } from '../devices/index.ts';
import { findDeltas } from '../lamps/index.ts';

export interface LiveTopicsParts { readonly db: Db; readonly bus: Bus; readonly clock: Clock; readonly log: Log }

interface Reader { readonly caller: Caller; readonly send: Send }

const gatherMs = 250;
/** What is fetched anew as a whole is told less often. */
const slowlyMs = 2000;

/** Everything that can be watched, with who may. What changed is gathered for a moment and read once for all who watch. */
export function createLiveTopics({ db, bus, clock, log }: LiveTopicsParts): { readonly topics: LiveTopic[]; start(): Stop } {
  const lamps = new Set<Reader>();
  const home = new Set<Reader>();
  const menus = new Set<Reader>();
  const tasks = new Set<Reader>();
  const inbox = new Set<Reader>();
  const commandLists = new Set<Reader>();
  const devices = new Map<number, Set<Reader>>();
  const commands = new Map<number, Set<Reader>>();
  const changedLamps = new Set<number>();
  const changedItems = new Map<number, Set<number>>();
  let homeChanged = false;
  let inboxChanged = false;
  let commandsChanged = false;

  async function sendLamps(): Promise<void> {
    if (changedLamps.size === 0) return;
    const ids = [...changedLamps];
    changedLamps.clear();
    if (lamps.size === 0) return;
    const deltas = await findDeltas(db, ids);
    const at = clock.now().toISOString();
    for (const { caller, send } of lamps) {
      const bound = caller.workAreas === 'all' ? undefined : await boundTo(db, caller, ids);
      const seen = deltas.filter(({ workAreaId, delta: [id] }) => isInside(caller, workAreaId, bound?.has(id) ?? false)).map(({ delta }) => delta);
      if (seen.length > 0) send({ type: 'lamps', at, lamps: seen });
    }
  }

  async function sendCommands(): Promise<void> {
    for (const [id, deviceIds] of [...changedItems]) {
      changedItems.delete(id);
      const readers = commands.get(id);
      if (!readers) continue;
      for (const { caller, send } of readers) {
        const { states, changed } = await itemsOf(db, id, caller, [...deviceIds]);
        send({ type: 'command', id, states, finished: !openStates.some((state) => (states[state] ?? 0) > 0), changed });
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
  const tellDevices = (ids: readonly number[]) => {
    for (const id of ids) devices.get(id)?.forEach(({ send }) => send({ type: 'device', id }));
  };

  const shared = (name: RegExp, permissions: readonly Permission[], readers: Set<Reader>): LiveTopic => ({
    name,
    open({ caller, send }) {
      if (permissions.length > 0 && !permissions.some((permission) => caller.permissions.has(permission))) return Promise.resolve({ refused: 'missingPermission' });
      return Promise.resolve(enter(readers, { caller, send }));
    },
  });
  const single = (name: RegExp, readers: Map<number, Set<Reader>>, find: (id: number, caller: Caller) => Promise<boolean | undefined>): LiveTopic => ({
    name,
    async open({ caller, id, send }) {
      if (!caller.permissions.has('lamp.monitor')) return { refused: 'missingPermission' };
      const visible = await find(id, caller);
      if (visible === undefined) return { refused: 'notFound' };
      if (!visible) return { refused: 'foreignWorkArea' };
      const watching = readers.get(id) ?? new Set();
      readers.set(id, watching);
      const leave = enter(watching, { caller, send });
      return () => {
        leave();
        if (watching.size === 0) readers.delete(id);
      };
    },
  });

  return {
    topics: [
      shared(/^lamps$/, ['lamp.monitor'], lamps),
      shared(/^home$/, [], home),
      shared(/^menus$/, [], menus),
      shared(/^tasks$/, [], tasks),
      shared(/^inbox$/, ['device.provision'], inbox),
      shared(/^commands$/, ['lamp.monitor', 'lamp.approve'], commandLists),
      // The end of a session is told to every connection of it.
      shared(/^session$/, [], new Set()),
      single(/^device:(\d+)$/, devices, (id, caller) => deviceVisible(db, id, caller)),
      single(/^command:(\d+)$/, commands, (id, caller) => commandVisible(db, id, caller)),
    ],
    start() {
      const stops = [
        bus.subscribe('lamps.judged', ({ ids }) => {
          for (const id of ids) changedLamps.add(id);
          homeChanged = true;
          tellDevices(ids);
        }),
        bus.subscribe('devices.changed', ({ ids }) => tellDevices(ids)),
        bus.subscribe('settings.changed', () => { homeChanged = true; }),
        bus.subscribe('commands.changed', ({ commandId, deviceIds }) => {
          const items = changedItems.get(commandId) ?? new Set();
          for (const id of deviceIds) items.add(id);
          changedItems.set(commandId, items);
          commandsChanged = true;
          tellDevices(deviceIds);
        }),
        bus.subscribe('newcomers.changed', () => { inboxChanged = true; }),
        bus.subscribe('rights.changed', () => menus.forEach(({ send }) => send({ type: 'menus' }))),
        bus.subscribe('tasks.changed', ({ accountId, taskId }) => tasks.forEach(({ caller, send }) => {
          if (caller.accountId === accountId) send({ type: 'task', id: taskId });
        })),
        clock.every(gatherMs, safely(sendLamps)),
        clock.every(gatherMs, safely(sendCommands)),
        clock.every(slowlyMs, () => {
          if (inboxChanged) inbox.forEach(({ send }) => send({ type: 'inbox' }));
          inboxChanged = false;
          if (commandsChanged) commandLists.forEach(({ send }) => send({ type: 'commands' }));
          commandsChanged = false;
        }),
        clock.every(slowlyMs, () => {
          if (homeChanged) home.forEach(({ send }) => send({ type: 'home' }));
          homeChanged = false;
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

function enter(readers: Set<Reader>, reader: Reader): Stop {
  readers.add(reader);
  return () => void readers.delete(reader);
}

function isInside(caller: Caller, workAreaId: number, bound: boolean): boolean {
  if (caller.workAreaId !== null && caller.workAreaId !== workAreaId) return false;
  return caller.workAreas === 'all' || caller.workAreas.includes(workAreaId) || bound;
}

/** Which of these devices are bound to the caller's account itself. */
async function boundTo(db: Db, caller: Caller, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`SELECT device_id AS id FROM device_account WHERE account_id = ${caller.accountId} AND device_id = ANY(${ids as number[]}::bigint[])`.execute(db);
  return new Set(rows.map((row) => row.id));
}

async function deviceVisible(db: Db, id: number, caller: Caller): Promise<boolean | undefined> {
  const { rows } = await sql<{ visible: boolean }>`SELECT ${visibleDevices(caller)} AS visible FROM device d WHERE d.id = ${id}`.execute(db);
  return rows[0]?.visible;
}

async function commandVisible(db: Db, id: number, caller: Caller): Promise<boolean | undefined> {
  const { rows } = await sql<{ visible: boolean }>`SELECT EXISTS (SELECT 1 FROM command_item i JOIN device d ON d.id = i.device_id WHERE i.command_id = c.id AND ${visibleDevices(caller)}) AS visible
    FROM command c WHERE c.id = ${id}`.execute(db);
  return rows[0]?.visible;
}

/** Counts of all items the caller sees, and the states of these devices'. */
async function itemsOf(db: Db, id: number, caller: Caller, deviceIds: readonly number[]) {
  const items = sql`command_item i JOIN device d ON d.id = i.device_id WHERE i.command_id = ${id} AND ${visibleDevices(caller)}`;
  const [counts, changed] = await Promise.all([
    sql<{ state: string; n: number }>`SELECT i.state, count(*)::int AS n FROM ${items} GROUP BY i.state`.execute(db),
    sql<{ deviceId: number; state: string }>`SELECT i.device_id AS "deviceId", i.state FROM ${items} AND i.device_id = ANY(${deviceIds as number[]}::bigint[])`.execute(db),
  ]);
  return { states: Object.fromEntries(counts.rows.map(({ state, n }) => [state, n])), changed: changed.rows };
}
