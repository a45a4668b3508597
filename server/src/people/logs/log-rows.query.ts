import { sql } from 'kysely';
import { maskTelephones } from '../../platform/telephones.ts';

export type LogName = 'operation_log' | 'login_log';

export interface OperationRow {
  readonly id: number;
  readonly username: string;
  readonly uri: string;
  readonly ip: string;
  readonly at: Date;
  readonly params: string | null;
  readonly message: string;
  readonly status: number;
  readonly times: number;
  readonly sealed: boolean;
}
export interface LoginRow {
  readonly id: number;
  readonly username: string;
  readonly ip: string;
  readonly at: Date;
  readonly message: string;
  readonly status: string;
  readonly times: number;
  readonly sealed: boolean;
}
export interface LogRows {
  readonly operation_log: OperationRow;
  readonly login_log: LoginRow;
}

/** What is read of a row; its table is `l`. */
export const columns = {
  operation_log: sql`l.id, l.username, l.uri, l.ip, l.at, l.params, l.message, l.status, l.times, l.seal IS NOT NULL AS sealed`,
  login_log: sql`l.id, l.username, l.ip, l.at, l.message, l.status, l.times, l.seal IS NOT NULL AS sealed`,
};

/** What is shown of what was kept: rows of earlier versions hold telephone numbers, and no row can be changed. */
export const shownParams = (params: string | null): string | null => (params === null ? null : maskTelephones(params));
