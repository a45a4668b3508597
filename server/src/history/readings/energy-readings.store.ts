import { sql } from 'kysely';
import type { EnergyReading } from '../../../../catalogue/lighting/energy.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { boundsOf, instant, unitTable, type Unit } from './spans.query.ts';

const dayMs = 86_400_000;
/** A neighbour is looked for among the days close by; only what has none there is looked for in all. */
const closeMs = 2 * dayMs;
const farMs = 400 * dayMs;

interface Found {
  readonly i: number;
  readonly at: number;
  readonly kwh: number | null;
  readonly level: number | null;
}
const columns = sql`(extract(epoch FROM r.at) * 1000)::float8 AS at, (r.values->'energy')::float8 AS kwh,
  (r.values->'level')::float8 AS level`;
/**
 * A device that counts is judged by its counter alone, from its first reading of it on; before, and without one, by its
 * level.
 */
const relevant = sql`CASE WHEN r.at >= coalesce(u.counts_from, 'infinity') THEN r.values ? 'energy'
  ELSE r.values ?| '{energy,level}' END`;

/** Where energy of a device is looked for: the nearest reading before, or at or after, `at`, not beyond `until`. */
export interface Place {
  readonly deviceId: number;
  readonly at: number;
  readonly until: number;
  readonly countsFrom: number | null;
}

/**
 * The nearest readings that energy is reckoned from, by the index of the place; `before`: earlier than `at`, `after`:
 * from `at` on.
 */
export async function nearest(
  tx: Transaction,
  places: readonly Place[],
  side: 'before' | 'after',
): Promise<Map<number, EnergyReading>> {
  const found = await look(
    tx,
    places.map((place, i) => ({ ...place, i })),
    side,
    closeMs,
  );
  const rest = places
    .map((place, i) => ({ ...place, i }))
    .filter(({ i, at, until }) => !found.has(i) && (side === 'before' ? at - closeMs > until : at + closeMs < until));
  for (const [i, reading] of await look(tx, rest, side, farMs)) found.set(i, reading);
  return found;
}

async function look(
  tx: Transaction,
  places: readonly (Place & { readonly i: number })[],
  side: 'before' | 'after',
  far: number,
): Promise<Map<number, EnergyReading>> {
  if (places.length === 0) return new Map();
  const rows = places.map(({ at, until, ...rest }) =>
    side === 'before'
      ? { ...rest, from: Math.max(until, at - far), to: at }
      : { ...rest, from: at, to: Math.min(until, at + far) },
  );
  const { from, to } = boundsOf(rows);
  const order = side === 'before' ? sql`DESC` : sql`ASC`;
  const { rows: found } = await sql<Found>`SELECT u.i, p.*
      FROM unnest(${rows.map(({ i }) => i)}::int[], ${rows.map(({ deviceId }) => deviceId)}::bigint[],
      ${rows.map((r) => instant(r.from))}::timestamptz[],
      ${rows.map((r) => instant(r.to))}::timestamptz[],
        ${rows.map((r) => (r.countsFrom === null ? null : instant(r.countsFrom)))}::timestamptz[])
        AS u(i, device_id, from_at, to_at, counts_from)
    CROSS JOIN LATERAL (SELECT ${columns} FROM reading r WHERE r.device_id = u.device_id AND r.at >= u.from_at
      AND r.at < u.to_at AND r.at >= ${instant(from)}::timestamptz AND r.at < ${instant(to)}::timestamptz
      AND ${relevant} ORDER BY r.at ${order} LIMIT 1) p`.execute(tx);
  return new Map(found.map(({ i, ...reading }) => [i, reading]));
}

/**
 * What energy is reckoned from in these hours, unit by unit, ascending; of every reading, whether the device counts by
 * then or not.
 */
export async function readingsOf(tx: Transaction, units: readonly Unit[]): Promise<EnergyReading[][]> {
  const lists = units.map((): EnergyReading[] => []);
  if (units.length === 0) return lists;
  const { from, to } = boundsOf(units);
  const { rows } = await sql<Found>`SELECT u.i::int AS i, ${columns}
      FROM (SELECT u.*, row_number() OVER () - 1 AS i FROM ${unitTable(units)}) u
    CROSS JOIN LATERAL (SELECT r.at, r.values FROM reading r
      WHERE r.device_id = u.device_id AND r.at >= u.from_at AND r.at < u.to_at AND r.at >= ${instant(from)}::timestamptz
      AND r.at < ${instant(to)}::timestamptz
      AND r.values ?| '{energy,level}' OFFSET 0) r ORDER BY 1, 2`.execute(tx);
  for (const { i, ...reading } of rows) lists[i]?.push(reading);
  return lists;
}
