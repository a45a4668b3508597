import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type {
  claimNewcomer,
  getDeviceLink,
  getNewcomer,
  listConnectable,
  listNewcomers,
} from '../../../../contract/wires/provisioning.ts';
import { accountOfBatch } from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { countOf, type Db, type Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseFields,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { translateTaken, visibleDevices, type Devices } from '../../register/devices/index.ts';
import { placeOf } from '../link/index.ts';
import { reporting, takes } from './families.ts';
import {
  findByCode,
  findConnectable,
  findNewcomerById,
  findNewcomers,
  lockDevice,
  type StoredNewcomer,
} from './inbox.store.ts';
import type { Pending } from './pending.ts';
import { openNewcomerSecret, sealNewcomerSecret } from './seal.ts';
import { visibleBatches } from './scope.ts';
import { shownText } from './texts.ts';

export interface InboxParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly log: Log;
  readonly devices: Pick<Devices, 'get' | 'readNew' | 'writeNew' | 'issueCredentials' | 'problems'>;
  /** Makes the credentials of a claimed newcomer known to the broker; after the commit. */
  readonly pending: Pick<Pending, 'device'>;
  /** Takes a message as if a device had sent it at that time. */
  readonly replay: (topic: string, payload: Buffer, receivedAt: Date) => Promise<void>;
  readonly builtIn: boolean;
}
type Newcomer = ReplyOf<typeof listNewcomers>['data'][number];
type Claim = BodyOf<typeof claimNewcomer>;

const mostConnectable = 50;
const mostEvents = 100;

