import { sql } from 'kysely';
import type { connectionReasons } from '../../../../contract/episodes.ts';
import { takeLock, type Transaction } from '../../platform/db/index.ts';

export type ConnectionReason = (typeof connectionReasons)[number];

/** One writer of the log at a time, until the transaction ends: what goes on for a device is one row. */
export const lockLog = (tx: Transaction): Promise<void> => takeLock(tx, 'connectionLog');

/** How a device is found by the judge, as far as its connection goes. Times in ms. */
export interface Reach {
  readonly deviceId: number;
  /** null: nothing is wrong (it is heard of, or nobody asks it to be). */
  readonly out: {
    readonly kind: 'offline' | 'unpowered';
    readonly reason: ConnectionReason;
    readonly since: number;
    readonly viaId: number | null;
  } | null;
  /** When it was heard last; null: never. */
  readonly heardAt: number | null;
}

/** What falls silent up to so long before its gateway does so because of it. */
const symptomMs = 15 * 60_000;
/** What a device said just before its line broke may be stored so long after, and its clock may be so much ahead. */
const inFlightMs = 60_000;

interface Open {
  readonly id: number;
  readonly deviceId: number;
  readonly kind: string;
  readonly reason: string;
  readonly beganAt: Date;
  readonly noticedAt: Date;
  readonly lastAt: Date;
  readonly times: number;
}
interface Ending {
  readonly id: number;
  readonly at: Date;
  readonly less: number;
}
interface Turning {
  readonly id: number;
  readonly kind: string;
  readonly reason: ConnectionReason | null;
  readonly viaId: number | null;
}
interface Beginning {
  readonly deviceId: number;
  readonly kind: string;
  readonly reason: ConnectionReason;
  readonly since: Date;
  readonly viaId: number | null;
}

/**
 * Brings the log in line with what was judged: what is out of reach now has one open row, what is not has none. In the
 * judge's transaction, so that the state of a device and its log never disagree.
 */
export async function recordReach(tx: Transaction, reaches: readonly Reach[], now: Date): Promise<void> {
  if (reaches.length === 0) return;
  await lockLog(tx);
  const { rows } =
    await sql<Open>`SELECT id, device_id AS "deviceId", kind, reason, began_at AS "beganAt", noticed_at AS "noticedAt",
      last_at AS "lastAt", times FROM connection_log
    WHERE device_id = ANY(${reaches.map(({ deviceId }) => deviceId)}::bigint[]) AND ended_at IS NULL ORDER BY device_id
      FOR UPDATE`.execute(tx);
  const open = new Map(rows.map((row) => [row.deviceId, row]));
  const work = { endings: [] as Ending[], turnings: [] as Turning[], beginnings: [] as Beginning[] };
  for (const reach of reaches) plan(work, reach, open.get(reach.deviceId), now);
  await end(tx, work.endings);
  await turn(tx, work.turnings, now);
  await begin(tx, work.beginnings, now);
}

type Work = { endings: Ending[]; turnings: Turning[]; beginnings: Beginning[] };

