import { crc32 } from 'node:zlib';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { families, familyOf } from '../../../../catalogue/index.ts';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import type { SettingsOut } from '../../../../protocols/wire.ts';
import { breather } from '../../platform/breather.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import { bigints, prepared, type Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { partOfId, WideMap } from '../../platform/wide-map.ts';
import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { type Area, loadAreas, loadPlaces } from '../../register/places/index.ts';
import type { DeviceLink } from '../link/index.ts';
import { createRetelling, type Refusal, type Told } from './retelling.ts';

/** What of a device's settings comes from the plan that it was given. */
export type PlannedSettings = Partial<Omit<SettingsOut, 'version' | 'serverTime'>>;

/** Who knows the plans of lamps: a wing above this one. */
export interface PlanSource {
  /**
   * By device; a device without a plan has no entry. Null: they cannot be made, which `failing` hears. `small`: of these
   * the table alone, if their plan has this hash.
   */
  of(
    ids: readonly number[],
    now: number,
    failing: (thrown: unknown) => void,
    small: (id: number, planHash: string | null) => boolean,
  ): Promise<ReadonlyMap<number, PlannedSettings | null>>;
  /** These devices took over the table alone, and left these plans before and after it. */
  refusedSize(refusals: readonly Refusal[], now: number): Promise<void>;
  /** Lamps of an area with a plan that are told each day's table, those of a slice. */
  tableLamps(
    workAreaId: number,
    slice: { readonly slices: number; readonly rest: number; readonly now: Date },
  ): Promise<readonly number[]>;
}

export interface DeviceSettingsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly link: Pick<DeviceLink, 'set' | 'problem'> & Partial<Pick<DeviceLink, 'limits'>>;
  /** Absent: no lamp was given a plan. */
  readonly plans?: PlanSource;
  readonly log: Log;
}

export interface DeviceSettings {
  /** Publishes the settings of all devices, or of these; those that are unchanged since the last time are left. */
  publish(ids?: readonly number[]): Promise<void>;
  /** Publishes all in the background and then what changes; registration changes are found within a minute. */
  start(): Stop;
  /** How many were published since the start of this process. */
  readonly counts: { readonly published: number; readonly retold: number };
}

interface Row {
  readonly id: number;
  readonly family: string;
  readonly viaId: number | null;
  readonly workAreaId: number;
}

/** Devices that are told together, and what comes from their plans. */
interface Batch {
  readonly part: Part;
  readonly planned: Promise<ReadonlyMap<number, PlannedSettings | null> | undefined>;
}
interface Part {
  readonly rows: readonly Row[];
  /** The next part begins behind this device; null: there is none. */
  readonly last: number | null;
}
/** The next devices behind this one, by their ids, at most `batchSize`. */
type NextPart = (after: number) => Promise<Part>;

const reporting = families.filter((family) => family.report !== null).map((family) => family.key);
const batchSize = 1000;
/** So many are read while one is published. */
const batchesAhead = 2;
const sweepMs = 60_000;
/** Devices that are told the same again by one sweep. */
const mostRetold = 1000;
const unknown = -1;
/** Minutes after midnight at which the coming night's table is due, and the number of sweeps that tell it. */
const tableNoonMinutes = 11 * 60 + 30;
const tableSlices = 20;

/**
 * The settings that the link keeps for devices: place, time zone, table and reporting periods of each device that can be
 * reached.
 */
