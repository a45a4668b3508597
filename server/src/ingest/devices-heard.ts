import { sql } from 'kysely';
import { familyOf, type Family } from '../../../catalogue/index.ts';
import type { Db } from '../platform/db/index.ts';
import type { ClockBelief } from './clock-offset.ts';

/** A device as the path of a reading needs it. */
export interface HeardDevice {
  readonly id: number;
  family: Family;
  parentId: number | null;
  clock: ClockBelief;
  /** Device time (ms, corrected) of what `device_latest` holds; null: nothing yet. */
  latestAt: number | null;
  loadedAt: number;
}

/** Registration (family, controller) may be this stale, milliseconds. */
export const stalenessMs = 10_000;

/** Keeps devices in memory; what they sent last is written by this process alone, their registration is read again when stale. */
export class DevicesHeard {
  readonly #db: Db;
  readonly #devices = new Map<number, HeardDevice>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** All of these that exist, in one query for those not known freshly. */
  async load(ids: Iterable<number>, now: number): Promise<ReadonlyMap<number, HeardDevice>> {
    const stale = new Set<number>();
    for (const id of ids) if (now - (this.#devices.get(id)?.loadedAt ?? Number.NEGATIVE_INFINITY) >= stalenessMs) stale.add(id);
    if (stale.size > 0) await this.#read([...stale], now);
    return this.#devices;
  }

  /** Another process may have written meanwhile. */
  forget(): void {
    this.#devices.clear();
  }

  async #read(ids: number[], now: number): Promise<void> {
    const { rows } = await sql<{ id: number; family: string; parentId: number | null; at: Date | null; offset: number | null }>`
      SELECT d.id, d.family, d.parent_id AS "parentId", l.at, l.clock_offset_ms AS offset
      FROM device d LEFT JOIN device_latest l ON l.device_id = d.id WHERE d.id = ANY(${ids}::bigint[])`.execute(this.#db);
    const gone = new Set(ids);
    for (const row of rows) {
      const family = familyOf(row.family);
      if (!family) continue;
      gone.delete(row.id);
      const old = this.#devices.get(row.id);
      if (old) Object.assign(old, { family, parentId: row.parentId, loadedAt: now });
      else {
        this.#devices.set(row.id, {
          id: row.id, family, parentId: row.parentId, latestAt: row.at?.getTime() ?? null, loadedAt: now,
          clock: { offsetMs: row.offset ?? 0, candidateMs: null, known: row.at !== null || (row.offset ?? 0) !== 0 },
        });
      }
    }
    for (const id of gone) this.#devices.delete(id);
  }
}
