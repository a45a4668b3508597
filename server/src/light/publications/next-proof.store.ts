import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { seenItem } from './reading.store.ts';

interface Awaited {
  readonly deviceId: number;
  readonly workAreaId: number;
  /** Epoch ms. */
  readonly toldAt: number;
  /** The step at which it was seen last, epoch ms. */
  readonly seenAt: number | null;
  /** When its loop is switched on by plan. */
  readonly lighting: string | null;
}

/** Lamps of each kind that are looked at, at most: in a row of alternating lamps some neighbours stay dark. */
const ofKind = 4;
/** Lamps that are looked at, at most: of many kinds each gives its first before another gives its second. */
const most = 2000;

/**
 * Lamps of a publication that were told and are not proven: some of each kind, which followed the same before, stand
 * within a kilometre or so, have power by plan at the same time, and were seen last at the same step.
 */
export async function findAwaited(db: Db, caller: DeviceScope, id: number): Promise<Awaited[]> {
  const { rows } = await sql<Awaited>`SELECT x.device_id AS "deviceId", x.area AS "workAreaId",
      (date_part('epoch', x.told_at) * 1000)::float8 AS "toldAt",
      (date_part('epoch', x.seen_at::timestamptz) * 1000)::float8 AS "seenAt", x.lighting
    FROM (SELECT i.device_id, d.work_area_id AS area, i.told_at, i.proof->>'seenAt' AS seen_at, o.lighting,
        row_number() OVER (PARTITION BY d.work_area_id, i.before_scheme_version_id, i.before_template_version_id,
          round(i.latitude::numeric, 2), round(i.longitude::numeric, 2), o.lighting, i.proof->>'seenAt'
          ORDER BY i.device_id) AS n
      FROM publication_watch w JOIN publication_item i USING (publication_id, device_id) JOIN device d ON d.id = i.device_id
      LEFT JOIN device pole ON pole.id = d.pole_id
      LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)
      WHERE w.publication_id = ${id} AND w.look_at IS NOT NULL AND i.state IN ('told', 'reported')
        AND ${seenItem(caller)}) x
    WHERE x.n <= ${ofKind} ORDER BY x.n, x.device_id LIMIT ${most}`.execute(db);
  return rows;
}
