import { crc32 } from 'node:zlib';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { families, familyOf } from '../../../../catalogue/index.ts';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import type { SettingsOut } from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { type AreaPlace, loadPlaces } from '../../register/places/index.ts';
import type { DeviceLink } from '../link/index.ts';
import { createRetelling, type Told } from './retelling.ts';

/** What of a device's settings comes from the plan that it was given. */
export type PlannedSettings = Partial<Omit<SettingsOut, 'version' | 'serverTime'>>;

/** Who knows the plans of lamps: a wing above this one. */
export interface PlanSource {
  /** By device; a device without a plan has no entry. Null: they cannot be made, which `failing` hears. */
  of(
    ids: readonly number[],
    now: number,
    failing: (thrown: unknown) => void,
  ): Promise<ReadonlyMap<number, PlannedSettings | null>>;
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
  id: number;
  family: string;
  viaId: number | null;
  workAreaId: number;
  timeZone: string;
  sunOffsetMinutes: number;
}

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
  const published = new Map<number, Told & { readonly viaId: number | null }>();
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

  async function publishWhere(where: RawBuilder<SqlBool>, ids?: readonly number[]): Promise<void> {
    const [rows, places] = await Promise.all([load(db, where), loadPlaces(db)]);
    // All are told at one instant, so that what is the same for many is made, and kept by the broker, once.
    const now = clock.now();
    const settings = createSettings(places, now);
    const failures: unknown[] = [];
    const plannedOf = (at: number) => {
      const asked = plans?.of(
        rows.slice(at, at + batchSize).map(({ id }) => id),
        now.getTime(),
        (thrown) => failures.push(thrown),
      );
      // Asked for before it is awaited.
      asked?.catch(() => undefined);
      return asked;
    };
    const ahead: ReturnType<typeof plannedOf>[] = [];
    for (let at = 0; at < rows.length; at += batchSize) {
      while (ahead.length * batchSize < rows.length && ahead.length <= at / batchSize + batchesAhead)
        ahead.push(plannedOf(ahead.length * batchSize));
      const planned = await ahead[at / batchSize];
      // What is published is not kept until all are.
      ahead[at / batchSize] = undefined;
      await Promise.all(
        rows.slice(at, at + batchSize).map(async (row) => {
          const own = planned?.get(row.id);
          // One whose plan cannot be made keeps what it has, and stands in no other's way.
          if (own !== null) await publishOne(row, settings.of(row, own));
        }),
      );
    }
    if (failures.length > 0)
      log.warn({ count: failures.length, reason: reasonOf(failures[0]) }, 'plans of lamps could not be made');
    const there = new Set(rows.map((row) => row.id));
    for (const id of ids ?? []) if (!there.has(id)) await takeAway(id);
  }

  async function publishOne({ id, viaId }: Row, settings: SettingsOut): Promise<void> {
    const before = published.get(id);
    if (before && before.viaId === viaId && before.version === settings.version) return;
    if (before && before.viaId !== viaId) await takeAway(id);
    // A device that cannot be set keeps what it has: nothing to try again.
    await link.set({ deviceId: id, viaId }, settings);
    counts.published += 1;
    const at = clock.now().getTime();
    published.set(id, { viaId, version: settings.version, planHash: settings.plan?.hash ?? null, at });
    if (!retold.delete(id)) retelling.told(id, at);
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
  /** They are told what they are to have, as if they had never been. */
  async function tellAgain(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) {
      forgetVersion(id);
      retold.add(id);
    }
    counts.retold += ids.length;
    await publishIds(ids);
    for (const id of ids) retold.delete(id);
  }
  const forgetVersion = (id: number): void => {
    const before = published.get(id);
    if (before) published.set(id, { ...before, version: unknown });
  };
  const publishAll = async () => {
    incomplete = false;
    await publishWhere(sql<SqlBool>`true`);
  };
  const publishIds = (ids: readonly number[]) =>
    publishWhere(
      sql<SqlBool>`(d.id = ANY(${ids as number[]}::bigint[]) OR d.parent_id = ANY(${ids as number[]}::bigint[]))`,
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
    await publishWhere(sql<SqlBool>`(d.updated_at >= ${from} OR a.updated_at >= ${from})`);
  }

  return {
    counts,
    publish: (ids) => (ids ? publishIds(ids) : publishAll()),
    start() {
      // Another process may have published since: what this one told last is not what the broker keeps.
      for (const id of published.keys()) forgetVersion(id);
      soon(publishAll);
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
          soon(workAreaId === null ? publishAll : () => publishWhere(sql<SqlBool>`d.work_area_id = ${workAreaId}`)),
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

/** Devices that report and can be reached: with credentials of their own or behind a controller that has some. */
async function load(db: Db, where: RawBuilder<SqlBool>): Promise<Row[]> {
  const { rows } = await sql<Row>`SELECT d.id, d.family, d.parent_id AS "viaId", d.work_area_id AS "workAreaId",
      a.time_zone AS "timeZone", a.sun_offset_minutes AS "sunOffsetMinutes"
    FROM device d JOIN work_area a ON a.id = d.work_area_id
    WHERE d.family = ANY(${reporting}::text[])
      AND EXISTS (SELECT 1 FROM device_credential c WHERE c.device_id = coalesce(d.parent_id, d.id)) AND ${where}
      ORDER BY d.id`.execute(db);
  return rows;
}

/** What devices are told at an instant: one object for all that are told the same. */
function createSettings(places: ReadonlyMap<number, AreaPlace>, now: Date) {
  const planless: PlannedSettings = {};
  const made = new Map<PlannedSettings, Map<string, SettingsOut>>();
  return {
    of(row: Row, planned: PlannedSettings = planless): SettingsOut {
      const ofPlan = made.get(planned) ?? new Map<string, SettingsOut>();
      made.set(planned, ofPlan);
      const key = `${row.workAreaId} ${row.family}`;
      const known = ofPlan.get(key);
      if (known) return known;
      const settings = settingsOf(row, places.get(row.workAreaId), planned, now);
      ofPlan.set(key, settings);
      return settings;
    },
  };
}

/**
 * The place is the work area's, or the one of the plan: the server judges a lamp by the same sun as the lamp itself
 * switches by.
 */
function settingsOf(row: Row, place: AreaPlace | undefined, planned: PlannedSettings, now: Date): SettingsOut {
  const content = {
    timeZone: row.timeZone,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    sunOffsetMinutes: row.sunOffsetMinutes,
    table: defaultTable.map((point) => ({ ...point })),
    reportSeconds: {
      lit: familyOf(row.family)?.report?.lit ?? 900,
      unlit: familyOf(row.family)?.report?.unlit ?? 3600,
    },
    ...planned,
  };
  return { version: crc32(JSON.stringify(content)) >>> 1, serverTime: now.getTime(), ...content };
}
