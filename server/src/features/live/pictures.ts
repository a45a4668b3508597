import { sql } from 'kysely';
import type { DeviceDelta } from '../../../../contract/live.ts';
import type { Db } from '../../platform/db/index.ts';

export type Values = Readonly<Record<string, number | boolean | string>>;
/** A device as lists and maps show it now. */
export interface Picture {
  readonly id: number; readonly family: string; readonly workAreaId: number; readonly state: string | null; readonly online: boolean | null; readonly fault: string | null;
  readonly at: Date | null; readonly receivedAt: Date | null; readonly values: Values | null;
}

/** So many devices are remembered as they were told last; of others everything is told. */
const mostRemembered = 50_000;

/** These devices as they are now. */
export async function findPictures(db: Db, ids: readonly number[]): Promise<Picture[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Picture>`SELECT d.id, d.family, d.work_area_id AS "workAreaId", CASE WHEN d.enabled OR s.state IS NULL THEN s.state ELSE 'maintenance' END AS state, s.online, s.fault,
      l.at, l.received_at AS "receivedAt", l.values
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id WHERE d.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return rows;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** State alone: what a map shows. `before` undefined: all of it; null: nothing changed. */
export function stateDelta(now: Picture, before: Picture | undefined): DeviceDelta | null {
  const { id, family, state, online, fault } = now;
  const changed = {
    ...(before && before.state === state ? {} : { state }), ...(before && before.online === online ? {} : { online }), ...(before && before.fault === fault ? {} : { fault }),
  };
  return Object.keys(changed).length === 0 ? null : { id, family, ...changed };
}

/** State and values: what a list shows. */
export function fullDelta(now: Picture, before: Picture | undefined): DeviceDelta | null {
  const values = Object.fromEntries(Object.entries(now.values ?? {}).filter(([key, value]) => before?.values?.[key] !== value));
  const changed = {
    ...(stateDelta(now, before) ?? { id: now.id, family: now.family }),
    ...(before?.at?.getTime() === now.at?.getTime() && before ? {} : { at: iso(now.at) }),
    ...(before?.receivedAt?.getTime() === now.receivedAt?.getTime() && before ? {} : { receivedAt: iso(now.receivedAt) }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
  return Object.keys(changed).length === 2 ? null : changed;
}

/** How devices were told last, of as many as fit: the ones that changed longest ago go first. */
export class Remembered {
  readonly #pictures = new Map<number, Picture>();

  /** What was told last of this device; from now on it is `now`. */
  replace(now: Picture): Picture | undefined {
    const before = this.#pictures.get(now.id);
    this.#pictures.delete(now.id);
    this.#pictures.set(now.id, now);
    if (this.#pictures.size > mostRemembered) {
      const [oldest] = this.#pictures.keys();
      if (oldest !== undefined) this.#pictures.delete(oldest);
    }
    return before;
  }

  /** Nobody watches any more: what comes next is not what was told last. */
  clear(): void {
    this.#pictures.clear();
  }
}
