import type { Db, Transaction } from '../../platform/db/index.ts';
import { nameKey } from '../../people/accounts/index.ts';

export interface StoredAccount {
  readonly id: number;
  readonly username: string;
  readonly level: number;
  readonly nickname: string | null;
  readonly family_name: string | null;
  readonly given_name: string | null;
}

const accountColumns = [
  'account.id',
  'account.username',
  'account.level',
  'account.nickname',
  'account.family_name',
  'account.given_name',
] as const;

export const findAccount = (from: Db | Transaction, username: string): Promise<StoredAccount | undefined> =>
  from.selectFrom('account').select(accountColumns).where('name_key', '=', nameKey(username.trim())).executeTakeFirst();

const bound = (from: Db | Transaction, deviceId: number) =>
  from
    .selectFrom('device_account')
    .innerJoin('account', 'account.id', 'device_account.account_id')
    .select(accountColumns)
    .where('device_account.device_id', '=', deviceId);

/** The accounts bound to a device, by name. */
export const findBound = (db: Db, deviceId: number): Promise<StoredAccount[]> =>
  bound(db, deviceId).orderBy('account.username').execute();

export const findBoundOne = (
  tx: Transaction,
  deviceId: number,
  accountId: number,
): Promise<StoredAccount | undefined> => bound(tx, deviceId).where('account.id', '=', accountId).executeTakeFirst();

export async function bindAccount(tx: Transaction, deviceId: number, accountId: number): Promise<void> {
  await tx
    .insertInto('device_account')
    .values({ device_id: deviceId, account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function unbindAccount(tx: Transaction, deviceId: number, accountId: number): Promise<void> {
  await tx.deleteFrom('device_account').where('device_id', '=', deviceId).where('account_id', '=', accountId).execute();
}
