import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import {
  energyOfHours,
  type EnergyEvent,
  type EnergyReading,
  type HourEnergy,
} from '../../../../catalogue/lighting/energy.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { LampPlans } from '../../light/plans/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { LearnedCurves } from '../../light/lamps/index.ts';
import { nearest, readingsOf, type Place } from './energy-readings.store.ts';
import { isEnergyFamily, meterOf } from './meters.ts';
import { dueDays } from './roll-hours.store.ts';
import { boundsOf, hourMs, hourOf, instant, unitTable, type Unit } from './spans.query.ts';

interface Device {
  readonly id: number;
  readonly family: string;
  readonly ratedWatts: number | null;
  readonly counterMax: number | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly areaId: number;
  markAt: number | null;
  countsFrom: number | null;
  /** Up to here its levels were reckoned with, and are not any more. */
  levelsTo: number | null;
}

export interface EnergyContext {
  readonly places: ReadonlyMap<number, SunPlace>;
  /** Absent: no lamp was given a plan. */
  readonly plans?: Pick<LampPlans, 'of'> | undefined;
  readonly curves: LearnedCurves;
  /** Hours of a device before this are rolled, or are being rolled now. */
  readonly boundary: (deviceId: number) => number;
  /** Hours before have been taken away. */
  readonly oldest: number;
  /** Readings that are held in memory at once; those of one hour of a device are never parted. */
  readonly readingsAtOnce: number | undefined;
}

/** A turn of the event loop in which they are read, or reckoned, takes some 10 ms of a processor. */
const usualReadings = 10_000;

/** A unit with what is known of its device, and the full hours whose energy it changes. */
interface Work extends Unit {
  readonly device: Device;
}

/**
 * Reckons the energy of these hours anew, with that of the hours between them and the readings before and after: a
 * reading changes the stretch that ends with it and the one that begins with it. Units of one device must not touch.
 */
export async function rollEnergy(tx: Transaction, units: readonly Unit[], context: EnergyContext): Promise<void> {
  const devices = await findDevices(tx, [...new Set(units.map(({ deviceId }) => deviceId))]);
  const known = units.flatMap((unit) => {
    const device = devices.get(unit.deviceId);
    return device && isEnergyFamily(device.family) ? [{ ...unit, device }] : [];
  });
  const heard = await heardIn(tx, known);
  // A counter heard for the first time, or heard earlier than was known.
  for (const { i, countsFrom } of heard) {
    const device = known[i]?.device;
    if (!device || countsFrom === null || (device.countsFrom !== null && countsFrom >= device.countsFrom)) continue;
    // The mark is of a level then, which tells nothing any more beside a counter.
    if (device.countsFrom === null && device.markAt !== null && device.markAt > countsFrom)
      [device.levelsTo, device.markAt] = [device.markAt, null];
    device.countsFrom = countsFrom;
  }
  const spoken = heard.flatMap(({ i }) => known[i] ?? []);
  for (const portion of await portions(tx, joined(await widened(tx, spoken, context)), context))
    await reckon(tx, portion, context);
  await writeMarks(tx, spoken);
}

/**
 * A unit with readings that tell of energy, by its place in the list, and when a counter was first heard in it (epoch
 * milliseconds).
 */
interface Heard {
  readonly i: number;
  readonly countsFrom: number | null;
}

async function heardIn(tx: Transaction, units: readonly Work[]): Promise<Heard[]> {
  if (units.length === 0) return [];
  const { rows } = await sql<Heard>`SELECT u.i, r."countsFrom" FROM ${numbered(units)} CROSS JOIN LATERAL (
      SELECT count(*) AS count,
        (extract(epoch FROM min(r.at) FILTER (WHERE r.values ? 'energy')) * 1000)::float8 AS "countsFrom" FROM reading r
        WHERE ${within(units)} AND r.values ?| '{energy,level}'
    ) r WHERE r.count > 0 ORDER BY u.i`.execute(tx);
  return rows;
}

/** A part of the work: `until`: readings from here on (epoch milliseconds) say nothing of it. */
interface Piece extends Work {
  readonly until: number;
}

