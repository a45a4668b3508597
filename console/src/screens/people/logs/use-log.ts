import type { ApiError } from '../../../api/index.ts';
import { useCall } from '../../../api/index.ts';
import { listLoginLog, listOperationLog } from '../../../../../contract/specified/logs.ts';
import { loginPage, operationPage, type LogKind, type LogPage, type LogQuery } from './log.ts';

export interface LogList {
  readonly page: LogPage | undefined;
  readonly error: ApiError | null;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  /** Still the rows of another question. */
  readonly isEarlier: boolean;
  readonly refetch: () => unknown;
}

/** A page of one log; the name in any part of the account's. */
export function useLog(
  kind: LogKind,
  username: string | undefined,
  query: LogQuery,
  { enabled = true, keepPrevious = true } = {},
): LogList {
  const name = username === undefined ? {} : { username };
  const options = { keepPrevious };
  const operations = useCall(
    listOperationLog,
    { query: { ...query, ...('username' in name ? { 'username.contains': name.username } : {}) } },
    { ...options, enabled: enabled && kind === 'operation' },
  );
  const logins = useCall(
    listLoginLog,
    { query: { ...query, ...('username' in name ? { 'userName.contains': name.username } : {}) } },
    { ...options, enabled: enabled && kind === 'login' },
  );
  const asked = kind === 'operation' ? operations : logins;
  return {
    page:
      kind === 'operation' ? operations.data && operationPage(operations.data) : logins.data && loginPage(logins.data),
    error: asked.error,
    isPending: asked.isPending,
    isFetching: asked.isFetching,
    isEarlier: asked.isPlaceholderData,
    refetch: asked.refetch,
  };
}
