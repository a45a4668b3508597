import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import * as store from './accounts.store.ts';
import { checkPassword } from './passwords.ts';

export type { SignInAccount } from './accounts.store.ts';

/** 1: an initial password; 2: older than 3 months; 0: fine. */
export type PasswordStatus = 0 | 1 | 2;

export interface Accounts {
  findByName(username: string): Promise<store.SignInAccount | undefined>;
  findById(id: number): Promise<store.SignInAccount | undefined>;
  passwordStatus(account: store.SignInAccount): PasswordStatus;
  initialPasswordIsOver(account: store.SignInAccount): boolean;
  /** Whether a new password is one of the account's last five. */
  isRepeated(account: store.SignInAccount, password: string): Promise<boolean>;
  storePassword(tx: Transaction, account: store.SignInAccount, passwordHash: string): Promise<void>;
  /** Stores a random password that is good for 7 days and only for its change; the first account's has no end. */
  giveInitialPassword(tx: Transaction, accountId: number, passwordHash: string): Promise<void>;
  /** Until when an initial password given now is good. */
  initialPasswordEnd(): Date;
  storeLogin(tx: Transaction, accountId: number): Promise<void>;
  detail(accountId: number): Promise<AccountDetail>;
  /** How a person is called on the screen: nickname, else the full name, else the account name. */
  displayName(accountId: number): Promise<string>;
  workAreas(caller: Caller): Promise<{ value: number; label: string }[]>;
}

export type AccountDetail = NonNullable<Awaited<ReturnType<typeof store.findDetail>>>;

const initialGoodForMs = 7 * 86_400_000;
/** The account of a fresh installation: its initial password has no end. */
const firstAccountId = 1;

export function createAccounts({ db, clock }: { db: Db; clock: Clock }): Accounts {
  const initialPasswordEnd = () => new Date(clock.now().getTime() + initialGoodForMs);
  const detail = async (accountId: number) => {
    const found = await store.findDetail(db, accountId);
    if (!found) throw refuse('notFound');
    return found;
  };
  return {
    findByName: (username) => store.findByName(db, username),
    findById: (id) => store.findById(db, id),
    passwordStatus(account) {
      if (!account.passwordChangedAt) return 1;
      const oldest = clock.now();
      oldest.setUTCMonth(oldest.getUTCMonth() - 3);
      return account.passwordChangedAt < oldest ? 2 : 0;
    },
    initialPasswordIsOver: (account) =>
      account.passwordChangedAt === null &&
      account.initialPasswordUntil !== null &&
      account.initialPasswordUntil <= clock.now(),
    async isRepeated(account, password) {
      for (const used of [account.passwordHash, ...account.previousHashes]) {
        if (await checkPassword(used, password)) return true;
      }
      return false;
    },
    async storePassword(tx, account, passwordHash) {
      if (!(await store.storePassword(tx, account, passwordHash, clock.now()))) throw refuse('changedMeanwhile');
    },
    giveInitialPassword: (tx, accountId, passwordHash) =>
      store.giveInitialPassword(
        tx,
        accountId,
        passwordHash,
        accountId === firstAccountId ? null : initialPasswordEnd(),
      ),
    initialPasswordEnd,
    storeLogin: (tx, accountId) => store.storeLogin(tx, accountId, clock.now()),
    detail,
    displayName: async (accountId) => displayNameOf((await detail(accountId)).account),
    workAreas: (caller) => store.findWorkAreas(db, caller.workAreas),
  };
}

/** Family name first. */
const displayNameOf = ({
  nickname,
  family_name: family,
  given_name: given,
  username,
}: AccountDetail['account']): string => nickname || `${family ?? ''}${given ?? ''}`.trim() || username;