/** The work in portions of no more than `most` readings; what one device has more of is parted between hours. */
async function portions(
  tx: Transaction,
  work: readonly Work[],
  { boundary, readingsAtOnce: most = usualReadings }: EnergyContext,
): Promise<Piece[][]> {
  if (work.length === 0) return [];
  const { rows } = await sql<{
    count: number;
  }>`SELECT r.count FROM ${numbered(work)}
    CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM reading r WHERE ${within(work)}) r ORDER BY u.i`.execute(tx);
  const large = work.filter((_, i) => (rows[i]?.count ?? 0) > most);
  const hours = await countedHours(tx, large);
  const found: Piece[][] = [];
  let room = 0;
  for (const [i, unit] of work.entries()) {
    const until = isNewest(unit) ? unit.to : boundary(unit.deviceId);
    for (const { count, from, to } of parted(
      unit,
      hours.get(unit) ?? [{ at: unit.from, count: rows[i]?.count ?? 0 }],
      most,
    )) {
      if (found.length === 0 || count > room) {
        found.push([]);
        room = most;
      }
      found.at(-1)?.push({ ...unit, from, to, until });
      room -= count;
    }
  }
  return found;
}

interface CountedHour {
  readonly at: number;
  readonly count: number;
}

/** How many readings each hour has that has any, ascending. */
async function countedHours(tx: Transaction, work: readonly Work[]): Promise<Map<Work, CountedHour[]>> {
  const found = new Map(work.map((unit): [Work, CountedHour[]] => [unit, []]));
  if (work.length === 0) return found;
  const { rows } = await sql<
    CountedHour & { i: number }
  >`SELECT u.i, (extract(epoch FROM h.at) * 1000)::float8 AS at, h.count FROM ${numbered(work)}
    CROSS JOIN LATERAL (SELECT date_trunc('hour', r.at, 'UTC') AS at, count(*)::int AS count FROM reading r
      WHERE ${within(work)} GROUP BY 1) h ORDER BY u.i, h.at`.execute(tx);
  for (const { i, at, count } of rows) {
    const unit = work[i];
    if (unit) found.get(unit)?.push({ at, count });
  }
  return found;
}

/** Full hours of one unit with no more than `most` readings together, or one hour that has more. */
function parted(
  unit: Work,
  hours: readonly CountedHour[],
  most: number,
): { from: number; to: number; count: number }[] {
  const parts = [{ from: unit.from, to: unit.to, count: 0 }];
  for (const { at, count } of hours) {
    const last = parts.at(-1);
    if (!last) break;
    if (last.count > 0 && last.count + count > most) {
      last.to = at;
      parts.push({ from: at, to: unit.to, count });
    } else last.count += count;
  }
  return parts;
}

/** The units as a table `u (device_id, from_at, to_at, i)`, numbered from 0, and the readings `r` of one of them. */
const numbered = (units: readonly Unit[]): RawBuilder<unknown> =>
  sql`(SELECT u.*, (row_number() OVER () - 1)::int AS i FROM ${unitTable(units)}) u`;
function within(units: readonly Unit[]): RawBuilder<unknown> {
  const { from, to } = boundsOf(units);
  return sql`r.device_id = u.device_id AND r.at >= u.from_at AND r.at < u.to_at AND r.at >= ${instant(from)}::timestamptz AND r.at < ${instant(to)}::timestamptz`;
}

async function reckon(tx: Transaction, work: readonly Piece[], context: EnergyContext): Promise<void> {
  const found = await energies(tx, work, context);
  await nextTurn();
  await write(tx, work, found);
}

async function findDevices(tx: Transaction, ids: readonly number[]): Promise<Map<number, Device>> {
  // OFFSET 0: a photograph among the properties is unpacked once.
  const { rows } = await sql<
    Omit<Device, 'levelsTo'>
  >`SELECT d.id, d.family, d.rated_watts AS "ratedWatts", (d.props->>'counterMax')::float8 AS "counterMax",
    d.props->>'manufacturer' AS manufacturer, d.props->>'model' AS model, d.work_area_id AS "areaId",
    (extract(epoch FROM m.at) * 1000)::float8 AS "markAt",
    (extract(epoch FROM m.counts_from) * 1000)::float8 AS "countsFrom"
    FROM (SELECT id, family, rated_watts, work_area_id, props - 'pic' AS props FROM device
      WHERE id = ANY(${ids as number[]}::bigint[]) OFFSET 0) d LEFT JOIN energy_mark m ON m.device_id = d.id`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.id, { ...row, levelsTo: null }]));
}

