import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

export const logs = ['login_log', 'operation_log'] as const;
export type LogName = (typeof logs)[number];

/** Every column of a log but the seal, in the order in which they are sealed. */
export const sealedColumns: Readonly<Record<LogName, readonly string[]>> = {
  login_log: ['id', 'username', 'ip', 'at', 'message', 'status', 'times', 'sealed_after'],
  operation_log: [
    'id',
    'account_id',
    'username',
    'uri',
    'ip',
    'at',
    'params',
    'message',
    'status',
    'times',
    'sealed_after',
  ],
};

/**
 * A row as it is sealed: every column as text, times as microseconds since 1970 so that no setting of a connection
 * changes them.
 */
export interface ChainRow {
  readonly id: number;
  /** The row sealed before it; null while it is not sealed. */
  readonly sealedAfter: number | null;
  readonly seal: Buffer | null;
  readonly texts: readonly (string | null)[];
}

/**
 * SHA-256 over the seal before and the row: each column by its name, its length in bytes and its text; `sealedAfter` as
 * it will be stored.
 */
export function sealOf(log: LogName, before: Buffer, row: ChainRow, sealedAfter: number): Buffer {
  const parts = sealedColumns[log].map((column, index) => {
    const text = column === 'sealed_after' ? String(sealedAfter) : (row.texts[index] ?? null);
    return text === null ? `${column}-\n` : `${column}=${Buffer.byteLength(text)}:${text}\n`;
  });
  return createHash('sha256').update(before).update(parts.join('')).digest();
}

const asText = (column: string): string =>
  column === 'at'
    ? `CASE WHEN isfinite(at) THEN (extract(epoch FROM at) * 1000000)::bigint::text ELSE at::text END`
    : `${column}::text`;

/** Rows of a log in id order, above `after`, at most `most`; `upTo` and `unsealed` narrow it. */
export async function readRows(
  db: Db | Transaction,
  log: LogName,
  {
    after,
    most,
    upTo,
    unsealed = false,
  }: {
    readonly after: number;
    readonly most: number;
    readonly upTo?: number;
    readonly unsealed?: boolean;
  },
): Promise<ChainRow[]> {
  const texts = sql.raw(sealedColumns[log].map(asText).join(', '));
  const { rows } = await sql<ChainRow>`
    SELECT id, sealed_after AS "sealedAfter", seal, ARRAY[${texts}] AS texts FROM ${sql.table(log)}
    WHERE id > ${after} ${upTo === undefined ? sql`` : sql`AND id <= ${upTo}`}
      ${unsealed ? sql`AND seal IS NULL` : sql``}
    ORDER BY id LIMIT ${most}`.execute(db);
  return rows;
}

/** The highest id that was ever given out to a row of this log. */
export async function lastIdGiven(db: Db | Transaction, log: LogName): Promise<number> {
  const { rows } = await sql<{
    last: number;
  }>`SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last
    FROM ${sql.table(`${log}_id_seq`)}`.execute(db);
  return rows[0]?.last ?? 0;
}

/** How a head is written down: `operation_log:1234:<64 hexadecimal digits>`. */
export const headText = (log: LogName, id: number, seal: Buffer): string => `${log}:${id}:${seal.toString('hex')}`;

export interface NotedHead {
  readonly log: LogName;
  readonly id: number;
  readonly seal: string;
}

/** Reads a noted head; undefined: the text is none. */
export function parseHead(text: string): NotedHead | undefined {
  const [, log, id, seal] = /^(login_log|operation_log):(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  return log === undefined || id === undefined || seal === undefined
    ? undefined
    : { log: log.toLowerCase() as LogName, id: Number(id), seal: seal.toLowerCase() };
}
