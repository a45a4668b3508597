import { sql } from 'kysely';
import type { HealthState, HealthSubject } from '../../../../contract/shell/system-health.ts';
import { findUnknownYears } from '../../light/calendar/index.ts';
import { takeLock, type Db } from '../../platform/db/index.ts';
import type { ProcessFact, ProcessFigures, SlowFacts, SystemFacts } from './facts.ts';
import { loadTroubled } from './troubled.store.ts';

export interface ProcessIdentity {
  readonly id: string;
  /** Machine and port: a process that starts there follows the one that was there. */
  readonly name: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
}

/** Tells of this process. */
export async function tellProcess(
  db: Db,
  { id, name, pid, version, startedAt }: ProcessIdentity,
  figures: ProcessFigures,
): Promise<void> {
  await sql`INSERT INTO server_process AS p (id, name, pid, version, started_at, seen_at, figures)
    VALUES (${id}, ${name}, ${pid}, ${version}, ${startedAt}, clock_timestamp(), ${JSON.stringify(figures)}::jsonb)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, figures = excluded.figures`.execute(db);
}

/** A process that stops in order leaves nothing to worry about. */
export const forgetProcess = async (db: Db, id: string): Promise<void> =>
  void (await db.deleteFrom('server_process').where('id', '=', id).execute());

/** Of a killed process is told for an hour, or until another one runs in its place. */
export async function forgetLost(db: Db, own: ProcessIdentity): Promise<void> {
  await sql`DELETE FROM server_process WHERE id <> ${own.id} AND (seen_at < clock_timestamp() - interval '1 hour'
    OR (name = ${own.name} AND started_at < ${own.startedAt}))`.execute(db);
}

export async function loadProcesses(db: Db): Promise<ProcessFact[]> {
  const { rows } = await sql<ProcessFact>`SELECT id, name, pid, version, started_at AS "startedAt", seen_at AS "seenAt",
    greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::float8 AS "silentSeconds", figures FROM server_process
      ORDER BY started_at, id`.execute(db);
  return rows;
}

/** Each small, each by an index: asked every few seconds. */
export async function loadSystem(db: Db): Promise<SystemFacts> {
  const [processes, connections, transactions, commands, queued, tasks, unsealed, rolled] = await Promise.all([
    loadProcesses(db),
    sql<{
      used: number;
      allowed: number;
    }>`SELECT count(*)::int AS used, current_setting('max_connections')::int AS allowed FROM pg_stat_activity
      WHERE backend_type = 'client backend'`.execute(db),
    sql<{
      seconds: number;
      who: string;
    }>`SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds,
      coalesce(nullif(application_name, ''), 'pid ' || pid) AS who
      FROM pg_stat_activity WHERE xact_start IS NOT NULL AND backend_type = 'client backend'
        AND datname = current_database() ORDER BY xact_start LIMIT 1`.execute(db),
    sql<{
      lane: string;
      state: string;
      count: number;
    }>`SELECT CASE lane WHEN 0 THEN 'emergency' WHEN 1 THEN 'manual' WHEN 2 THEN 'plan' WHEN 3 THEN 'read'
      ELSE 'firmware' END AS lane,
      state, count(*)::int AS count FROM command_item WHERE ended_at IS NULL
        AND state IN ('waiting', 'queued', 'sent', 'acknowledged') GROUP BY 1, 2 ORDER BY 1, 2`.execute(db),
    sql<{
      seconds: number | null;
    }>`SELECT extract(epoch FROM clock_timestamp() - min(queued_at))::float8 AS seconds FROM command_item
      WHERE state = 'queued'`.execute(db),
    sql<{
      state: string;
      count: number;
      oldestSeconds: number;
    }>`SELECT state, count(*)::int AS count,
      extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS "oldestSeconds"
      FROM task WHERE state IN ('queued', 'running') GROUP BY state ORDER BY state`.execute(db),
    sql<{ seconds: number | null }>`SELECT max(extract(epoch FROM clock_timestamp() - at))::float8 AS seconds FROM (
      SELECT * FROM (SELECT at FROM operation_log WHERE id > (SELECT head_id FROM log_chain WHERE log = 'operation_log')
        ORDER BY id LIMIT 1) o
      UNION ALL SELECT *
        FROM (SELECT at FROM login_log WHERE id > (SELECT head_id FROM log_chain WHERE log = 'login_log') ORDER BY id
        LIMIT 1) l) first`.execute(db),
    rollup(db),
  ]);
  return {
    processes,
    connections: connections.rows[0] ?? { used: 0, allowed: 0 },
    oldestTransaction: transactions.rows[0] ?? { seconds: 0, who: '' },
    commands: commands.rows,
    oldestQueuedSeconds: queued.rows[0]?.seconds ?? null,
    tasks: tasks.rows,
    unsealedSeconds: unsealed.rows[0]?.seconds ?? null,
    rollup: rolled,
  };
}

/**
 * Late readings mark the hours of their device; up to 100,000 marks are counted. An hour is closed two minutes after
 * its end (history/readings).
 */