/** From the hour of the reading before to the hour of the reading after. */
async function widened(tx: Transaction, units: readonly Work[], { boundary, oldest }: EnergyContext): Promise<Work[]> {
  const placed = (at: (unit: Work) => number, until: (unit: Work) => number): Place[] =>
    units.map((unit) => ({
      deviceId: unit.deviceId,
      at: at(unit),
      until: until(unit),
      countsFrom: unit.device.countsFrom,
    }));
  // What was rolled last is what stands before an hour that is rolled for the first time, unless this very time rolls
  // an earlier one too.
  const firsts = new Map<number, number>();
  for (const { deviceId, from } of units) firsts.set(deviceId, Math.min(from, firsts.get(deviceId) ?? from));
  const isNew = (unit: Work) =>
    unit.device.levelsTo === null &&
    unit.from === firsts.get(unit.deviceId) &&
    (unit.device.markAt === null || unit.device.markAt < unit.from);
  const late = units.filter((unit) => !isNew(unit));
  const lateBefore = await nearest(
    tx,
    late.map((unit) => ({ deviceId: unit.deviceId, at: unit.from, until: oldest, countsFrom: unit.device.countsFrom })),
    'before',
  );
  const before = new Map(late.map((unit, i) => [unit, lateBefore.get(i)?.at ?? null]));
  const after = await nearest(
    tx,
    placed(
      ({ to }) => to,
      ({ deviceId }) => boundary(deviceId),
    ).map((place, i) => (isNewest(units[i]) ? { ...place, until: place.at } : place)),
    'after',
  );
  return units.map((unit, i) => {
    const previous = isNew(unit) ? unit.device.markAt : (before.get(unit) ?? null);
    const next = after.get(i)?.at ?? null;
    const to = Math.max(
      unit.to,
      ...[next, unit.device.levelsTo].map((at) => (at === null ? unit.to : hourOf(at) + hourMs)),
    );
    return {
      ...unit,
      from: Math.max(oldest, previous === null ? unit.from : Math.min(unit.from, hourOf(previous))),
      to,
    };
  });
}

/** Nothing of this device has been rolled beyond. */
const isNewest = (unit: Work | undefined): boolean =>
  unit !== undefined && (unit.device.markAt === null || unit.device.markAt < unit.to);

/** Stretches of one device that have grown into one another are one. */
function joined(units: readonly Work[]): Work[] {
  const out: (Omit<Work, 'to'> & { to: number })[] = [];
  for (const unit of units.toSorted((a, b) => a.deviceId - b.deviceId || a.from - b.from)) {
    const last = out.at(-1);
    if (last && last.deviceId === unit.deviceId && unit.from <= last.to) last.to = Math.max(last.to, unit.to);
    else out.push({ ...unit });
  }
  return out;
}

interface Row extends HourEnergy {
  readonly deviceId: number;
  readonly at: number;
}
interface Event extends EnergyEvent {
  readonly deviceId: number;
}

async function energies(
  tx: Transaction,
  work: readonly Piece[],
  { places, plans, curves, oldest }: EnergyContext,
): Promise<{ rows: Row[]; events: Event[] }> {
  const inside = await readingsOf(tx, work);
  const before = await nearest(
    tx,
    work.map((unit) => ({ deviceId: unit.deviceId, at: unit.from, until: oldest, countsFrom: unit.device.countsFrom })),
    'before',
  );
  const after = await nearest(
    tx,
    work.map((unit) => ({
      deviceId: unit.deviceId,
      at: unit.to,
      until: unit.until,
      countsFrom: unit.device.countsFrom,
    })),
    'after',
  );
  // Reading so many is one turn of the event loop, reckoning another.
  await nextTurn();
  const own = await plans?.of(
    tx,
    [...new Set(work.map(({ deviceId }) => deviceId))],
    work.reduce((latest, { to }) => Math.max(latest, to), 0),
  );
  const rows: Row[] = [];
  const events: Event[] = [];
  for (const [i, unit] of work.entries()) {
    const readings = [before.get(i), ...(inside[i] ?? []), after.get(i)]
      .filter((one) => one !== undefined)
      .filter((one) => isRelevant(one, unit.device));
    const place = places.get(unit.device.areaId);
    const meter = meterOf({
      ...unit.device,
      plan: own?.get(unit.deviceId) ?? (place && defaultPlan(place)),
      curve: curves.of(unit.device.manufacturer, unit.device.model),
    });
    const energy = energyOfHours(readings, unit, meter);
    for (const [at, hour] of energy.hours) rows.push({ ...hour, deviceId: unit.deviceId, at });
    for (const event of energy.events) events.push({ ...event, deviceId: unit.deviceId });
  }
  return { rows, events };
}

