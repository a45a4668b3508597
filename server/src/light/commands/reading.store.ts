import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { questionLane, type ApprovalOutcome, type Args, type CommandState, type Proof } from './commands.rules.ts';
import { countedAlways, countedOnce, type Sight } from './counts.store.ts';
import { byUrgency, stretchesOf } from './stretches.rules.ts';

export interface StoredCommand {
  readonly id: number;
  readonly command: string;
  readonly args: Args;
  readonly lane: number;
  readonly phase: string;
  readonly scope: Readonly<Record<string, unknown>>;
  readonly until: Date | null;
  readonly expiresAt: Date | null;
  readonly reason: string | null;
  readonly actorId: number | null;
  readonly actorName: string;
  readonly createdAt: Date;
  readonly retryOf: number | null;
  readonly verifies: number | null;
  readonly canary: Readonly<Record<string, unknown>> | null;
  readonly stopAt: { readonly failurePercent: number; readonly afterAtLeast: number } | null;
  readonly halted: Readonly<Record<string, unknown>> | null;
  readonly cancelled: Readonly<Record<string, unknown>> | null;
  readonly approval: Readonly<Record<string, unknown>> | null;
  /** Of the question for a second person, as it is written. */
  readonly outcome: ApprovalOutcome | null;
  /** Of what the caller sees of it. */
  readonly total: number;
  readonly states: Readonly<Record<string, number>>;
  readonly verified: Readonly<Record<string, number>>;
  /** Of all of it. */
  readonly all: number;
}
export interface StoredItem {
  readonly deviceId: number;
  readonly code: string;
  readonly name: string | null;
  readonly family: string;
  readonly state: CommandState;
  readonly queuedAt: Date;
  readonly sentAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly endedAt: Date | null;
  readonly until: Date | null;
  readonly tries: number;
  readonly canary: boolean;
  readonly error: string | null;
  readonly proof: Proof | null;
  readonly verification:
    | (Proof & { readonly commandId: number; readonly outcome: 'confirmed' | 'contradicted' })
    | null;
  readonly reading: {
    readonly at: string;
    readonly receivedAt: string;
    readonly values: Readonly<Record<string, unknown>>;
  } | null;
}

