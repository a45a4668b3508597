import type { Db } from '../../platform/db/index.ts';
import type { EndedWindow, OperationRecorder, RateWindows } from '../../platform/http/index.ts';
import { plainAddress } from '../../platform/http/index.ts';
import { writtenLine, writtenName, writtenNames, writtenParams } from './written.ts';

export interface OperationLog extends OperationRecorder {
  /** Writes the rows of refused calls of nobody whose minute is over. */
  writeEnded(windows: readonly EndedWindow[]): Promise<void>;
}

const anonymous = 'anonymous ';

/** The operation log: who changed what, from where, with what outcome (decisions 6). Rows are only ever added. */
export function createOperationLog({ db, rates }: { db: Db; rates: RateWindows }): OperationLog {
  return {
    async write(entry, tx) {
      await (tx ?? db).insertInto('operation_log').values({
        account_id: entry.accountId, username: entry.previewBy === undefined ? writtenName(entry.username) : writtenNames(entry.username, entry.previewBy),
        uri: writtenLine(entry.uri, 500), ip: plainAddress(entry.ip),
        at: entry.at, params: writtenParams(entry.params), message: entry.message, status: entry.status,
      }).execute();
    },
    async countAnonymous(uri, ip, action) {
      await rates.add(`${anonymous}${uri}${action === undefined ? '' : ` ${action}`}`, ip);
    },
    async writeEnded(windows) {
      const rows = windows.filter(({ kind }) => kind.startsWith(anonymous)).map(({ kind, address, at, tries }) => {
        const [method = '', path = '', ...action] = kind.slice(anonymous.length).split(' ');
        return { username: '-', uri: `${method} ${path}`, ip: address, at, message: [...action, 'notSignedIn'].join(' '), status: 401, times: tries };
      });
      if (rows.length > 0) await db.insertInto('operation_log').values(rows).execute();
    },
  };
}