const isRelevant = ({ at, kwh, level }: EnergyReading, { countsFrom }: Device): boolean =>
  countsFrom !== null && at >= countsFrom ? kwh !== null : kwh !== null || level !== null;

/** Whatever stood in these hours is replaced. */
async function write(
  tx: Transaction,
  work: readonly Work[],
  { rows, events }: { rows: readonly Row[]; events: readonly Event[] },
): Promise<void> {
  if (work.length === 0) return;
  const units = sql`unnest(${work.map((u) => u.deviceId)}::bigint[], ${work.map((u) => instant(u.from))}::timestamptz[], ${work.map((u) => instant(u.to))}::timestamptz[]) AS u(device_id, from_at, to_at)`;
  const [from, to] = [Math.min(...work.map((u) => u.from)), Math.max(...work.map((u) => u.to))];
  const { rows: gone } = await sql<{
    deviceId: number;
    at: number;
  }>`DELETE FROM energy_hour e USING ${units} WHERE e.device_id = u.device_id AND e.at >= u.from_at AND e.at < u.to_at
    AND e.at >= ${instant(from)}::timestamptz
    RETURNING e.device_id AS "deviceId", (extract(epoch FROM e.at) * 1000)::float8 AS at`.execute(tx);
  await sql`DELETE FROM energy_event e USING ${units} WHERE e.device_id = u.device_id AND e.at > u.from_at
    AND e.at <= u.to_at AND e.at > ${instant(from)}::timestamptz AND e.at <= ${instant(to)}::timestamptz`.execute(tx);
  await sql`INSERT INTO energy_hour (device_id, at, measured, estimated, calculated, invalid_seconds, resets)
    SELECT r.* FROM unnest(${rows.map((r) => r.deviceId)}::bigint[], ${rows.map((r) => instant(r.at))}::timestamptz[],
      ${rows.map((r) => r.measured)}::float8[], ${rows.map((r) => r.estimated)}::float8[],
      ${rows.map((r) => r.calculated)}::float8[], ${rows.map((r) => Math.round(r.invalidSeconds))}::int[],
        ${rows.map((r) => r.resets)}::smallint[]) AS r`.execute(tx);
  if (events.length > 0) {
    await sql`INSERT INTO energy_event (device_id, at, kind, from_at, from_kwh, to_kwh, limit_kwh)
      SELECT r.* FROM unnest(${events.map((e) => e.deviceId)}::bigint[],
        ${events.map((e) => instant(e.at))}::timestamptz[], ${events.map((e) => e.kind)}::text[],
        ${events.map((e) => instant(e.fromAt))}::timestamptz[],
        ${events.map((e) => e.fromKwh)}::float8[], ${events.map((e) => e.toKwh)}::float8[],
          ${events.map((e) => e.limitKwh)}::float8[]) AS r ON CONFLICT DO NOTHING`.execute(tx);
  }
  const changed = [...rows, ...gone];
  await dueDays(
    tx,
    sql`SELECT *
      FROM unnest(${changed.map((r) => r.deviceId)}::bigint[], ${changed.map((r) => instant(r.at))}::timestamptz[])
      AS h(device_id, at)`,
  );
}

async function writeMarks(tx: Transaction, units: readonly Work[]): Promise<void> {
  const last = await nearest(
    tx,
    units.map(({ deviceId, from, to, device }) => ({ deviceId, at: to, until: from, countsFrom: device.countsFrom })),
    'before',
  );
  const marks = new Map<number, { at: number; countsFrom: number | null }>();
  units.forEach(({ deviceId, device }, i) => {
    const at = last.get(i)?.at;
    if (at !== undefined && at > (marks.get(deviceId)?.at ?? Number.NEGATIVE_INFINITY))
      marks.set(deviceId, { at, countsFrom: device.countsFrom });
  });
  const rows = [...marks];
  if (rows.length === 0) return;
  await sql`INSERT INTO energy_mark AS m (device_id, at, counts_from)
    SELECT r.* FROM unnest(${rows.map(([id]) => id)}::bigint[], ${rows.map(([, m]) => instant(m.at))}::timestamptz[],
      ${rows.map(([, m]) => (m.countsFrom === null ? null : instant(m.countsFrom)))}::timestamptz[]) AS r
    ON CONFLICT (device_id) DO UPDATE SET at = CASE WHEN m.counts_from IS NULL
      AND excluded.counts_from IS NOT NULL THEN excluded.at ELSE greatest(m.at, excluded.at) END,
      counts_from = excluded.counts_from`.execute(tx);
}
