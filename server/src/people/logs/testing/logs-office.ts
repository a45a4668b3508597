import { readSheet } from 'read-excel-file/node';
import { testApp } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { testSheets } from '../../../testing/sheets.ts';
import { createLogs, logsRoutes } from '../index.ts';

interface Row {
  id: number;
  username: string;
  userName: string;
  time: string;
  message: string;
  status: number | string;
  sealed: boolean;
  params: string | null;
  uri: string;
  ip: string;
  times: number;
}
export interface List {
  data: Row[];
  recordsTotal: number;
  recordsFiltered: number;
  recordsTotalExact?: boolean;
}
interface Given {
  username: string;
  at: string;
  status?: number;
  message?: string;
  params?: string | null;
}

/** Both logs by their calls, and rows for them. Call it at the top of a test file. */
export async function logsOffice() {
  /** A cell's time is a fraction of days: to the second as it is shown. */
  const cells = async (bytes: Buffer) =>
    (await readSheet(bytes)).map((row) =>
      row.map((cell) => (cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell)),
    );
  const clock = testClock(new Date('2026-11-21T04:00:00Z'));
  const app = await testApp({
    clock,
    routes: (parts) => logsRoutes(createLogs({ ...parts, sheets: testSheets(parts), mostRows: 2000 })),
  });
  const { token } = await app.signIn({
    username: 'reader',
    level: 3,
    permissions: ['cscp.logging.operation', 'cscp.logging.login'],
  });
  const operationPath = '/api/system/cscpLogOperations';
  const loginPath = '/api/system/cscpLogLogins';

  const read = async (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
    await app.call<List>(`${path}?${new URLSearchParams(query)}`, { token, headers });
  const operations = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
    (await read(operationPath, query, headers)).body;
  const logins = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
    (await read(loginPath, query, headers)).body;

  const operation = async ({
    username,
    at,
    status = 200,
    message = 'account.create',
    params = null,
  }: Given): Promise<void> => {
    await app.db
      .insertInto('operation_log')
      .values({ username, uri: 'POST /api/x', ip: '10.0.0.1', at: new Date(at), params, message, status })
      .execute();
  };
  const login = async ({ username, at, message = 'signedIn' }: Given): Promise<void> => {
    await app.db
      .insertInto('login_log')
      .values({
        username,
        ip: '10.0.0.2',
        at: new Date(at),
        message,
        status: message === 'signedIn' ? 'success' : 'failure',
      })
      .execute();
  };

  return { cells, clock, app, token, operationPath, loginPath, read, operations, logins, operation, login };
}
