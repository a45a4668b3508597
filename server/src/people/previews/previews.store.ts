import type { Transaction } from '../../platform/db/index.ts';

/** Whether a session is there; it stays until the transaction ends. */
export const holdSession = async (tx: Transaction, id: number): Promise<boolean> =>
  (await tx.selectFrom('session').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !== undefined;

/** Whether an account is there and enabled; it stays so until the transaction ends. */
export const holdAccount = async (tx: Transaction, id: number): Promise<boolean> =>
  (await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where('disabled', '=', false)
    .forShare()
    .executeTakeFirst()) !== undefined;
