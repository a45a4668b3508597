import { takeLock, type Transaction } from '../../platform/db/index.ts';

/**
 * Lets one change of roles, their menus or the menu tree happen at a time, over all processes, until the transaction
 * ends: two administrators who drag at once, or a role narrowed while another is put below it, then meet each other's
 * result.
 */
export async function lockRights(tx: Transaction): Promise<void> {
  await takeLock(tx, 'rights');
}
