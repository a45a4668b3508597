import type { Transaction } from '../../platform/db/index.ts';

export interface Known {
  readonly id: number;
  readonly username: string;
}

export const findAccount = (tx: Transaction, nameKey: string): Promise<Known | undefined> =>
  tx.selectFrom('account').select(['id', 'username']).where('name_key', '=', nameKey).executeTakeFirst();

export async function enable(tx: Transaction, accountId: number): Promise<void> {
  await tx.updateTable('account').set({ disabled: false }).where('id', '=', accountId).execute();
}

/** A row of the operation log for what was done on the machine itself. */
export async function log(
  tx: Transaction,
  { id, username }: Known,
  uri: string,
  message: string,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('operation_log')
    .values({ account_id: id, username, uri, ip: 'local', at, message, status: 200 })
    .execute();
}