function plan(
  { endings, turnings, beginnings }: Work,
  { deviceId, out, heardAt }: Reach,
  open: Open | undefined,
  now: Date,
): void {
  if (out === null) {
    // A line that is down and comes back ends where it comes back.
    if (!open || open.kind === 'link') return;
    const heard =
      heardAt !== null && heardAt > open.beganAt.getTime() && heardAt < now.getTime() ? new Date(heardAt) : now;
    endings.push({ id: open.id, at: heard, less: 0 });
    return;
  }
  if (open?.kind === out.kind) {
    // Noticed a moment before its gateway was: the gateway is why.
    const isSymptom =
      out.reason === 'gatewayLost' && open.reason === 'silent' && now.getTime() - open.noticedAt.getTime() <= symptomMs;
    if (isSymptom) turnings.push({ id: open.id, kind: out.kind, reason: out.reason, viaId: out.viaId });
    return;
  }
  const begun: Beginning = {
    deviceId,
    kind: out.kind,
    reason: out.reason,
    since: new Date(out.since),
    viaId: out.viaId,
  };
  // It was heard although its line was lost (by HTTP, through a gateway): that line says nothing of why it is silent
  // now.
  const spoke = open?.kind === 'link' && heardAt !== null && heardAt > open.lastAt.getTime() + inFlightMs;
  if (!open) beginnings.push(begun);
  else if (spoke) {
    endings.push({ id: open.id, at: new Date(Math.min(heardAt, now.getTime())), less: 0 });
    beginnings.push(begun);
  } else if (open.kind !== 'link') {
    // The power went while it was out of reach; or it stayed away although the power was back, and since then.
    const at = open.kind === 'unpowered' ? new Date(Math.max(out.since, open.beganAt.getTime())) : now;
    endings.push({ id: open.id, at, less: 0 });
    beginnings.push({ ...begun, since: at });
  } else if (open.times === 1) {
    // Its line was lost and never came back: that is why, and that is when.
    turnings.push({ id: open.id, kind: out.kind, reason: out.kind === 'unpowered' ? out.reason : null, viaId: null });
  } else {
    // Of several interruptions that were told together only the last one lasts.
    endings.push({ id: open.id, at: open.lastAt, less: 1 });
    beginnings.push({ ...begun, since: open.lastAt });
  }
}

async function end(tx: Transaction, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return;
  await sql`UPDATE connection_log c SET ended_at = greatest(e.at, c.began_at), times = c.times - e.less
    FROM unnest(${endings.map(({ id }) => id)}::bigint[], ${endings.map(({ at }) => at)}::timestamptz[],
      ${endings.map(({ less }) => less)}::integer[]) AS e(id, at, less) WHERE c.id = e.id`.execute(tx);
}

async function turn(tx: Transaction, turnings: readonly Turning[], now: Date): Promise<void> {
  if (turnings.length === 0) return;
  await sql`UPDATE connection_log c SET kind = t.kind, reason = coalesce(t.reason, c.reason), via_id = t.via_id,
    noticed_at = ${now}
    FROM unnest(${turnings.map(({ id }) => id)}::bigint[], ${turnings.map(({ kind }) => kind)}::text[],
      ${turnings.map(({ reason }) => reason)}::text[],
      ${turnings.map(({ viaId }) => viaId)}::bigint[]) AS t(id, kind, reason, via_id) WHERE c.id = t.id`.execute(tx);
}

/**
 * Nothing begins before what was told of the device before is over. A line that was lost a moment ago gives its place
 * to what was judged.
 */
async function begin(tx: Transaction, beginnings: readonly Beginning[], now: Date): Promise<void> {
  if (beginnings.length === 0) return;
  const rows = beginnings.toSorted((a, b) => a.deviceId - b.deviceId);
  await sql`INSERT INTO connection_log AS c (device_id, kind, reason, began_at, noticed_at, last_at, via_id)
    SELECT b.device_id, b.kind, b.reason, least(greatest(b.since, before.ended_at), ${now}), ${now},
      least(greatest(b.since, before.ended_at), ${now}), b.via_id
    FROM unnest(${rows.map(({ deviceId }) => deviceId)}::bigint[], ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ reason }) => reason)}::text[],
      ${rows.map(({ since }) => since)}::timestamptz[], ${rows.map(({ viaId }) => viaId)}::bigint[])
        AS b(device_id, kind, reason, since, via_id)
    LEFT JOIN LATERAL (SELECT p.ended_at FROM connection_log p
      WHERE p.device_id = b.device_id AND p.kind IN ('offline', 'unpowered') ORDER BY p.began_at DESC, p.id DESC
      LIMIT 1) before ON true
    ORDER BY b.device_id
    ON CONFLICT (device_id) WHERE ended_at IS NULL DO UPDATE
      SET kind = excluded.kind, noticed_at = excluded.noticed_at, began_at = least(c.began_at, excluded.began_at)
      WHERE c.kind = 'link'`.execute(tx);
}