export function createDeviceSettings({ db, clock, bus, link, plans, log }: DeviceSettingsParts): DeviceSettings {
  /** What this process last published, by device. */
  const published = new WideMap<number, Told & { readonly viaId: number | null }>(partOfId);
  const counts = { published: 0, retold: 0 };
  const retelling = createRetelling({
    db,
    clock,
    toldOf: (id) => published.get(id),
    keeps: () => link.limits?.().keeps ?? true,
  });
  /** They are being told the same again. */
  const retold = new Set<number>();
  let sweptTo = clock.now();
  let work = Promise.resolve();
  let incomplete = true;
  let month = '';
  /** The slice that is told the coming night's table next, and of which day, by area. */
  const tables = new Map<number, { day: string; next: number }>();

  /** Read as they are needed: for devices that stand together by their ids. All of them are read often, and at once. */
  const inParts =
    (where?: RawBuilder<SqlBool>): NextPart =>
    async (after) => {
      const which = where ? sql<SqlBool>`${where} AND d.id > ${after}` : sql<SqlBool>`d.id > ${after}`;
      const name = where ? sql`` : prepared('reporting devices');
      const { rows } = await sql<Row>`${name} ${reportingWhere(which)} ORDER BY d.id LIMIT ${batchSize}`.execute(db);
      return { rows: await reachableOf(rows), last: rows[batchSize - 1]?.id ?? null };
    };

  /** Those of these devices that can be reached: mostly all, so that they are counted first. */
  async function reachableOf(rows: readonly Row[]): Promise<readonly Row[]> {
    if (rows.length === 0) return rows;
    const ids = [...new Set(rows.map(({ id, viaId }) => viaId ?? id))];
    const having = sql`device_credential WHERE device_id = ANY((SELECT ${bigints(ids)}::bigint[])::bigint[])`;
    const { rows: counted } = await sql<{
      n: number;
    }>`${prepared('count credentials')} SELECT count(*)::int AS n FROM ${having}`.execute(db);
    if (counted[0]?.n === ids.length) return rows;
    const { rows: known } = await sql<{ id: number }>`SELECT device_id AS id FROM ${having}`.execute(db);
    const withSome = new Set(known.map(({ id }) => id));
    return rows.filter(({ id, viaId }) => withSome.has(viaId ?? id));
  }

  /** Read by one statement: for a few among many. */
  function atOnce(where: RawBuilder<SqlBool>): NextPart {
    let all: Promise<readonly Row[]> | undefined;
    let next = 0;
    const load = async () => (await sql<Row>`${reachable(where)}`.execute(db)).rows;
    return async () => {
      const rows = await (all ??= load());
      next += batchSize;
      const some = rows.slice(next - batchSize, next);
      return { rows: some, last: some[batchSize - 1]?.id ?? null };
    };
  }

  async function publishFrom(next: NextPart, ids: readonly number[] = []): Promise<void> {
    const areas = await loadAreas(db);
    // All are told at one instant, so that what is the same for many is made, and kept by the broker, once.
    const now = clock.now();
    const settings = createSettings(now);
    const failures: unknown[] = [];
    const read = async (after: number): Promise<Batch> => {
      const part = await next(after);
      const asked = part.rows.map(({ id }) => id);
      const planned = Promise.resolve(
        plans?.of(asked, now.getTime(), (thrown) => failures.push(thrown), retelling.isSmall),
      );
      // It is awaited later.
      planned.catch(() => undefined);
      return { part, planned };
    };
    const there = new Set<number>();
    const leave = breather();
    for await (const { part, planned } of inOrder(read)) {
      const { rows } = part;
      const own = await planned;
      await Promise.all(
        rows.map(async (row) => {
          const area = areas.get(row.workAreaId);
          const ofPlan = own?.get(row.id);
          // One whose plan cannot be made keeps what it has, and stands in no other's way. The next sweep finds the devices
          // of an area that was made meanwhile.
          if (area && ofPlan !== null) await publishOne(row, settings.of(row, area, ofPlan));
        }),
      );
      if (ids.length > 0) for (const { id } of rows) there.add(id);
      // What was read ahead would follow without a turn of others.
      await leave();
    }
    if (failures.length > 0)
      log.warn({ count: failures.length, reason: reasonOf(failures[0]) }, 'plans of lamps could not be made');
    for (const id of ids) if (!there.has(id)) await takeAway(id);
  }

  async function publishOne({ id, viaId }: Row, settings: SettingsOut): Promise<void> {
    const before = published.get(id);
    if (before && before.viaId === viaId && before.version === settings.version) return;
    if (before && before.viaId !== viaId) await takeAway(id);
    // A device that cannot be set keeps what it has: nothing to try again.
    await link.set({ deviceId: id, viaId }, settings);
    counts.published += 1;
    const told = { version: settings.version, planHash: settings.plan?.hash ?? null, at: clock.now().getTime() };
    published.set(id, { viaId, ...told });
    if (!retold.delete(id)) retelling.told(id, told);
  }

  async function takeAway(id: number): Promise<void> {
    const before = published.get(id);
    if (!before) return;
    await link.set({ deviceId: id, viaId: before.viaId }, null);
    published.delete(id);
    retelling.forget(id);
  }

  /** One after the other; what fails is done again by the next sweep, from the start. */
  const soon = (what: () => Promise<void>): void => {
    work = work.then(what).catch((thrown: unknown) => {
      incomplete = true;
      log.warn({ reason: reasonOf(thrown) }, 'settings of devices could not be published; trying again');
    });
  };
  /** They are told what they are to have, as if they had never been; those that leave their plan are told the table. */
  async function tellAgain(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) {
      for (const id of ids) {
        forgetVersion(id);
        retold.add(id);
      }
      counts.retold += ids.length;
      await publishIds(ids);
      for (const id of ids) retold.delete(id);
    }
    const refusals = retelling.refusals();
    if (refusals.length === 0) return;
    try {
      await plans?.refusedSize(refusals, clock.now().getTime());
    } catch (thrown) {
      retelling.giveBack(refusals);
      throw thrown;
    }
    await publishIds(refusals.map(({ id }) => id));
  }
  const forgetVersion = (id: number): void => {
    const before = published.get(id);
    if (before) published.set(id, { ...before, version: unknown });
  };
  const publishAll = async () => {
    incomplete = false;
    await publishFrom(inParts());
  };
  const publishIds = (ids: readonly number[]) =>
    publishFrom(
      atOnce(
        sql<SqlBool>`(d.id = ANY(${ids as number[]}::bigint[]) OR d.parent_id = ANY(${ids as number[]}::bigint[]))`,
      ),
      ids,
    );

  /** Devices without calendars get the table of the coming night before noon, not all at the same moment. */
  async function tellTables(): Promise<void> {
    if (!plans) return;
    const now = clock.now();
    for (const { id, timeZone, sunOffsetMinutes } of (await loadPlaces(db)).values()) {
      const day = dayOf(now.getTime() - (tableNoonMinutes + sunOffsetMinutes) * 60_000, timeZone);
      const told = tables.get(id) ?? { day, next: tableSlices };
      if (told.day !== day) tables.set(id, { day, next: 0 });
      else if (told.next >= tableSlices) tables.set(id, told);
      else {
        await publishIds(await plans.tableLamps(id, { slices: tableSlices, rest: told.next, now }));
        tables.set(id, { day, next: told.next + 1 });
      }
    }
  }

  async function sweep(): Promise<void> {
    if (link.problem() !== null) return;
    // The days of calendars that devices keep begin with the month.
    const thisMonth = dayOf(clock.now().getTime(), 'UTC').slice(0, 7);
    if (month !== thisMonth) incomplete ||= month !== '';
    month = thisMonth;
    if (incomplete) return publishAll();
    await tellTables();
    await tellAgain(await retelling.due(mostRetold));
    const from = new Date(sweptTo.getTime() - 5000);
    sweptTo = clock.now();
    const changedAreas = sql`(SELECT id FROM work_area WHERE updated_at >= ${from})`;
    await publishFrom(atOnce(sql<SqlBool>`(d.updated_at >= ${from} OR d.work_area_id IN ${changedAreas})`));
  }

  return {
    counts,
    publish: (ids) => (ids ? publishIds(ids) : publishAll()),
    start() {
      soon(async () => {
        // Another process may have published since: what this one told last is not what the broker keeps.
        const leave = breather();
        for (const [id] of published) {
          forgetVersion(id);
          await leave();
        }
        await publishAll();
      });
      const stops = [
        bus.subscribe('credentials.changed', ({ ids }) => {
          // It may come by another door now.
          for (const id of ids) forgetVersion(id);
          soon(() => publishIds(ids));
        }),
        bus.subscribe('plans.assigned', ({ ids }) => soon(() => publishIds(ids))),
        bus.subscribe('plans.reported', ({ ids }) => soon(async () => tellAgain(await retelling.heard(ids, false)))),
        bus.subscribe('settings.reported', ({ ids }) => soon(async () => tellAgain(await retelling.heard(ids, true)))),
        bus.subscribe('settings.changed', ({ workAreaId }) =>
          soon(
            workAreaId === null ? publishAll : () => publishFrom(inParts(sql<SqlBool>`d.work_area_id = ${workAreaId}`)),
          ),
        ),
        clock.every(sweepMs, async () => {
          soon(sweep);
          await work;
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** Batches one after the other; the next ones are read meanwhile. */
async function* inOrder(read: (after: number) => Promise<Batch>): AsyncGenerator<Batch> {
  const begun = (batch: Promise<Batch | null>) => {
    // It is awaited later.
    batch.catch(() => undefined);
    return batch;
  };
  const behind = async (before: Promise<Batch | null>): Promise<Batch | null> => {
    const last = (await before)?.part.last ?? null;
    return last === null ? null : read(last);
  };
  let newest = begun(read(0));
  const ahead = [newest];
  for (;;) {
    while (ahead.length <= batchesAhead) ahead.push((newest = begun(behind(newest))));
    const batch = await ahead.shift();
    if (!batch) return;
    yield batch;
  }
}

/** Devices that report. */
const reportingWhere = (where: RawBuilder<SqlBool>) => sql`SELECT d.id, d.family, d.parent_id AS "viaId",
    d.work_area_id AS "workAreaId"
  FROM device d WHERE d.family = ANY(${reporting}::text[]) AND ${where}`;
/** Those that can be reached: with credentials of their own or behind a controller that has some. */
const reachable = (where: RawBuilder<SqlBool>) => sql`${reportingWhere(where)}
    AND EXISTS (SELECT FROM device_credential c WHERE c.device_id = coalesce(d.parent_id, d.id) OFFSET 0)
  ORDER BY d.id`;

/** What devices are told at an instant: one object for all that are told the same. */
function createSettings(now: Date) {
  const planless: PlannedSettings = {};
  const made = new Map<PlannedSettings, Map<string, SettingsOut>>();
  return {
    of({ family }: Row, area: Area, planned: PlannedSettings = planless): SettingsOut {
      const ofPlan = made.get(planned) ?? new Map<string, SettingsOut>();
      made.set(planned, ofPlan);
      const key = `${area.id} ${family}`;
      const known = ofPlan.get(key);
      if (known) return known;
      const settings = settingsOf(family, area, planned, now);
      ofPlan.set(key, settings);
      return settings;
    },
  };
}

/**
 * The place is the work area's, or the one of the plan: the server judges a lamp by the same sun as the lamp itself
 * switches by.
 */
function settingsOf(family: string, area: Area, planned: PlannedSettings, now: Date): SettingsOut {
  const { timeZone, latitude, longitude, sunOffsetMinutes } = area;
  const content = {
    ...{ timeZone, latitude, longitude, sunOffsetMinutes },
    table: defaultTable.map((point) => ({ ...point })),
    reportSeconds: {
      lit: familyOf(family)?.report?.lit ?? 900,
      unlit: familyOf(family)?.report?.unlit ?? 3600,
    },
    ...planned,
  };
  return { version: crc32(JSON.stringify(content)) >>> 1, serverTime: now.getTime(), ...content };
}
