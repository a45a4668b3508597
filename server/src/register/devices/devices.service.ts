import {
  familyOf,
  faultsInThemselves,
  fromRow,
  namesIn,
  toRow,
  validateDevice,
  type Family,
  type FieldValue,
  type Language,
  type Values,
} from '../../../../catalogue/index.ts';
import { qualities } from '../../../../contract/history/history.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type {
  createCredentials,
  getDevice,
  getDeviceUses,
  listDeviceReadings,
  updateDevice,
} from '../../../../contract/register/devices.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { countOf, createRowCounter, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { refuse, refuseProblems, type Caller } from '../../platform/http/index.ts';
import { namesFrom, openOptionProblems, openOptions } from '../dictionaries/index.ts';
import { unweighed, type RegisterWeighing } from '../places/index.ts';
import { clockAheadSeconds } from './clock-ahead.ts';
import { issueCredentials, type IssuedCredentials } from './credentials.ts';
import { recordChanges } from './devices.changes.ts';
import { findPage } from './devices.list.ts';
import {
  areaProblem,
  changedIn,
  checked,
  createDeviceProblems,
  inQuestion,
  refuseForeign,
  throwProblems,
} from './devices.problems.ts';
import { conditionsOf, familyNamed, tablesOf, type DeviceQuery } from './devices.query.ts';
import { dependantProblems, lockForChange, referenceProblems } from './devices.references.ts';
import * as store from './devices.store.ts';
import { familiesIn, view } from './devices.view.ts';
import { redraw } from './picture.ts';
import { sealSecret } from './secrets.ts';
import { translateTaken } from './taken.ts';
import { visibleDevices } from './visible.query.ts';

export interface DevicesParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Makes new credentials known to a broker that keeps accounts of its own; after the commit, the only time they are
   * seen in clear.
   */
  readonly provision?: (issued: readonly IssuedCredentials[]) => Promise<void>;
  /** Protocols whose devices have a door of their own, by name: there a device has an address. */
  readonly wires?: readonly string[];
  /** Takes away files of deleted devices that nobody else has; after the commit. */
  readonly forget?: (files: readonly string[]) => Promise<void>;
  /** Absent: no lamp was given a plan. */
  readonly weighing?: RegisterWeighing;
}
/**
 * Runs the SQL of a change in one transaction; a request's `ctx.change`, or any other. `facts`: what the work finds out,
 * for the log.
 */
export type Change = <T>(action: string, work: (tx: Transaction) => Promise<T>, facts?: object) => Promise<T>;
type Row = ReplyOf<typeof getDevice>;
type Changed = ReplyOf<typeof updateDevice>;

/** A device that is checked and not written yet. */
export interface ReadyDevice {
  readonly family: Family;
  readonly values: Values;
  readonly ready: Readonly<Record<string, FieldValue>>;
}
export interface NewDevice {
  readonly id?: number;
  readonly family: string;
  readonly values: Values;
}
export type Devices = ReturnType<typeof createDevices>;

const day = 86_400_000;
const mostReadings = 10_000;

/**
 * Devices of every family: list, one, create, change, delete, readings, credentials; the same functions seed a city.
 */
