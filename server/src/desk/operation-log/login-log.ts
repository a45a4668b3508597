import type { ErrorName } from '../../../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { plainAddress, type EndedWindow, type RateWindows } from '../../platform/http/index.ts';
import { writtenName, writtenUnknownName } from './written.ts';

/** What became of a sign-in try: an error's name, or one of the ways to succeed. Readers translate it. */
export type SignInOutcome = ErrorName | 'signedIn' | 'signedInByLink' | 'passwordChangeNeeded' | 'passwordChanged';

export interface SignInTry {
  readonly username: string;
  /** Whether an account of that name exists; otherwise the name is masked. */
  readonly known: boolean;
  readonly address: string;
  readonly outcome: SignInOutcome;
}

export interface LoginLog {
  write(entry: SignInTry, tx?: Transaction): Promise<void>;
  /** A try over the limit: one row a minute with a count. */
  countOverLimit(address: string): Promise<void>;
  writeEnded(windows: readonly EndedWindow[]): Promise<void>;
}

const successes: ReadonlySet<SignInOutcome> = new Set([
  'signedIn',
  'signedInByLink',
  'passwordChangeNeeded',
  'passwordChanged',
]);
const overLimit = 'login over limit';

/** The login log: one row for every sign-in try (specified 8.2). */
export function createLoginLog({ db, clock, rates }: { db: Db; clock: Clock; rates: RateWindows }): LoginLog {
  return {
    async write(entry, tx) {
      await (tx ?? db).insertInto('login_log').values(signInRow(entry, clock.now())).execute();
    },
    async countOverLimit(address) {
      await rates.add(overLimit, address);
    },
    async writeEnded(windows) {
      const rows = windows
        .filter(({ kind }) => kind === overLimit)
        .map(({ address, at, tries }) => ({
          username: '-',
          ip: address,
          at,
          message: 'tooManyTries',
          status: 'failure',
          times: tries,
        }));
      if (rows.length > 0) await db.insertInto('login_log').values(rows).execute();
    },
  };
}

/** A try as the table keeps it: the name on one line, one that does not exist masked. */
export const signInRow = ({ username, known, address, outcome }: SignInTry, at: Date) => ({
  username: known ? writtenName(username) : writtenUnknownName(username),
  ip: plainAddress(address),
  at,
  message: outcome,
  status: successes.has(outcome) ? 'success' : 'failure',
});
