import { sql } from 'kysely';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { changing, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { announceChanges, announceCommand, type Changed } from './changes.ts';
import { stepSizes, waveOf, type StepSizes } from './giving.rules.ts';
import { isQuestion, longestMs } from './commands.rules.ts';
import { nextStep, type Canary, type Staged, type Tally, type Verdict } from './flow.rules.ts';
import { lockQueue, releaseItems } from './giving.store.ts';
import type { CommandLimits } from './settings.ts';

export interface FlowParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly limits: () => Promise<CommandLimits>;
  readonly steps?: StepSizes;
}

interface Row extends Staged {
  readonly id: number;
  readonly lane: number;
  readonly command: string;
  readonly expiresAt: Date | null;
}

/**
 * Lets commands go that go in steps: canaries, those that stop on failures, very large ones, approved ones. Any process
 * may do it at any time.
 */
export function createFlow({ db, clock, bus, log, limits, steps = stepSizes }: FlowParts) {
  const verdictOf = (row: Row, now: Date): Verdict =>
    nextStep(row, now.getTime(), { atOnce: steps.next, wave: row.stopAt ? waveOf(row.stopAt) : steps.next });

  /** One step of one command; what is decided is decided anew under the locks. */
  async function advance(id: number): Promise<boolean> {
    const seen = await load(db, id);
    if (!seen || verdictOf(seen, clock.now()).do === 'wait') return false;
    const { queueSeconds } = await limits();
    const now = clock.now();
    const done = await changing(db, async (tx) => {
      // Counted before the queue is locked, which everybody waits for: who else changes what waits of this command
      // needs its row.
      const row = await load(tx, id, true);
      if (!row) return undefined;
      const verdict = verdictOf(row, now);
      if (verdict.do === 'release') await lockQueue(tx);
      return { verdict, changes: await act(tx, row, verdict, now, queueSeconds) };
    });
    if (!done) return false;
    announceChanges(bus, done.changes);
    if (done.verdict.do === 'halt')
      log.warn(
        {
          commandId: id,
          command: seen.command,
          why: done.verdict.why,
          finished: done.verdict.finished,
          failed: done.verdict.failed,
        },
        'a command was halted',
      );
    if (done.verdict.do === 'halt' || done.verdict.do === 'pass') announceCommand(bus, id);
    return done.verdict.do === 'release' || done.verdict.do === 'pass';
  }

  /** What nobody decided about in time. */
  async function lapse(): Promise<void> {
    const now = clock.now();
    const { rows } = await sql<{ id: number; devices: number[] }>`WITH gone AS (
        UPDATE command SET phase = 'lapsed' WHERE phase = 'awaitingApproval'
          AND (approval->>'expiresAt')::timestamptz <= ${now} RETURNING id
      ), ended AS (
        UPDATE command_item i SET state = 'expired', error = 'approvalExpired', ended_at = ${now} FROM gone
          WHERE i.command_id = gone.id AND i.state = 'waiting' RETURNING i.command_id, i.device_id)
      SELECT id, ARRAY(SELECT device_id FROM ended WHERE command_id = id) AS devices FROM gone`.execute(db);
    rows.forEach(({ id, devices }) => {
      announceChanges(
        bus,
        devices.map((deviceId) => ({ commandId: id, deviceId })),
      );
      announceCommand(bus, id);
    });
  }

  /**
   * What was halted and nobody decided about, until nothing of it might be sent any more: it is over, and keeps why it
   * was halted.
   */
  async function close(): Promise<void> {
    const now = clock.now();
    const { rows } = await sql<{ id: number }>`UPDATE command SET phase = 'running' WHERE phase = 'halted'
      AND least(expires_at, until, (halted->>'at')::timestamptz + make_interval(secs => ${longestMs / 1000}))
        < ${new Date(now.getTime() - 60_000)} RETURNING id`.execute(db);
    rows.forEach(({ id }) => announceCommand(bus, id));
  }

  async function stepAll(ids: readonly number[]): Promise<boolean> {
    let moved = false;
    for (const id of ids) moved = (await advance(id)) || moved;
    return moved;
  }

  return {
    /**
     * Every command that can goes one step further; true: there may be another one. `meanwhile` is done beside steps,
     * so that it does not wait for them.
     */
    async step(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
      const { rows } = await sql<{
        id: number;
        phase: string;
      }>`SELECT id, phase FROM command WHERE phase IN ('awaitingApproval', 'halted', 'staged')
        ORDER BY lane, id`.execute(db);
      if (rows.some(({ phase }) => phase === 'awaitingApproval')) await lapse();
      if (rows.some(({ phase }) => phase === 'halted')) await close();
      const staged = rows.flatMap(({ id, phase }) => (phase === 'staged' ? id : []));
      if (staged.length === 0) return false;
      const [moved] = await Promise.all([stepAll(staged), meanwhile()]);
      return moved;
    },
  };
}