const utc = (column: string) => sql`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const itemColumns = sql`i.device_id AS "deviceId", d.equipment_code AS code, d.equipment_name AS name, d.family,
  i.state, i.queued_at AS "queuedAt", i.sent_at AS "sentAt",
  i.acknowledged_at AS "acknowledgedAt", i.ended_at AS "endedAt", i.until,
  greatest(i.tries, (i.sent_at IS NOT NULL)::int) AS tries, i.canary, i.error, i.proof, i.verification,
  CASE WHEN i.lane
    = 3 THEN (SELECT jsonb_build_object('at', ${utc('l.at')}, 'receivedAt', ${utc('l.received_at')}, 'values', l.values)
    FROM device_latest l WHERE l.device_id = i.device_id AND l.at IS NOT NULL) END AS reading`;
const commandColumns = sql`c.id, c.command, c.args, c.lane, c.phase, c.scope, c.until, c.expires_at AS "expiresAt", c.reason, c.actor_id AS "actorId", c.actor_name AS "actorName", c.created_at AS "createdAt",
  c.retry_of AS "retryOf", c.verifies, c.canary, c.stop_at AS "stopAt", c.halted, c.cancelled, c.approval, c.approval_outcome AS outcome`;

/** Only a command that was read back has any. */
const verified = ({ visible, all }: Sight) => sql`CASE
  WHEN EXISTS (SELECT 1 FROM command v WHERE v.verifies = c.id) THEN
  (SELECT coalesce(jsonb_object_agg(outcome, n), '{}') FROM (
  SELECT i.verification->>'outcome' AS outcome, count(*)::int AS n FROM command_item i ${
    all
      ? sql``
      : sql`JOIN device d
    ON d.id = i.device_id`
  } WHERE i.command_id = c.id AND i.verification IS NOT NULL AND ${all ? sql`true` : visible}
    GROUP BY 1) v) ELSE '{}'::jsonb END AS verified`;

export interface CommandFilter {
  readonly deviceId?: number | undefined;
  readonly states?: readonly string[] | undefined;
  readonly lanes?: readonly number[] | undefined;
  readonly command?: string | undefined;
  readonly actor?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly outcomes?: readonly ApprovalOutcome[] | undefined;
  readonly approver?: string | undefined;
  /** By which what awaits a second person may be too late already. */
  readonly now: Date;
}
const hasOpen = sql<SqlBool>`c.id
  = ANY(ARRAY(SELECT DISTINCT command_id FROM command_item WHERE ended_at IS NULL
  AND state IN ('waiting', 'queued', 'sent', 'acknowledged')))`;
const isOverdue = (now: Date) =>
  sql<SqlBool>`(c.approval_outcome = 'pending' AND (c.approval->>'expiresAt')::timestamptz <= ${now})`;
const stateIs = (state: string, now: Date): RawBuilder<SqlBool> => {
  if (state === 'awaitingApproval') return sql<SqlBool>`(c.phase = 'awaitingApproval' AND NOT ${isOverdue(now)})`;
  if (state === 'lapsed')
    return sql<SqlBool>`(c.phase = 'lapsed' OR (c.phase = 'awaitingApproval' AND ${isOverdue(now)}))`;
  if (state === 'running') return sql<SqlBool>`(c.phase IN ('running', 'staged') AND ${hasOpen})`;
  if (state === 'finished') return sql<SqlBool>`(c.phase IN ('running', 'staged') AND NOT ${hasOpen})`;
  return sql<SqlBool>`c.phase = ${state}`;
};

/** What is too late is told as expired from that moment on, though it still stands there as pending. */
function outcomeIs(outcomes: readonly ApprovalOutcome[], now: Date): RawBuilder<SqlBool> {
  const asked = sql<SqlBool>`c.approval_outcome = ANY(${outcomes.includes('expired') ? [...outcomes, 'pending'] : [...outcomes]}::text[])`;
  if (outcomes.includes('pending') === outcomes.includes('expired')) return asked;
  return outcomes.includes('pending')
    ? sql<SqlBool>`(${asked} AND NOT ${isOverdue(now)})`
    : sql<SqlBool>`(${asked} AND (c.approval_outcome <> 'pending' OR ${isOverdue(now)}))`;
}

/** Commands that touch devices the caller sees. */
function conditions({ visible, all, area, singly }: Sight, filter: CommandFilter): RawBuilder<SqlBool> {
  const { deviceId } = filter;
  // Of what the program asked, counts alone are kept.
  const kept = sql`(c.actor_id = 0 AND NOT ${singly} AND EXISTS (SELECT FROM jsonb_each(c.counts) a(area, part)
    WHERE ${area}))`;
  const asked =
    all && deviceId === undefined
      ? sql<SqlBool>`EXISTS (SELECT 1 FROM command_item i WHERE i.command_id = c.id)`
      : sql<SqlBool>`EXISTS (SELECT 1 FROM command_item i JOIN device d ON d.id = i.device_id
        WHERE i.command_id = c.id
        AND ${visible}${deviceId === undefined ? sql`` : sql` AND i.device_id = ${deviceId}`})`;
  const parts = [deviceId === undefined ? sql<SqlBool>`(${asked} OR ${kept})` : asked];
  // The index by device leads to them; else every command would be looked at.
  if (deviceId !== undefined)
    parts.push(sql<SqlBool>`c.id IN (SELECT command_id FROM command_item WHERE device_id = ${deviceId})`);
  if (filter.states)
    parts.push(
      sql<SqlBool>`(${sql.join(
        filter.states.map((state) => stateIs(state, filter.now)),
        sql` OR `,
      )})`,
    );
  if (filter.lanes) parts.push(sql<SqlBool>`c.lane = ANY(${[...filter.lanes]}::smallint[])`);
  if (filter.command !== undefined) parts.push(sql<SqlBool>`c.command = ${filter.command}`);
  if (filter.actor !== undefined) parts.push(sql<SqlBool>`strpos(lower(c.actor_name), lower(${filter.actor})) > 0`);
  if (filter.outcomes) parts.push(outcomeIs(filter.outcomes, filter.now));
  if (filter.approver !== undefined)
    parts.push(
      sql<SqlBool>`c.approval_outcome IS NOT NULL
        AND strpos(lower(coalesce(c.approval->>'by', CASE c.approval_outcome
        WHEN 'withdrawn' THEN c.cancelled->>'by' END)), lower(${filter.approver})) > 0`,
    );
  if (filter.from) parts.push(sql<SqlBool>`c.created_at >= ${filter.from}`);
  if (filter.to) parts.push(sql<SqlBool>`c.created_at < ${filter.to}`);
  return sql.join(parts, sql` AND `);
}

/**
 * How many devices a row of a list is for, beyond what the caller sees: asked only where it matters, of what waits for
 * a second person.
 */
const wholeOf = ({ all }: Sight) =>
  all
    ? sql`s.total`
    : sql`CASE c.phase WHEN 'awaitingApproval' THEN (SELECT count(*)::int FROM command_item i WHERE i.command_id = c.id)
      ELSE s.total END`;

/** Newest first; with `deviceId` those of one device, each with its item. */
export async function findPage(db: Db, sight: Sight, filter: CommandFilter, page: { limit: number; offset: number }) {
  const { deviceId } = filter;
  const { rows } = await sql<StoredCommand & { item: Record<string, unknown> | null }>`
    SELECT ${commandColumns}, s.total, s.states, ${verified(sight)}, ${wholeOf(sight)} AS all,
      ${
        deviceId === undefined
          ? sql`NULL::jsonb`
          : sql`(SELECT to_jsonb(x)
        FROM (SELECT ${itemColumns} FROM command_item i JOIN device d ON d.id = i.device_id
        WHERE i.command_id = c.id AND i.device_id = ${deviceId}) x)`
      } AS item
    FROM (SELECT * FROM command c WHERE ${conditions(sight, filter)} ORDER BY c.id DESC
      LIMIT ${page.limit} OFFSET ${page.offset}) c CROSS JOIN ${countedOnce(sight)} ORDER BY c.id DESC`.execute(db);
  return rows;
}

export async function countCommands(db: Db, sight: Sight, filter: CommandFilter, limit: number): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n
    FROM (SELECT 1 FROM command c WHERE ${conditions(sight, filter)} LIMIT ${limit}) x`.execute(db);
  return rows[0]?.n ?? 0;
}

