import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { addressKey, refuse, type RateWindows } from '../../platform/http/index.ts';
import type { Accounts, SignInAccount } from '../accounts/index.ts';
import type { LoginLog } from '../../desk/operation-log/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { rememberAddress } from './grants.store.ts';
import * as store from './links.store.ts';
import { failedTries } from './sign-in.service.ts';

const goodForMs = 60_000;
const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

export interface SignInLinkParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly loginLog: LoginLog;
  readonly rates: RateWindows;
}

/** Links that sign an account in elsewhere: a code for one use within 60 s; never a session token itself. */
export function createSignInLinks({ db, clock, accounts, sessions, loginLog, rates }: SignInLinkParts) {
  /** A bad link is a failed sign-in try like any other: counted for its address, written to the login log. */
  async function failed(address: string, account: SignInAccount | undefined) {
    await rates.add(failedTries, address);
    await loginLog.write({
      username: account?.username ?? '',
      known: account !== undefined,
      address,
      outcome: 'badSignInLink',
    });
    return refuse('badSignInLink');
  }

  return {
    async make(tx: Transaction, accountId: number): Promise<{ token: string; expiresAt: string }> {
      const code = randomBytes(32).toString('base64url');
      const expiresAt = new Date(clock.now().getTime() + goodForMs);
      await store.insert(tx, hashOf(code), accountId, expiresAt);
      return { token: `Bearer%${code}`, expiresAt: expiresAt.toISOString() };
    },
    /** Whose link it is; it stays good. */
    async peek(token: string, address: string): Promise<SignInAccount> {
      const accountId = await store.findAccountId(db, hashOf(codeOf(token)), clock.now());
      const account = accountId === undefined ? undefined : await accounts.findById(accountId);
      if (!account || account.disabled) throw await failed(address, account);
      return account;
    },
    /** Uses the link up and begins a session. */
    async exchange(
      token: string,
      from: { address: string; userAgent: string | undefined },
    ): Promise<{ account: SignInAccount; token: string }> {
      const row = await store.take(db, hashOf(codeOf(token)));
      const account = row && row.expiresAt > clock.now() ? await accounts.findById(row.accountId) : undefined;
      if (!account || account.disabled) throw await failed(from.address, account);
      return db.transaction().execute(async (tx) => {
        await accounts.storeLogin(tx, account.id);
        await rememberAddress(tx, account.id, addressKey(from.address), clock.now());
        await loginLog.write(
          { username: account.username, known: true, address: from.address, outcome: 'signedInByLink' },
          tx,
        );
        return {
          account,
          token: await sessions.begin({ accountId: account.id, remember: false, byLink: true, ...from }, tx),
        };
      });
    },
    sweep: () => store.removeExpired(db, clock.now()),
  };
}

export type SignInLinks = ReturnType<typeof createSignInLinks>;

/** The code in `Bearer%<code>`, `Bearer <code>` or by itself. */
const codeOf = (token: string): string => token.trim().replace(/^bearer(?:%20|%|\s+)/i, '');
