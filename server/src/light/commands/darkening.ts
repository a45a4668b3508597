import { sql } from 'kysely';
import { takeLockOf, type Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { rightsIn } from '../../people/sessions/index.ts';
import { questionLane, type Policy } from './commands.rules.ts';
import type { Target } from './targets.store.ts';

/** Whoever could approve has signed in within so many days. */
const seenWithinMs = 30 * 86_400_000;

export interface Darkening {
  readonly actorId: number;
  /** Those that are darker. */
  readonly lamps: readonly Target[];
  /** Those that the second person decides about, and sees all; absent: the same. */
  readonly decided?: readonly Target[];
  /** When the manual state of the lamp would end; null: the command has no end. */
  readonly endOf: (lamp: Target) => Date | null;
  readonly policy: Policy;
  /** What the caller typed instead of a second person. */
  readonly confirmCount: number | undefined;
  /** Lamps that need a second person however few they are. */
  readonly anyway?: number;
  readonly now: Date;
}

/**
 * One command of an account at a time is weighed, so that two at the same moment see each other. Before the queue's
 * lock.
 */
export async function lockDarkening(tx: Transaction, actorId: number): Promise<void> {
  await takeLockOf(tx, 'darkening', actorId);
}

/**
 * Whether what darkens lamps waits for a second person: when the account, over all its commands, publications, exceptions
 * and ends of exceptions of the last minutes, would have darkened more lamps than the site allows. What waits itself, or was refused, darkened nothing. A
 * command that only repeats what was darkened adds nothing; a lamp that was lit since then, or that would be dark for
 * longer, is no repetition. Refuses with `countNeeded` where nobody could approve and the count was not typed.
 */
export async function waitsForSecond(tx: Transaction, darkening: Darkening): Promise<boolean> {
  const { policy, confirmCount, anyway = 0, now } = darkening;
  const { approvalAbove: most, withinMinutes: minutes } = policy;
  const weighed =
    most === null ? 0 : await darkenedWith(tx, darkening, new Date(now.getTime() - minutes * 60_000), most);
  const isMuch = most !== null && weighed > most;
  if (!isMuch && anyway === 0) return false;
  const count = isMuch ? Math.max(weighed, anyway) : anyway;
  if (await couldApprove(tx, darkening)) return true;
  if (confirmCount !== count)
    throw refuse(
      'countNeeded',
      { count, minutes },
      {
        fields: [{ field: 'confirmCount', rule: confirmCount === undefined ? 'required' : 'invalid' }],
        body: { count, minutes },
      },
    );
  return false;
}

/**
 * How many lamps the account has darkened since then in any way, with these; 0 when it is not more than `most`, or these only
 * repeat what was done.
 */
export async function darkenedWith(
  tx: Transaction,
  { actorId, lamps, endOf, policy }: Pick<Darkening, 'actorId' | 'lamps' | 'endOf' | 'policy'>,
  since: Date,
  most: number,
): Promise<number> {
  const {
    rows: [recent],
  } = await sql<{
    sum: number;
    ids: string[];
    published: number;
  }>`SELECT coalesce(sum(darkens), 0)::int AS sum, coalesce(array_agg(id), '{}') AS ids,
      (SELECT coalesce(sum(darkens), 0)::int FROM publication WHERE actor_id = ${actorId} AND darkens > 0
        AND created_at > ${since} AND phase NOT IN ('awaitingApproval', 'refused', 'lapsed', 'cancelled'))
      + (SELECT coalesce(sum(darkens), 0)::int FROM plan_exception WHERE actor_id = ${actorId} AND darkens > 0
        AND created_at > ${since} AND holds_from IS NOT NULL)
      + (SELECT coalesce(sum(end_darkens), 0)::int FROM plan_exception WHERE ended_by = ${actorId} AND end_darkens > 0
        AND ended_at > ${since})
      + (SELECT coalesce(sum(lamps), 0)::int FROM darkening WHERE actor_id = ${actorId} AND at > ${since}) AS published
    FROM command WHERE actor_id = ${actorId} AND darkens > 0 AND created_at > ${since}
      AND phase NOT IN ('awaitingApproval', 'refused', 'lapsed')`.execute(tx);
  // Mostly the sum is enough: no lamp is looked up.
  if (!recent || lamps.length === 0 || recent.sum + recent.published + lamps.length <= most) return 0;
  // Lamps of a publication or an exception are dark for another reason than those of commands: they add up.
  if (recent.ids.length === 0) return recent.published + lamps.length;
  // Ends may be reckoned from the moment of the command. Half the minutes that count: so repetitions do not keep lamps
  // dark for ever.
  const alike = `${policy.withinMinutes / 2} minutes`;
  const ends = lamps.map((lamp) => endOf(lamp)?.toISOString() ?? 'infinity');
  const {
    rows: [exact],
  } = await sql<{ news: number; total: number }>`WITH
    asked AS MATERIALIZED (SELECT *
      FROM unnest(${lamps.map(({ id }) => id)}::bigint[], ${ends}::timestamptz[]) asked(id, until)),
    darkened AS MATERIALIZED (SELECT device_id, min(coalesce(until, 'infinity')) AS until, max(command_id) AS command_id
      FROM command_item
      WHERE command_id = ANY(${recent.ids}::bigint[]) AND NOT (state = 'cancelled' AND sent_at IS NULL)
        GROUP BY device_id),
    added AS (SELECT a.id, d.device_id IS NULL AS is_new FROM asked a LEFT JOIN darkened d ON d.device_id = a.id
      WHERE d.device_id IS NULL OR d.until + ${alike}::interval < a.until
        OR EXISTS (SELECT FROM command_item i JOIN command c ON c.id = i.command_id
        WHERE i.device_id = a.id AND i.command_id > d.command_id AND i.sent_at IS NOT NULL AND c.darkens = 0
          AND c.lane <> ${questionLane}))
    SELECT count(*)::int AS news, (count(*) FILTER (WHERE is_new) + (SELECT count(*) FROM darkened))::int AS total
      FROM added`.execute(tx);
  const total = (exact?.total ?? 0) + recent.published;
  return exact && exact.news > 0 && total > most ? total : 0;
}

/**
 * Whether any other account could approve: enabled, signed in within 30 days, with the code, and seeing all lamps that
 * are decided about.
 */
async function couldApprove(tx: Transaction, { actorId, lamps, decided = lamps, now }: Darkening): Promise<boolean> {
  const { rows } = await sql<{ id: number; level: number }>`SELECT a.id, a.level FROM account a
    WHERE a.id <> ${actorId} AND NOT a.disabled AND a.last_login_at > ${new Date(now.getTime() - seenWithinMs)}
      AND EXISTS (
      SELECT FROM account_role ar JOIN role_menu rm ON rm.role_id = ar.role_id JOIN menu_entry m ON m.id = rm.menu_id
        WHERE ar.account_id = a.id AND m.permission_code = 'lamp.approve')
    ORDER BY a.level, a.id`.execute(tx);
  if (rows.some(({ level }) => level === 0)) return true;
  const rights =
    rows.length === 0
      ? new Map()
      : await rightsIn(
          tx,
          rows.map(({ id }) => id),
        );
  for (const { id } of rows) {
    const areas: ReadonlySet<number> = new Set(rights.get(id)?.workAreaIds ?? []);
    const strange = decided.filter((lamp) => !areas.has(lamp.workAreaId)).map((lamp) => lamp.id);
    if (strange.length === 0 || (await seesSingly(tx, id, strange))) return true;
  }
  return false;
}

/** Whether all these devices are bound to the account. */
async function seesSingly(tx: Transaction, accountId: number, deviceIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(DISTINCT device_id)::int AS n FROM device_account
    WHERE account_id = ${accountId} AND device_id = ANY(${[...deviceIds]}::bigint[])`.execute(tx);
  return rows[0]?.n === deviceIds.length;
}