/** One command with the counts of what the caller sees of it (`total` 0: nothing). */
export async function findOne(db: Db, id: number, sight: Sight): Promise<StoredCommand | undefined> {
  const { rows } = await sql<StoredCommand>`SELECT ${commandColumns}, s.total, s.states, ${verified(sight)},
      ${sight.all ? sql`s.total` : sql`(SELECT count(*)::int FROM command_item i WHERE i.command_id = c.id)`} AS all
    FROM command c CROSS JOIN ${countedAlways(sight)} WHERE c.id = ${id}`.execute(db);
  return rows[0];
}

export interface ItemFilter {
  readonly states?: readonly string[] | undefined;
  readonly q?: string | undefined;
  readonly canary?: boolean | undefined;
  readonly verified?: 'confirmed' | 'contradicted' | 'no' | undefined;
}
const itemConditions = (id: number, { visible, all }: Sight, filter: ItemFilter): RawBuilder<SqlBool> => {
  const parts = [sql<SqlBool>`i.command_id = ${id}`, ...(all ? [] : [visible])];
  if (filter.states) parts.push(sql<SqlBool>`i.state = ANY(${[...filter.states]}::text[])`);
  if (filter.q)
    parts.push(
      sql<SqlBool>`(strpos(lower(d.equipment_code), lower(${filter.q})) > 0 OR strpos(lower(d.equipment_name), lower(${filter.q})) > 0)`,
    );
  if (filter.canary !== undefined) parts.push(sql<SqlBool>`i.canary = ${filter.canary}`);
  if (filter.verified)
    parts.push(
      filter.verified === 'no'
        ? sql<SqlBool>`i.verification IS NULL`
        : sql<SqlBool>`i.verification->>'outcome' = ${filter.verified}`,
    );
  return sql.join(parts, sql` AND `);
};
export const isFiltered = (filter: ItemFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '');

/** So many codes are put in order while somebody waits; beyond, the order of registration stands for it. */
const mostInOrder = 5000;
const urgency = sql`CASE ${sql.join(
  byUrgency.map((states, n) => sql`WHEN i.state = ANY(${[...states]}::text[]) THEN ${sql.lit(n)}`),
  sql` `,
)} END`;

