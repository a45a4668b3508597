import type { Transaction } from '../../platform/db/index.ts';
import type { OperationEntry } from '../../platform/http/index.ts';
import { signInRow, type SignInTry } from './login-log.ts';
import { operationRow } from './operation-log.ts';

/** Rows of one statement: it takes 65,535 values at most. */
const rowsAtOnce = 1000;

/** Writes operations of the past in their order; the sealer seals them as it seals every row. */
export async function addOperations(tx: Transaction, entries: readonly OperationEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += rowsAtOnce)
    await tx
      .insertInto('operation_log')
      .values(entries.slice(from, from + rowsAtOnce).map(operationRow))
      .execute();
}

/** Writes sign-ins of the past in their order. */
export async function addSignIns(
  tx: Transaction,
  tries: readonly (SignInTry & { readonly at: Date })[],
): Promise<void> {
  for (let from = 0; from < tries.length; from += rowsAtOnce)
    await tx
      .insertInto('login_log')
      .values(tries.slice(from, from + rowsAtOnce).map((one) => signInRow(one, one.at)))
      .execute();
}
