import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { createCommand, getCommand, listCommands } from '../../../../contract/routes/commands.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, refuseFields, type Caller } from '../../platform/http/index.ts';
import { visibleDevices } from '../devices/index.ts';
import { loadPlaces } from '../lamps/index.ts';
import { checkCommand, defaultEnd, familiesOffering, longestMs, mostDevices, openStates, type Args } from './commands.rules.ts';
import * as store from './commands.store.ts';
import type { CommandLimits } from './limits.ts';
import { announceChanges } from './announce.ts';

export interface CommandsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly limits: () => Promise<CommandLimits>;
  /** Told after the commit that something is queued. */
  readonly queued: () => void;
}
/** Runs the SQL of a change in one transaction; a request's `ctx.change`. */
export type Change = <T>(action: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;
type Body = BodyOf<typeof createCommand>;
type Created = ReplyOf<typeof createCommand>;
export type Commands = ReturnType<typeof createCommands>;

const exactUpTo = 10_000;

/** Commands to devices: asked for here, sent by the dispatcher, proved by what comes in. */
export function createCommands({ db, clock, bus, limits, queued }: CommandsParts) {
  async function targets(caller: Caller, { deviceIds, scope = {} }: Pick<Body, 'deviceIds' | 'scope'>, offering: readonly string[]): Promise<store.Target[]> {
    if (deviceIds) {
      const wanted = new Set(deviceIds);
      if (wanted.size > mostDevices) throw refuse('tooManyDevices', { count: wanted.size, limit: mostDevices });
      const found = await store.findTargets(db, [...wanted], visibleDevices(caller));
      if (found.length < wanted.size) throw refuse('notFound');
      if (found.some((device) => !device.visible)) throw refuse('foreignWorkArea');
      return found;
    }
    // A road's or group's command is for its lamps: controllers hold no light.
    const lamps = offering.filter((key) => key === 'single-lamp-controller');
    const found = await store.findInScope(db, scope, lamps, visibleDevices(caller), mostDevices + 1);
    if (found.length === 0) await refuseStrangeScope(caller, scope);
    if (found.length > mostDevices) throw refuse('tooManyDevices', { count: found.length, limit: mostDevices });
    return found;
  }

  /** Why a scope holds nothing for this caller: it does not exist, or is of another work area. */
  async function refuseStrangeScope(caller: Caller, scope: store.Scope): Promise<void> {
    const areas = await store.findScopeAreas(db, scope);
    if (areas.includes(null)) throw refuse('notFound');
    const inside = (area: number) => (caller.workAreaId === null || caller.workAreaId === area) && (caller.workAreas === 'all' || caller.workAreas.includes(area));
    if (!areas.every((area) => area === null || inside(area))) throw refuse('foreignWorkArea');
  }

  /** Each device's end; null for a command without a lasting effect. */
  async function ends(devices: readonly store.Target[], lasting: boolean, given: number | null, now: number): Promise<(target: store.Target) => Date | null> {
    if (!lasting) return () => null;
    if (given !== null) return () => new Date(given);
    const places = await loadPlaces(db);
    const byArea = new Map([...new Set(devices.map((device) => device.workAreaId))].map((area) => [area, new Date(defaultEnd(now, places.get(area)))]));
    return (target) => byArea.get(target.workAreaId) ?? new Date(now + longestMs);
  }

  async function send(caller: Caller, change: Change, request: Pick<Body, 'deviceIds' | 'scope' | 'command'> & { args: Args; until: number | null; reason: string | null }): Promise<Created> {
    const now = clock.now();
    const { deviceIds, scope } = request;
    // What is wrong in itself (400) comes before what is unknown or foreign (404, 403).
    if ((deviceIds === undefined) === (scope === undefined)) throw refuseFields({ field: deviceIds ? 'scope' : 'deviceIds', rule: deviceIds ? 'invalid' : 'required' });
    const offering = familiesOffering(request.command, request.args);
    const until = checkEnd(request.until, now.getTime());
    const devices = await targets(caller, request, offering);
    if (devices.length === 0) throw refuse('noDevices');
    const inUse = devices.filter((device) => device.enabled);
    if (inUse.length === 0) throw refuse('devicesDisabled', { count: devices.length });
    const disabled = devices.filter((device) => !device.enabled).map((device) => device.id);
    const { lasting, args } = checkCommand(new Set(devices.map((device) => device.family)), request.command, request.args);
    const endOf = await ends(inUse, lasting, until, now.getTime());
    const items = inUse.map((device) => ({ deviceId: device.id, until: endOf(device) }));
    const last = Math.max(...items.map((item) => item.until?.getTime() ?? 0));
    const { queueSeconds } = await limits();
    const { id, superseded } = await change('command.create', (tx) => store.insertCommand(tx, {
      command: request.command, args, until: lasting ? new Date(last) : null, reason: request.reason, actorId: caller.accountId, actorName: caller.username,
      scope: request.scope ?? { devices: devices.length }, now, expiresAt: new Date(now.getTime() + queueSeconds * 1000), items, disabled,
    }));
    announceChanges(bus, [...superseded, ...[...items.map(({ deviceId }) => deviceId), ...disabled].map((deviceId) => ({ commandId: id, deviceId }))]);
    queued();
    return { id, total: devices.length };
  }

  return {
    create: (caller: Caller, change: Change, body: Body): Promise<Created> =>
      send(caller, change, { ...body, args: body.args ?? {}, until: body.until ? Date.parse(body.until) : null, reason: body.reason?.trim() || null }),

    /** A new command to only those devices of the old one that failed, timed out or expired; an end that has passed becomes the default one. */
    async retry(caller: Caller, change: Change, id: number): Promise<Created> {
      const old = await found(caller, id);
      const missed = await store.findMissed(db, id, visibleDevices(caller));
      if (missed.length === 0) throw refuse('noDevices');
      const until = old.until && old.until > clock.now() ? old.until.getTime() : null;
      return send(caller, change, { deviceIds: missed, command: old.command, args: old.args, until, reason: old.reason });
    },

    async list(caller: Caller, query: QueryOf<typeof listCommands>): Promise<ReplyOf<typeof listCommands>> {
      const visible = visibleDevices(caller);
      const page = pageOf(query);
      const [rows, count, inForce] = await Promise.all([
        store.findPage(db, visible, query.deviceId, page), store.countCommands(db, visible, query.deviceId, exactUpTo + 1), limits(),
      ]);
      return {
        data: rows.map(({ item, ...row }) => ({ ...summary(row, inForce), ...(item ? { item: itemView(revived(item)) } : {}) })),
        recordsTotal: Math.min(count, exactUpTo), ...(count > exactUpTo ? { recordsTotalExact: false } : {}),
      };
    },

    async get(caller: Caller, id: number, query: QueryOf<typeof getCommand>): Promise<ReplyOf<typeof getCommand>> {
      const row = await found(caller, id);
      const [items, inForce] = await Promise.all([store.findItems(db, id, visibleDevices(caller), pageOf(query)), limits()]);
      return { ...summary(row, inForce), items: items.map(itemView), recordsTotal: row.total };
    },
  };

  async function found(caller: Caller, id: number): Promise<store.StoredCommand> {
    const row = await store.findOne(db, id, visibleDevices(caller));
    if (!row) throw refuse('notFound');
    if (row.total === null) throw refuse('foreignWorkArea');
    return { ...row, total: row.total };
  }
}

/** Checks an end that was asked for: in the future, at most 24 h away. */
function checkEnd(until: number | null, now: number): number | null {
  if (until === null) return null;
  // A leap second has the form of a time and is none that a clock of ours knows.
  if (!Number.isFinite(until)) throw refuseFields({ field: 'until', rule: 'format' });
  if (until > now + longestMs) throw refuse('commandEndTooLate', {}, { fields: [{ field: 'until', rule: 'invalid' }] });
  if (until <= now) throw refuseFields({ field: 'until', rule: 'invalid' });
  return until;
}

const pageOf = ({ page = 1, size = 50 }: { page?: number | undefined; size?: number | undefined }) => ({ limit: size, offset: Math.max(0, page - 1) * size });
const text = (at: Date | null): string | null => at?.toISOString() ?? null;

function summary(row: store.StoredCommand, { acknowledgeSeconds, confirmSeconds }: CommandLimits) {
  return {
    id: row.id, command: row.command, args: row.args, until: text(row.until), reason: row.reason, actorName: row.actorName, createdAt: row.createdAt.toISOString(),
    total: row.total, states: row.states, finished: !openStates.some((state) => (row.states[state] ?? 0) > 0), limits: { acknowledgeSeconds, confirmSeconds },
  };
}

function itemView(item: store.StoredItem) {
  return {
    ...item, queuedAt: item.queuedAt.toISOString(), sentAt: text(item.sentAt), acknowledgedAt: text(item.acknowledgedAt), endedAt: text(item.endedAt), until: text(item.until),
  };
}

/** A row that travelled as JSON has its times as text. */
function revived(item: object): store.StoredItem {
  const times = ['queuedAt', 'sentAt', 'acknowledgedAt', 'endedAt', 'until'];
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, times.includes(key) && typeof value === 'string' ? new Date(value) : value])) as unknown as store.StoredItem;
}
