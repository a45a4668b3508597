import { sql, type RawBuilder } from 'kysely';
import type { Bus } from '../../platform/bus/index.ts';
import { bigints, prepared, type Transaction } from '../../platform/db/index.ts';
import { announceChanges, measureSteps, type Changed, type StepMeter } from './changes.ts';
import { proofOf, proves, type Args, type Reported } from './commands.rules.ts';

/** A device's answer to a command; `executedAt` epoch ms by the server clock. */
export interface Acknowledgement {
  readonly deviceId: number;
  readonly commandId: number;
  readonly accepted: boolean;
  readonly executedAt: number | null;
  readonly error: string | null;
}

export interface CommandProofs {
  /**
   * Writes what acknowledgements and the readings of these devices, already stored in `tx`, say about open commands.
   */
  apply(tx: Transaction, acks: readonly Acknowledgement[], deviceIds: readonly number[], now: Date): Promise<Changed[]>;
  /** After the commit. */
  announce(changes: readonly Changed[]): void;
}

export function createProofs({ bus, meter }: { readonly bus: Bus; readonly meter?: StepMeter }): CommandProofs {
  return {
    async apply(tx, acks, deviceIds, now) {
      if (acks.length + deviceIds.length === 0) return [];
      const open = await lock(tx, acks, deviceIds);
      // The usual case: no command is open for these devices.
      if (open === 0 && acks.length === 0) return [];
      const changes = [
        ...(await writeAcks(
          tx,
          acks.filter((ack) => ack.accepted),
          now,
        )),
        ...(await writeRefusals(
          tx,
          acks.filter((ack) => !ack.accepted),
          now,
        )),
      ];
      const devices = new Set([...deviceIds, ...acks.map((ack) => ack.deviceId)]);
      changes.push(...(await confirm(tx, [...devices], now)));
      return changes;
    },
    announce(changes) {
      measureSteps(meter, changes);
      announceChanges(bus, changes);
    },
  };
}

const returned = sql`RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`;
/** How long the step took that an item has just made; null: it did not make it. */
const took = (step: 'acknowledged' | 'confirmed', time: RawBuilder<unknown>) =>
  sql`i.lane, ${sql.lit(step)} AS step,
    CASE WHEN i.state = ${sql.lit(step)} THEN (extract(epoch FROM ${time}) * 1000)::float8 END AS "tookMs"`;

/** Everything this batch may write, in one order; how much that is. */
async function lock(tx: Transaction, acks: readonly Acknowledgement[], deviceIds: readonly number[]): Promise<number> {
  const { rows } = await sql`${prepared('lock proved items')} SELECT 1 FROM command_item i JOIN (
      SELECT command_id, device_id FROM command_item WHERE ended_at IS NULL AND state = 'acknowledged'
        AND device_id = ANY(${bigints(deviceIds)}::bigint[])
      UNION SELECT c.verifies, a.device_id FROM command_item a
        JOIN command c ON c.id = a.command_id AND c.verifies IS NOT NULL
        WHERE a.ended_at IS NULL AND a.state IN ('queued', 'sent', 'acknowledged')
          AND a.device_id = ANY(${bigints([...new Set([...deviceIds, ...acks.map((a) => a.deviceId)])])}::bigint[])
      UNION SELECT *
        FROM unnest((SELECT ${bigints(acks.map((a) => a.commandId))}::bigint[]),
        (SELECT ${bigints(acks.map((a) => a.deviceId))}::bigint[]))
    ) x USING (command_id, device_id) ORDER BY command_id, device_id FOR UPDATE OF i`.execute(tx);
  return rows.length;
}

/**
 * An answer that comes too late keeps the verdict, but what the lamp did is known: it tells whether a manual state is
 * in force. Whatever a device's clock says, nothing is executed before it was asked for (an old reading would prove it)
 * or after its answer (none ever would). One that was answered while it waited (a halted command that had arrived all
 * the same) counts by its answer to the sending after that.
 */
async function writeAcks(tx: Transaction, acks: readonly Acknowledgement[], now: Date): Promise<Changed[]> {
  if (acks.length === 0) return [];
  const { rows } = await sql<Changed>`UPDATE command_item i SET
      state = CASE WHEN i.state IN ('queued', 'sent') THEN 'acknowledged' ELSE i.state END,
      sent_at = coalesce(i.sent_at, ${now}), acknowledged_at = ${now},
      executed_at = coalesce(i.executed_at, greatest(least(x.executed_at, ${now}), i.queued_at))
    FROM unnest((SELECT ${acks.map((a) => a.commandId)}::bigint[]), (SELECT ${acks.map((a) => a.deviceId)}::bigint[]),
      (SELECT ${acks.map((a) => new Date(a.executedAt ?? now).toISOString())}::timestamptz[]))
      AS x(command_id, device_id, executed_at)
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
      AND (i.acknowledged_at IS NULL OR i.state IN ('queued', 'sent'))
      AND i.state <> 'failed' ${returned}, ${took('acknowledged', sql`i.acknowledged_at - i.sent_at`)}`.execute(tx);
  return rows;
}