async function rollup(db: Db): Promise<SystemFacts['rollup']> {
  const {
    rows: [found],
  } = await sql<
    SystemFacts['rollup']
  >`SELECT (SELECT count(*)::int FROM (SELECT 1 FROM rollup_late LIMIT 100000) marks) AS due,
    CASE WHEN isfinite(rolled_to) THEN greatest(0, extract(epoch FROM clock_timestamp() - rolled_to) - 3720)::float8 END
      AS "behindSeconds" FROM rollup_state`.execute(db);
  return found ?? { due: 0, behindSeconds: null };
}

export async function loadSlow(db: Db, slowed: readonly number[], now: Date): Promise<SlowFacts> {
  const [troubled, holidaysUnknown, sizes, spoken, answers, unbounded] = await Promise.all([
    loadTroubled(db, slowed),
    findUnknownYears(db, now),
    sql<{ group: string; bytes: number }>`SELECT CASE
        WHEN relname ~ '^(reading_hour|reading_day|energy|rollup)' THEN 'rollups'
          WHEN relname ~ '^reading' THEN 'readings' WHEN relname ~ '^command' THEN 'commands'
        WHEN relname ~ '(_log$|^log_)' THEN 'logs'
          WHEN relname ~ '^(device|loop|work_area|road|equipment_group|channel)' THEN 'devices'
          ELSE 'other' END AS "group",
      sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class
        WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 2 DESC`.execute(db),
    sql<{
      spoken: boolean;
    }>`SELECT EXISTS (SELECT 1 FROM device_latest WHERE received_at IS NOT NULL) AS spoken`.execute(db),
    sql<{
      sent: number;
      unanswered: number;
    }>`SELECT count(*) FILTER (WHERE i.sent_at IS NOT NULL)::int AS sent,
      count(*) FILTER (WHERE i.state = 'timedOut' AND i.acknowledged_at IS NULL)::int AS unanswered
      FROM command c JOIN command_item i ON i.command_id = c.id
        WHERE c.created_at > clock_timestamp() - interval '1 hour'`.execute(db),
    sql<{
      unbounded: boolean;
    }>`SELECT EXISTS (SELECT FROM setting WHERE name = 'commands.settings'
      AND (value->'policy'->'approvalAbove' = 'null' OR value->'policy'->'off' = 'false')) AS unbounded`.execute(db),
  ]);
  return {
    troubled,
    holidaysUnknown,
    sizes: sizes.rows,
    hasSpoken: spoken.rows[0]?.spoken ?? false,
    darkeningUnbounded: unbounded.rows[0]?.unbounded ?? false,
    answers: answers.rows[0] ?? { sent: 0, unanswered: 0 },
  };
}

export interface Change {
  readonly subject: HealthSubject;
  readonly state: HealthState;
  readonly at: Date;
}

/** How each subject was found last, and since when. */
export async function lastChanges(db: Db): Promise<Change[]> {
  const { rows } = await sql<Change>`SELECT DISTINCT ON (subject) subject, state, at FROM health_change
      ORDER BY subject, at DESC`.execute(db);
  return rows;
}

/** Writes down what is in another state than it was; several processes that find the same at once write it once. */
export async function noteChanges(
  db: Db,
  found: readonly { readonly subject: HealthSubject; readonly state: HealthState }[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await takeLock(tx, 'healthChanges');
    await sql`INSERT INTO health_change (subject, state, at)
      SELECT f.subject, f.state, clock_timestamp()
        FROM unnest(${found.map(({ subject }) => subject)}::text[], ${found.map(({ state }) => state)}::text[])
        AS f(subject, state)
      WHERE f.state IS DISTINCT FROM (SELECT h.state FROM health_change h WHERE h.subject = f.subject ORDER BY h.at DESC
        LIMIT 1)`.execute(tx);
    await sql`DELETE FROM health_change c WHERE c.at < clock_timestamp() - interval '30 days'
      AND EXISTS (SELECT 1 FROM health_change n WHERE n.subject = c.subject AND n.at > c.at)`.execute(tx);
  });
}

export async function recentChanges(db: Db, most: number): Promise<Change[]> {
  const { rows } =
    await sql<Change>`SELECT subject, state, at FROM health_change WHERE at > clock_timestamp() - interval '30 days'
      ORDER BY at DESC, subject LIMIT ${most}`.execute(db);
  return rows;
}

export type SampleFigures = Readonly<
  Record<'readings' | 'commitMs' | 'databaseMs' | 'queued' | 'cpuPercent' | 'readers' | 'connections', number | null>
>;

/** One a minute, whichever process comes first; kept for a day. */
export async function writeSample(db: Db, figures: SampleFigures): Promise<void> {
  await sql`INSERT INTO health_sample (at, figures)
    VALUES (date_trunc('minute', clock_timestamp()), ${JSON.stringify(figures)}::jsonb) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`DELETE FROM health_sample WHERE at < clock_timestamp() - interval '1 day'`.execute(db);
}

export async function loadSamples(db: Db): Promise<{ at: Date; figures: SampleFigures }[]> {
  const { rows } = await sql<{
    at: Date;
    figures: SampleFigures;
  }>`SELECT at, figures FROM health_sample WHERE at > clock_timestamp() - interval '61 minutes' ORDER BY at`.execute(
    db,
  );
  return rows;
}