async function load(db: Db | Transaction, id: number, locked = false): Promise<Row | undefined> {
  const { rows } = await sql<
    Omit<Row, 'tallies'> & { countedFrom: Date | null }
  >`SELECT id, lane, command, expires_at AS "expiresAt", canary, stop_at AS "stopAt", counted_from AS "countedFrom"
    FROM command WHERE id = ${id} AND phase = 'staged'${locked ? sql` FOR NO KEY UPDATE` : sql``}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { rows: tallies } = await sql<Tally>`SELECT state, canary, count(*)::int AS n,
      (count(*) FILTER (WHERE ended_at > ${row.countedFrom}))::int AS recent
    FROM command_item WHERE command_id = ${id} GROUP BY state, canary`.execute(db);
  return { ...row, tallies };
}

async function act(tx: Transaction, row: Row, verdict: Verdict, now: Date, queueSeconds: number): Promise<Changed[]> {
  const judged = (state: Canary['state'], confirmed: number) =>
    JSON.stringify({ ...row.canary, state, judgedAt: now.toISOString(), confirmed });
  switch (verdict.do) {
    case 'wait':
      return [];
    case 'settle':
      await tx.updateTable('command').set({ phase: 'running' }).where('id', '=', row.id).execute();
      return [];
    case 'pass':
      // Failures are counted from here: the canary had its own measure.
      await tx
        .updateTable('command')
        .set({ canary: judged('passed', verdict.confirmed), counted_from: now })
        .where('id', '=', row.id)
        .execute();
      return [];
    case 'release': {
      const ends = new Date(
        Math.min(now.getTime() + queueSeconds * 1000, row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
      );
      return (
        await releaseItems(tx, {
          id: row.id,
          lane: row.lane,
          isRead: isQuestion(row.command),
          now,
          limit: verdict.limit,
          canary: verdict.canary,
          ends,
        })
      ).changes;
    }
    case 'halt': {
      const { why, finished, failed, confirmed } = verdict;
      await tx
        .updateTable('command')
        .set({
          phase: 'halted',
          halted: JSON.stringify({ why, at: now.toISOString(), finished, failed }),
          ...(why === 'canary' ? { canary: judged('failed', confirmed) } : {}),
        })
        .where('id', '=', row.id)
        .execute();
      return holdBack(tx, row, now);
    }
  }
}

/** What is queued and nobody is just sending waits again. */
async function holdBack(tx: Transaction, { id, expiresAt }: Row, now: Date): Promise<Changed[]> {
  const ends = new Date(Math.min(now.getTime() + longestMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
  const { rows } =
    await sql<Changed>`UPDATE command_item i SET state = 'waiting', expires_at = least(${ends}::timestamptz, i.until)
    FROM (SELECT command_id, device_id FROM command_item WHERE command_id = ${id} AND state = 'queued'
      AND claimed_at IS NULL ORDER BY device_id FOR UPDATE SKIP LOCKED) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
      RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`.execute(tx);
  return rows;
}