async function writeRefusals(tx: Transaction, acks: readonly Acknowledgement[], now: Date): Promise<Changed[]> {
  if (acks.length === 0) return [];
  const { rows } =
    await sql<Changed>`UPDATE command_item i SET state = CASE WHEN x.error IN ('expired', 'superseded') THEN x.error
      ELSE 'failed' END,
      error = CASE WHEN x.error = 'superseded' THEN NULL ELSE coalesce(x.error, 'refused') END, ended_at = ${now}
    FROM unnest((SELECT ${acks.map((a) => a.commandId)}::bigint[]), (SELECT ${acks.map((a) => a.deviceId)}::bigint[]),
      (SELECT ${acks.map((a) => a.error)}::text[])) AS x(command_id, device_id, error)
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
      AND i.state IN ('queued', 'sent') ${returned}`.execute(tx);
  return rows;
}

interface Candidate {
  commandId: number;
  deviceId: number;
  family: string;
  command: string;
  args: Args;
  verifies: number | null;
  at: Date;
  values: Reported;
}

/**
 * Readings at or after the execution that were measured (quality 0, or 3: without the values that were refused), oldest
 * first: the first that shows the asked state confirms, else the last one is kept as what was seen.
 */
async function confirm(tx: Transaction, deviceIds: number[], now: Date): Promise<Changed[]> {
  const { rows } = await sql<Candidate>`${prepared('readings that prove')} SELECT i.command_id AS "commandId",
      i.device_id AS "deviceId", d.family, c.command, c.args, c.verifies, r.at, r.values
    FROM command_item i JOIN command c ON c.id = i.command_id JOIN device d ON d.id = i.device_id
    JOIN LATERAL (SELECT at, values FROM reading r WHERE r.device_id = i.device_id AND r.at >= i.executed_at
      AND r.quality IN (0, 3) ORDER BY at LIMIT 50) r ON true
    WHERE i.ended_at IS NULL AND i.state = 'acknowledged' AND i.device_id = ANY(${bigints(deviceIds)}::bigint[])
      ORDER BY i.command_id, i.device_id, r.at`.execute(tx);
  if (rows.length === 0) return [];
  const verdicts = [...Map.groupBy(rows, (row) => `${row.commandId} ${row.deviceId}`).values()].flatMap((seen) => {
    const proof = seen.find((row) => proves(row.family, row.command, row.args, row.values));
    const shown = proof ?? seen.at(-1);
    return shown ? [{ ...shown, confirmed: proof !== undefined }] : [];
  });
  const written = await sql<Changed>`UPDATE command_item i SET proof = x.proof::jsonb,
      state = CASE WHEN x.confirmed THEN 'confirmed' ELSE i.state END,
      ended_at = CASE WHEN x.confirmed THEN ${now}::timestamptz ELSE i.ended_at END
    FROM unnest((SELECT ${verdicts.map((v) => v.commandId)}::bigint[]),
      (SELECT ${verdicts.map((v) => v.deviceId)}::bigint[]), (SELECT ${verdicts.map((v) => v.confirmed)}::boolean[]),
      (SELECT ${verdicts.map((v) => JSON.stringify(proofOf(v.at, v.values)))}::text[]))
        AS x(command_id, device_id, confirmed, proof)
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
      AND i.state = 'acknowledged' ${returned}, ${took('confirmed', sql`i.ended_at - i.acknowledged_at`)}`.execute(tx);
  return [
    ...written.rows,
    ...(await settle(
      tx,
      verdicts.filter((verdict) => verdict.confirmed),
    )),
  ];
}

/**
 * A reading that was asked for to settle an older command shows whether that one was done; its state stays what it was.
 */
async function settle(tx: Transaction, answers: readonly Candidate[]): Promise<Changed[]> {
  const readings = answers.filter((answer) => answer.verifies !== null);
  if (readings.length === 0) return [];
  const { rows: commands } = await sql<{
    id: number;
    command: string;
    args: Args;
  }>`SELECT id, command, args FROM command
    WHERE id = ANY(${[...new Set(readings.flatMap(({ verifies }) => verifies ?? []))]}::bigint[])`.execute(tx);
  const byId = new Map(commands.map((command) => [command.id, command]));
  const shown = readings.flatMap(({ commandId, deviceId, family, verifies, at, values }) => {
    const old = byId.get(verifies ?? 0);
    const outcome = old && proves(family, old.command, old.args, values) ? 'confirmed' : 'contradicted';
    return old
      ? [{ commandId: old.id, deviceId, verification: JSON.stringify({ commandId, outcome, ...proofOf(at, values) }) }]
      : [];
  });
  const { rows } = await sql<Changed>`UPDATE command_item i SET verification = x.verification::jsonb
    FROM unnest(${shown.map((s) => s.commandId)}::bigint[], ${shown.map((s) => s.deviceId)}::bigint[],
      ${shown.map((s) => s.verification)}::text[]) AS x(command_id, device_id, verification)
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id AND i.state = 'timedOut'
      AND i.verification IS NULL ${returned}`.execute(tx);
  return rows;
}