/** What waits to be claimed, and the claim. */
export function createInbox({ db, bus, clock, keys, log, devices, pending, replay, builtIn }: InboxParts) {
  async function found(from: Db | Transaction, caller: Caller, id: number, lock = false): Promise<StoredNewcomer> {
    const row = await findNewcomerById(from, id, visibleBatches(caller), lock);
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    return row;
  }
  const changed = () => bus.publish('newcomers.changed', {});

  /** The registered device a newcomer shall be, locked; it must not speak with credentials of its own already. */
  async function existing(
    tx: Transaction,
    caller: Caller,
    row: StoredNewcomer,
    id: number,
    replace: boolean,
  ): Promise<{ id: number; family: string }> {
    const device = await lockDevice(tx, id, visibleDevices({ ...caller, workAreaId: null }));
    if (!device) throw refuse('notFound');
    if (!device.visible) throw refuse('foreignWorkArea');
    if (!takes(row.families, device.family)) throw refuse('familyNotOfBatch');
    if (device.hasCredentials && !replace) throw refuse('hasCredentials');
    return { id, family: device.family };
  }

  async function claim(ctx: RequestContext, id: number, body: Claim): Promise<ReplyOf<typeof claimNewcomer>> {
    const { caller } = ctx;
    refuseTwoThings(body);
    const fresh = body.device === undefined ? undefined : await devices.readNew(caller, body.device);
    const { row, issued, family } = await translateTaken('equipmentCode', () =>
      ctx.change({ action: 'newcomer.claim' }, async (tx) => {
        const one = await found(tx, caller, id, true);
        // Somebody else was quicker.
        if (one.state !== 'waiting') throw refuse('changedMeanwhile');
        if (fresh && !takes(one.families, fresh.family.key)) throw refuse('familyNotOfBatch');
        const { id: deviceId, family } = fresh
          ? { id: await devices.writeNew(tx, caller, fresh), family: fresh.family.key }
          : await existing(tx, caller, one, body.deviceId ?? 0, body.replace ?? false);
        const chosen = one.secretSealed === null ? undefined : openNewcomerSecret(keys, one.secretSealed);
        const [credentials] = await devices.issueCredentials(tx, [deviceId], chosen === undefined ? [] : [chosen]);
        if (!credentials) throw new Error('no credentials were issued');
        // Sealed until the broker has taken it.
        const sealed = one.secretSealed ?? sealNewcomerSecret(keys, credentials.password);
        await tx
          .updateTable('newcomer')
          .set({
            state: 'claimed',
            device_id: deviceId,
            claimed_at: clock.now(),
            claimed_by: caller.username,
            secret_sealed: sealed,
          })
          .where('id', '=', id)
          .execute();
        return { row: one, issued: credentials, family };
      }),
    );
    // It is claimed: nothing that goes wrong from here on may take the answer away.
    bus.publish('credentials.changed', { ids: [issued.deviceId] });
    if (row.doubt === null) await takeOver(row, issued.deviceId);
    await pending.device(id);
    bus.publish('devices.changed', { ids: [issued.deviceId] });
    changed();
    const { clientId, username, password } = issued;
    return { deviceId: issued.deviceId, family, credentials: row.ready ? null : { clientId, username, password } };
  }

  /**
   * What it measured while it waited is its own now: by the way of every reading, oldest first, judged like any other.
   */
  async function takeOver({ payloads }: StoredNewcomer, deviceId: number): Promise<void> {
    for (const { at, kind, text, problem } of payloads.toReversed()) {
      if (kind !== 'readings' || problem !== null) continue;
      await replay(placeOf({ deviceId, viaId: null }), Buffer.from(text), new Date(at)).catch((thrown: unknown) =>
        log.warn({ deviceId, at, reason: reasonOf(thrown) }, 'what a newcomer measured could not be taken over'),
      );
    }
  }

  return {
    async list(caller: Caller, query: QueryOf<typeof listNewcomers>): Promise<ReplyOf<typeof listNewcomers>> {
      const size = query.size ?? 50;
      const { rows, count } = await findNewcomers(db, visibleBatches(caller), query, {
        limit: size,
        offset: Math.max(0, (query.page ?? 1) - 1) * size,
      });
      return { data: rows.map(view), ...countOf(count) };
    },

    async get(caller: Caller, id: number): Promise<ReplyOf<typeof getNewcomer>> {
      const row = await found(db, caller, id);
      const families = reporting.filter((family) => takes(row.families, family));
      const matches =
        row.state === 'waiting'
          ? await findByCode(db, visibleDevices({ ...caller, workAreaId: null }), row.workId, families, row.serial)
          : [];
      return {
        ...view(row),
        payloads: row.payloads.map((one) => ({ ...one, text: shownText(one.text) })),
        matches: matches.map((one) => ({ ...one })),
      };
    },

    claim,

    /** What the rules say of a claim, for whom it is refused: everything at once. */
    claimProblems: (caller: Caller, body: Sound<Claim>): Promise<RuleProblem[]> =>
      problemsOf(
        () =>
          ('device' in body && body.device === undefined) || ('deviceId' in body && body.deviceId === undefined)
            ? undefined
            : refuseTwoThings(body),
        () => (body.device ? devices.problems.ofNew({ ...caller, workAreaId: null }, body.device) : []),
      ),

    async block(ctx: RequestContext, id: number, blocked: boolean): Promise<Newcomer> {
      const row = await ctx.change({ action: blocked ? 'newcomer.block' : 'newcomer.unblock' }, async (tx) => {
        const one = await found(tx, ctx.caller, id, true);
        if (one.state === 'claimed') throw refuse('changedMeanwhile');
        await tx
          .updateTable('newcomer')
          .set({ state: blocked ? 'blocked' : 'waiting' })
          .where('id', '=', id)
          .execute();
        return one;
      });
      if (blocked) bus.publish('newcomer.blocked', { username: accountOfBatch(row.batchId), serial: row.serial });
      changed();
      return view(await found(db, ctx.caller, id));
    },

    async forget(ctx: RequestContext, id: number): Promise<void> {
      const row = await ctx.change({ action: 'newcomer.forget' }, async (tx) => {
        const one = await found(tx, ctx.caller, id, true);
        await tx.deleteFrom('newcomer').where('id', '=', id).execute();
        return one;
      });
      // It signs in again, and takes a place as if for the first time.
      bus.publish('newcomer.blocked', { username: accountOfBatch(row.batchId), serial: row.serial });
      changed();
    },

    async connectable(
      caller: Caller,
      { family, q, workArea }: QueryOf<typeof listConnectable>,
    ): Promise<ReplyOf<typeof listConnectable>> {
      const families = family === undefined ? reporting : reporting.filter((key) => key === family);
      const rows = await findConnectable(db, visibleDevices(caller), families, q, workArea, mostConnectable);
      return { data: rows.map((one) => ({ ...one })), recordsTotal: rows.length };
    },

    async link(caller: Caller, id: number, after: number): Promise<ReplyOf<typeof getDeviceLink>> {
      await devices.get(caller, id);
      bus.publish('link.watched', { deviceId: id });
      const [issued, latest] = await Promise.all([
        db.selectFrom('device_credential').select('created_at').where('device_id', '=', id).executeTakeFirst(),
        db
          .selectFrom('device_latest')
          .select(['connected', 'received_at'])
          .where('device_id', '=', id)
          .executeTakeFirst(),
      ]);
      const rows = await db
        .selectFrom('link_event')
        .selectAll()
        .where('device_id', '=', id)
        .where('id', '>', after)
        .orderBy('id', 'desc')
        .limit(mostEvents)
        .execute();
      return {
        builtIn,
        issuedAt: issued?.created_at.toISOString() ?? null,
        connected: latest?.connected ?? null,
        receivedAt: latest?.received_at?.toISOString() ?? null,
        events: rows.map(({ id: eventId, at, kind, reason, detail, address, times }) => ({
          id: eventId,
          at: at.toISOString(),
          kind,
          reason,
          detail,
          address,
          times,
        })),
      };
    },
  };
}

/** A newcomer becomes a device that is there, or a new one. */
function refuseTwoThings({ deviceId, device }: Sound<Claim>): void {
  if ((deviceId === undefined) === (device === undefined))
    throw refuseFields({
      field: device === undefined ? 'deviceId' : 'device',
      rule: device === undefined ? 'required' : 'invalid',
    });
}

function view(row: StoredNewcomer): Newcomer {
  const { hello } = row;
  return {
    id: row.id,
    batchId: row.batchId,
    batchName: row.batchName,
    workId: row.workId,
    workName: row.workName,
    serial: row.serial,
    state: row.state,
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    address: row.address,
    messages: row.messages,
    family: row.family,
    model: hello?.model ?? null,
    firmware: hello?.firmware ?? null,
    name: hello?.name ?? null,
    longitude: hello?.longitude ?? null,
    latitude: hello?.latitude ?? null,
    ready: row.ready,
    doubt: row.doubt,
    doubtAt: row.doubtAt?.toISOString() ?? null,
    deviceId: row.deviceId,
    deviceCode: row.deviceCode,
    deviceFamily: row.deviceFamily,
    claimedAt: row.claimedAt?.toISOString() ?? null,
    claimedBy: row.claimedBy,
    arrivedAt: row.arrivedAt?.toISOString() ?? null,
  };
}
