import { sql } from 'kysely';
import { familyOf, type Family } from '../../../catalogue/index.ts';
import { bigints, prepared, type Db } from '../platform/db/index.ts';
import type { ClockBelief } from './clock-offset.ts';

/** A device as the path of a reading needs it. */
export interface HeardDevice {
  readonly id: number;
  family: Family;
  parentId: number | null;
  clock: ClockBelief;
  /** The offset that the database had when it was asked: another process may have learnt since. */
  knownOffsetMs: number;
  /**
   * Device time (ms, corrected) that `device_latest` certainly holds, or something newer; `never`: not known. Older
   * readings need not be told it.
   */
  latestAt: number;
  /**
   * When its newest reading came, and when anything of it was heard, as far as it is written (ms); `never` too where it
   * is not known.
   */
  reportedAt: number;
  heardAt: number;
  loadedAt: number;
  /** How often the register had changed when it was read. */
  register: number;
}

/**
 * Before every instant. A number like the others: what is now null and now a number is a new object each time it
 * changes.
 */
export const never = Number.NEGATIVE_INFINITY;

type Stored = Pick<HeardDevice, 'id' | 'family' | 'parentId' | 'reportedAt' | 'heardAt'> & {
  readonly at: number;
  readonly offsetMs: number;
  readonly doubtMs: number | null;
};

/**
 * What other processes learnt of a clock, and a change of the register that nobody told of, may be this stale,
 * milliseconds: longer than the pause between two reports of nearly all devices.
 */
const stalenessMs = 1_800_000;
/** Devices kept in memory, some 220 bytes each; who came first is forgotten first. */
const most = 1_200_000;
/** Nearly all clocks are right: they share what is believed of them. */
const believed = { right: settled(0, true), unheard: settled(0, false) };

function settled(offsetMs: number, known: boolean, doubt?: { readonly ms: number; readonly at: number }): ClockBelief {
  return { offsetMs, candidateMs: doubt?.ms ?? null, candidateAt: doubt?.at ?? 0, before: null, known };
}

/**
 * Keeps devices in memory, and reads them again when the register has changed; whatever is kept of them is right when
 * other processes write them too.
 */
export class DevicesHeard {
  readonly #db: Db;
  readonly #devices = new Map<number, HeardDevice>();
  #register = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All of these that exist, in one query for those not known freshly. */
  async load(ids: ReadonlySet<number>, now: number): Promise<ReadonlyMap<number, HeardDevice>> {
    // A list of its own from the start: somebody else may forget all of them while some are read, and what is not in it
    // counts as unknown.
    const found = new Map<number, HeardDevice>();
    const stale: number[] = [];
    for (const id of ids) {
      const device = this.#devices.get(id);
      // Also what was read later than now: the clock was set back.
      if (device?.register === this.#register && Math.abs(now - device.loadedAt) < stalenessMs) found.set(id, device);
      else stale.push(id);
    }
    for (const device of stale.length > 0 ? await this.#read(stale, now) : []) found.set(device.id, device);
    return found;
  }

  /** Somebody changed devices, or may have: registration is read again, what was learnt of clocks is kept. */
  registerChanged(): void {
    this.#register += 1;
  }

  /** Another process may have written meanwhile. */
  forget(): void {
    this.#devices.clear();
  }

  async #read(ids: number[], now: number): Promise<HeardDevice[]> {
    // What changes while it is read may not be in it.
    const register = this.#register;
    const { rows } = await sql<{
      id: number;
      family: string;
      parentId: number | null;
      at: Date | null;
      reportedAt: Date | null;
      heardAt: Date | null;
      offset: number | null;
      doubtMs: number | null;
    }>`${prepared('devices heard')}
      SELECT d.id, d.family, d.parent_id AS "parentId", l.at, l.received_at AS "reportedAt",
        greatest(least(l.at, l.received_at), l.heard_at) AS "heardAt", l.clock_offset_ms AS offset,
        l.clock_doubt_ms AS "doubtMs"
      FROM device d LEFT JOIN device_latest l ON l.device_id = d.id
        WHERE d.id = ANY(${bigints(ids)}::bigint[])`.execute(this.#db);
    const gone = new Set(ids);
    const found: HeardDevice[] = [];
    for (const row of rows) {
      const family = familyOf(row.family);
      if (!family) continue;
      gone.delete(row.id);
      found.push(
        this.#keep(
          {
            id: row.id,
            family,
            parentId: row.parentId,
            at: row.at?.getTime() ?? never,
            reportedAt: row.reportedAt?.getTime() ?? never,
            heardAt: row.heardAt?.getTime() ?? never,
            offsetMs: row.offset ?? 0,
            doubtMs: row.doubtMs,
          },
          { loadedAt: now, register },
        ),
      );
    }
    for (const id of gone) this.#devices.delete(id);
    for (const id of this.#devices.keys()) {
      if (this.#devices.size <= most) break;
      this.#devices.delete(id);
    }
    return found;
  }

  #keep(
    { id, family, parentId, at, offsetMs, doubtMs, ...signs }: Stored,
    read: Pick<HeardDevice, 'loadedAt' | 'register'>,
  ): HeardDevice {
    const old = this.#devices.get(id);
    // What this process is just writing may not be there yet; an offset that is another one was learnt by another
    // process.
    const clock =
      old && old.knownOffsetMs === offsetMs
        ? old.clock
        : offsetMs !== 0
          ? settled(offsetMs, true, doubtMs === null ? undefined : { ms: doubtMs, at: read.loadedAt })
          : at === never
            ? believed.unheard
            : believed.right;
    const latestAt = Math.max(at, old?.latestAt ?? never);
    // Also where it is less than what was known here: that may be in no table, and is then written again.
    const told = { family, parentId, clock, knownOffsetMs: offsetMs, latestAt, ...signs, ...read };
    const device = old ? Object.assign(old, told) : { id, ...told };
    this.#devices.set(id, device);
    return device;
  }
}