export function createDevices({
  db,
  bus,
  keys,
  clock,
  log,
  provision = () => Promise.resolve(),
  wires = [],
  forget = () => Promise.resolve(),
  weighing = unweighed,
}: DevicesParts) {
  const counter = createRowCounter({ db, clock });
  const { addressProblems, ofForms: problems } = createDeviceProblems({ db, wires });
  /** Turns checked values into what the row keeps: secrets sealed, pictures drawn again. */
  async function prepared(family: Family, values: Values): Promise<Record<string, FieldValue>> {
    const ready: Record<string, FieldValue> = { ...values };
    for (const field of family.fields) {
      const v = ready[field.key];
      if (typeof v !== 'string') continue;
      if (field.kind === 'secret') ready[field.key] = sealSecret(keys, field.key, v);
      if (field.kind === 'picture') ready[field.key] = await redraw(field.key, v);
    }
    return ready;
  }

  async function found(from: Db | Transaction, caller: Caller, id: number, lock = false): Promise<store.StoredDevice> {
    const row = await store.findOne(from, id, visibleDevices(caller), lock);
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    return row;
  }

  const announce = (id: number) => {
    bus.publish('devices.changed', { ids: [id] });
    bus.publish('register.changed', {});
  };
  /** What a form or a call did, for the device's history. */
  const edited = (caller: Caller) => ({
    at: clock.now(),
    actorId: caller.accountId,
    actorName: caller.username,
    source: 'edit' as const,
  });
  /** The row as it is inside the transaction. */
  const asWritten = async (tx: Transaction, caller: Caller, id: number): Promise<Row> =>
    view(await found(tx, { ...caller, workAreas: 'all', workAreaId: null }, id));

  /** A new device as it was asked for, checked in itself. */
  async function readNew(caller: Caller, body: Readonly<Record<string, unknown>>): Promise<ReadyDevice> {
    const { family: key, ...input } = body;
    const family = familyNamed(String(key));
    const values = checked(validateDevice(family, input, 'create'));
    refuseForeign(caller, values['workId']);
    return { family, values, ready: await prepared(family, values) };
  }

  /** Writes a new device; a code that is taken is a unique_violation. */
  async function writeNew(tx: Transaction, caller: Caller, { family, values, ready }: ReadyDevice): Promise<number> {
    const given = new Set(Object.keys(values));
    throwProblems(
      await areaProblem(tx, values),
      await referenceProblems(tx, family, values, given, null),
      await openOptionProblems(tx, family.fields, values, given),
    );
    const { columns, props } = toRow(family, ready);
    const [made = 0] = await store.insertAll(tx, [{ family: family.key, columns, props: withoutEmpty(props) }]);
    await recordChanges(tx, edited(caller), [{ before: null, after: await asWritten(tx, caller, made) }]);
    return made;
  }

  return {
    readNew,
    writeNew,
    problems,

    async list(caller: Caller, query: DeviceQuery) {
      const at = clock.now().toISOString();
      const { ids, count, ...neighbours } = await findPage(
        { db, counter },
        { tables: tablesOf(query), where: conditionsOf(caller, query) },
        query,
      );
      const [rows, counted] = await Promise.all([store.findRows(db, ids), count()]);
      return { at, data: rows.map(view), ...countOf(counted), ...neighbours };
    },

    /** The catalogue for integrators, options called and offered as the dictionaries say. */
    families: async (language: Language) => familiesIn(await namesFrom(db, language), await openOptions(db)),

    get: async (caller: Caller, id: number): Promise<Row> => view(await found(db, caller, id)),

    /** One device as its page shows it: also what is wrong with its clock. */
    async describe(caller: Caller, id: number): Promise<ReplyOf<typeof getDevice>> {
      const row = view(await found(db, caller, id));
      const { offsetMs, wrongSince, waiting, waitingSince } = await store.findClock(db, id);
      const aheadSeconds = clockAheadSeconds(offsetMs);
      return aheadSeconds === null && waiting === 0
        ? row
        : {
            ...row,
            clock: {
              aheadSeconds,
              wrongSince: wrongSince?.toISOString() ?? null,
              waiting,
              waitingSince: waitingSince?.toISOString() ?? null,
            },
          };
    },

    async create(caller: Caller, change: Change, body: Readonly<Record<string, unknown>>): Promise<Row> {
      const fresh = await readNew(caller, body);
      const id = await translateTaken('equipmentCode', () =>
        change('device.create', (tx) => writeNew(tx, caller, fresh)),
      );
      announce(id);
      return view(await found(db, { ...caller, workAreaId: null }, id));
    },

    async update(
      caller: Caller,
      change: Change,
      id: number,
      body: Readonly<Record<string, unknown>>,
    ): Promise<Changed> {
      const { version, family: _same, ...input } = body;
      const facts: { darkens?: number } = {};
      /** The device as it is and as it will be; refuses what may not be, also before anything is kept. */
      const judged = async (tx: Transaction, lock: boolean) => {
        const row = await store.findOne(tx, id, visibleDevices(caller), lock);
        if (!row) throw refuse('notFound');
        const family = familyNamed(row.family);
        if (!row.visible) {
          // What is wrong in itself (400) comes before what is foreign (403).
          throwProblems(faultsInThemselves(family, input));
          throw refuse('foreignWorkArea');
        }
        if (body['family'] !== undefined && body['family'] !== row.family)
          throw refuseProblems([{ field: 'family', rule: 'fixed' }]);
        const current = fromRow(family, row);
        const given = checked(validateDevice(family, input, 'update', current));
        const next: Values = { ...current, ...given };
        if (version !== undefined && version !== row.version) throw refuse('changedMeanwhile');
        const changed = changedIn(given, current);
        if (changed.has('workId')) refuseForeign(caller, next['workId']);
        throwProblems(
          await areaProblem(tx, next),
          await referenceProblems(tx, family, next, inQuestion(family, changed), id),
          await dependantProblems(tx, next, changed, id),
          await openOptionProblems(tx, family.fields, next, changed),
        );
        return { row, family, given, changed };
      };
      const edit = async (tx: Transaction): Promise<void> => {
        await lockForChange(tx, id, input);
        const { row, family, given, changed } = await judged(tx, true);
        const { columns, props } = toRow(family, await prepared(family, given));
        await store.updateOne(tx, id, columns, withoutEmpty({ ...row.props, ...props } as Record<string, FieldValue>));
        await recordChanges(tx, edited(caller), [
          { before: view(row), after: await asWritten(tx, caller, id), secrets: [...changed] },
        ]);
      };
      await translateTaken('equipmentCode', () =>
        change(
          'device.update',
          async (tx) => {
            const asked = { id, next: input, refuseFirst: () => judged(tx, false) };
            const darkens = await weighing.ofDevice(tx, caller, asked, () => edit(tx));
            if (darkens === undefined) delete facts.darkens;
            else facts.darkens = darkens;
          },
          facts,
        ),
      );
      announce(id);
      const row = await found(db, { ...caller, workAreaId: null }, id);
      // Plans of lamps are kept with what they are in their rows.
      if (facts.darkens !== undefined) bus.publish('settings.changed', { workAreaId: row.work_area_id });
      return { ...view(row), ...facts };
    },

    async uses(caller: Caller, id: number, language: Language): Promise<ReplyOf<typeof getDeviceUses>> {
      await found(db, caller, id);
      return usesIn(await store.countUses(db, id), language);
    },

    async remove(caller: Caller, change: Change, id: number): Promise<void> {
      const files = await change('device.delete', async (tx) => {
        const row = await found(tx, caller, id, true);
        const uses = await store.countUses(tx, id);
        if (uses.lamppostId + uses.parent + uses.reference + uses.loop > 0) {
          throw refuse('stillUsed', {
            what: (language) =>
              usesIn(uses, language)
                .blocking.map((use) => `${use.name} ${use.count}`)
                .join(' · '),
          });
        }
        await recordChanges(tx, edited(caller), [{ before: view(row), after: null }]);
        return store.deleteOne(tx, id);
      });
      // It is gone: its connection ends whatever becomes of its files. Those left are found by the daily sweep.
      bus.publish('credentials.changed', { ids: [id] });
      announce(id);
      await forget(files).catch((thrown: unknown) =>
        log.warn({ deviceId: id, reason: reasonOf(thrown) }, 'files of a deleted device could not be taken away'),
      );
    },

    async readings(
      caller: Caller,
      id: number,
      query: QueryOf<typeof listDeviceReadings>,
    ): Promise<ReplyOf<typeof listDeviceReadings>> {
      const row = await found(db, caller, id);
      const to = query.to ? new Date(query.to) : clock.now();
      const from = query.from ? new Date(query.from) : new Date(to.getTime() - day);
      if (!(from < to) || to.getTime() - from.getTime() > 31 * day)
        throw refuseProblems([{ field: 'from', rule: 'range', params: { min: '1 s', max: '31 d' } }]);
      const wanted = query.quantities?.split(',').map((key) => key.trim());
      const strange = wanted?.find((key) => !familyOf(row.family)?.quantity.has(key));
      if (strange !== undefined) throw refuseProblems([{ field: 'quantities', rule: 'option' }]);
      const only = (values: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.entries(values).filter(([key]) => !wanted || wanted.includes(key)));
      if (query.channel !== undefined) {
        const said = await store.findChannelReadings(db, id, query.channel, from, to, mostReadings + 1);
        return {
          data: said.slice(0, mostReadings).map((reading) => ({
            at: reading.at.toISOString(),
            kind: reading.kind,
            quality: qualities[reading.quality] ?? 'measured',
            values: only(reading.values) as Record<string, number | boolean | string>,
            unmapped: (reading.unmapped ?? {}) as Record<string, number | boolean | string>,
          })),
          truncated: said.length > mostReadings,
        };
      }
      const rows = await store.findReadings(db, id, from, to, mostReadings + 1);
      return {
        data: rows.slice(0, mostReadings).map((reading) => ({
          at: reading.at.toISOString(),
          quality: qualities[reading.quality] ?? 'measured',
          values: only(reading.values) as Record<string, number | boolean | string>,
        })),
        truncated: rows.length > mostReadings,
      };
    },

    async renewCredentials(
      caller: Caller,
      change: Change,
      id: number,
      { wire, address }: QueryOf<typeof createCredentials>,
    ): Promise<{ clientId: string; username: string; password: string }> {
      throwProblems(addressProblems({ wire, address }));
      const issued = await translateTaken('address', () =>
        change('device.credentials', async (tx) => {
          const row = await found(tx, caller, id, true);
          if (!familyNamed(row.family).report) throw refuse('sendsNothing');
          const credentials = await issueCredentials(tx, [id]);
          if (wire !== undefined && address !== undefined) await store.putAddress(tx, id, wire, address);
          return credentials;
        }),
      );
      // A device with a door of its own has no account at the broker.
      if (wire === undefined) await provision(issued);
      bus.publish('credentials.changed', { ids: [id] });
      const { clientId = '', username = '', password = '' } = issued[0] ?? {};
      return { clientId, username, password };
    },

    /**
     * Registers many devices in one go (a seeded city, an import): rows are checked against the catalogue, references
     * are the caller's duty. Parents come before those that name them, or carry ids of their own. Returns the ids in
     * order. 100,000 take seconds.
     */
    async registerMany(tx: Transaction, devices: readonly NewDevice[]): Promise<number[]> {
      const ids: number[] = [];
      for (let at = 0; at < devices.length; at += 5000) {
        const part = await Promise.all(
          devices.slice(at, at + 5000).map(async (device) => {
            const family = familyNamed(device.family);
            const { columns, props } = toRow(
              family,
              await prepared(family, checked(validateDevice(family, device.values, 'create'))),
            );
            return {
              ...(device.id === undefined ? {} : { id: device.id }),
              family: family.key,
              columns,
              props: withoutEmpty(props),
            };
          }),
        );
        ids.push(...(await store.insertAll(tx, part)));
      }
      return ids;
    },

    issueCredentials,
    /** Checked values as a row keeps them: secrets sealed, pictures drawn again. */
    prepared,
  };
}

const withoutEmpty = (props: Readonly<Record<string, FieldValue>>): Record<string, FieldValue> =>
  Object.fromEntries(Object.entries(props).filter(([, v]) => v !== null));

function usesIn(uses: store.Uses, language: Language): ReplyOf<typeof getDeviceUses> {
  const named = (...kinds: (keyof store.Uses)[]) =>
    kinds
      .filter((what) => uses[what] > 0)
      .map((what) => ({ what, name: namesIn(language).usedBy(what), count: uses[what] }));
  return {
    blocking: named('lamppostId', 'parent', 'loop', 'reference'),
    lost: named('readings', 'commands', 'credentials', 'attachments'),
  };
}