interface Page {
  readonly limit: number;
  readonly offset: number;
}
/** Items of a command: what went wrong first, then what is open, then the rest; by code, of very many by their age. */
export async function findItems(
  db: Db,
  command: Pick<StoredCommand, 'id' | 'total' | 'states'>,
  sight: Sight,
  filter: ItemFilter,
  page: Page,
): Promise<StoredItem[]> {
  const { id, total, states } = command;
  const where = itemConditions(id, sight, filter);
  const paged = ({ limit, offset }: Page) => sql`LIMIT ${limit} OFFSET ${offset}`;
  if (total <= mostInOrder || filter.q)
    return read(
      db,
      sql`command_item i JOIN device d ON d.id = i.device_id WHERE ${where}
        ORDER BY ${urgency}, d.equipment_code COLLATE natural_order, i.device_id ${paged(page)}`,
    );
  const items = sql`SELECT i.* FROM command_item i ${sight.all ? sql`` : sql`JOIN device d ON d.id = i.device_id`}
    WHERE ${where}`;
  const plain = !isFiltered({ ...filter, states: undefined });
  const stretches = plain ? stretchesOf(states, filter.states, page) : [];
  if (plain && stretches.length === 0) return [];
  // How many there are of each is known: only the stretches of the page are read, in the order of the key, and nothing
  // is put in order.
  const some = plain
    ? sql.join(
        stretches.map(
          (stretch) =>
            sql`(${items} AND i.state = ANY(${[...stretch.states]}::text[]) ORDER BY i.device_id ${paged(stretch)})`,
        ),
        sql` UNION ALL `,
      )
    : sql`${items} ORDER BY ${urgency}, i.device_id ${paged(page)}`;
  return read(db, sql`(${some}) i JOIN device d ON d.id = i.device_id ORDER BY ${urgency}, i.device_id`);
}

async function read(db: Db, from: RawBuilder<unknown>): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`SELECT ${itemColumns} FROM ${from}`.execute(db);
  return rows;
}

export async function countItems(db: Db, id: number, sight: Sight, filter: ItemFilter): Promise<number> {
  const devices = sight.all && !filter.q ? sql`` : sql`JOIN device d ON d.id = i.device_id`;
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM command_item i ${devices} WHERE ${itemConditions(id, sight, filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * The devices of a command that ended in one of these states and were not shown to be right afterwards, as far as the
 * caller sees them.
 */
export async function findMissed(db: Db, id: number, states: readonly string[], { visible }: Sight): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM command_item i JOIN device d ON d.id = i.device_id
    WHERE i.command_id = ${id} AND i.state = ANY(${[...states]}::text[])
      AND coalesce(i.verification->>'outcome', '') <> 'confirmed' AND ${visible} ORDER BY d.id`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * The devices whose item timed out, is not settled, still means something now, and which were told nothing newer since.
 */
export async function findUnknown(db: Db, id: number, now: Date, { visible }: Sight): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM command_item i JOIN device d ON d.id = i.device_id
    WHERE i.command_id = ${id} AND i.state = 'timedOut' AND i.verification IS NULL
      AND (i.until IS NULL OR i.until > ${now}) AND d.enabled AND ${visible}
      AND NOT EXISTS (SELECT 1 FROM command_item n JOIN command c ON c.id = n.command_id
        WHERE n.device_id = i.device_id AND n.command_id > i.command_id AND c.lane <> ${questionLane}
        AND n.sent_at IS NOT NULL)
    ORDER BY d.id`.execute(db);
  return rows.map((row) => row.id);
}

/** What a second person looks at: the command and the devices that wait for it. Changes with each of them. */
export async function digestOf(db: Db, id: number): Promise<string> {
  const { rows } = await sql<{ digest: string }>`SELECT md5(concat_ws('|', c.command, c.args, c.lane, c.until, c.reason,
      (SELECT md5(string_agg(i.device_id || ' ' || coalesce(i.until::text, ''), ',' ORDER BY i.device_id))
        FROM command_item i WHERE i.command_id = c.id AND i.state = 'waiting'))) AS digest FROM command c
        WHERE c.id = ${id}`.execute(db);
  return rows[0]?.digest ?? '';
}
