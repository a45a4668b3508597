import type { ReplyOf } from '../../../../../contract/route.ts';
import type { listLoginLog, listOperationLog } from '../../../../../contract/specified/logs.ts';
import { instantOf } from '../../../parts/index.ts';
import { endOfSecond, momentsOf } from '../../../parts/search-fields/index.ts';

/** The two logs (specified 8.3), read as one kind of row. */
export type LogKind = 'operation' | 'login';
type OperationReply = ReplyOf<typeof listOperationLog>;
type LoginReply = ReplyOf<typeof listLoginLog>;

export interface LogRow {
  readonly id: number;
  readonly username: string;
  readonly ip: string;
  /** ISO 8601. */
  readonly time: string;
  /** In the operator's language. */
  readonly message: string;
  readonly succeeded: boolean;
  readonly times: number;
  readonly sealed: boolean;
  /** Of operations alone: the call, its HTTP status and what it carried. */
  readonly uri?: string;
  readonly status?: number;
  readonly params?: string | null;
}
export interface LogPage {
  readonly rows: readonly LogRow[];
  readonly total: number;
  readonly exact: boolean;
}

const pageOf = <T>(
  reply: { data: T[]; recordsTotal: number; recordsTotalExact?: boolean },
  toRow: (row: T) => LogRow,
): LogPage => ({ rows: reply.data.map(toRow), total: reply.recordsTotal, exact: reply.recordsTotalExact !== false });
export const operationPage = (reply: OperationReply): LogPage =>
  pageOf(reply, (row) => ({ ...row, succeeded: row.status < 400 }));
export const loginPage = (reply: LoginReply): LogPage =>
  pageOf(reply, ({ userName, status, ...row }) => ({ ...row, username: userName, succeeded: status === 'success' }));

export const filterKeys = ['username', 'days', 'status'] as const;
export const results = ['success', 'failure'] as const;
/** One export holds at most so many rows (specified 8.4). */
export const MOST_ROWS = 1_000_000;

/** What a list asks for besides the name; pages from 0, newest first unless told (specified 8.3). */
export interface LogQuery {
  page: number;
  size: number;
  sort: string;
  'time.greaterOrEqualThan'?: string;
  'time.lessOrEqualThan'?: string;
  status?: 'success' | 'failure';
}
interface Asked {
  readonly filters: Readonly<Record<string, string>>;
  readonly page: number;
  readonly size: number;
  readonly sort: string | undefined;
}

const sorts = ['time,desc', 'time,asc'] as const;
export const sortOf = (text: string | undefined): (typeof sorts)[number] =>
  sorts.find((sort) => sort === text) ?? 'time,desc';

/**
 * What the address asks for, as the calls take it, times read on the clock of a zone; what cannot be read counts as
 * unused.
 */
export function queryOf({ filters, page, size, sort }: Asked, zone: string): LogQuery {
  const { from, to } = momentsOf(filters['days']);
  const status = results.find((result) => result === filters['status']);
  return {
    page: page - 1,
    size,
    sort: sortOf(sort),
    ...(from === undefined ? {} : { 'time.greaterOrEqualThan': instantOf(from, zone) }),
    ...(to === undefined ? {} : { 'time.lessOrEqualThan': endOfSecond(instantOf(to, zone)) }),
    ...(status === undefined ? {} : { status }),
  };
}

/**
 * Stored parameters as they are read best; `cut` when they are no whole JSON any more (stored values are cut at 4 KB).
 */
export function prettyParams(params: string): { text: string; cut: boolean } {
  try {
    return { text: JSON.stringify(JSON.parse(params), null, 2), cut: false };
  } catch {
    return { text: params, cut: true };
  }
}
