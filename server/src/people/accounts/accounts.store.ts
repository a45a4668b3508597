import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { nameKey } from './name-key.ts';

/** What signing in needs to know of an account. */
export interface SignInAccount {
  readonly id: number;
  readonly username: string;
  readonly level: number;
  readonly disabled: boolean;
  readonly passwordHash: string;
  /** null: it is still the initial one. */
  readonly passwordChangedAt: Date | null;
  readonly initialPasswordUntil: Date | null;
  readonly previousHashes: string[];
}

const signInColumns = [
  'id',
  'username',
  'level',
  'disabled',
  'password_hash as passwordHash',
  'password_changed_at as passwordChangedAt',
  'initial_password_until as initialPasswordUntil',
  'previous_hashes as previousHashes',
] as const;

export const findByName = (db: Db | Transaction, username: string): Promise<SignInAccount | undefined> =>
  db.selectFrom('account').select(signInColumns).where('name_key', '=', nameKey(username)).executeTakeFirst();

export const findById = (db: Db | Transaction, id: number): Promise<SignInAccount | undefined> =>
  db.selectFrom('account').select(signInColumns).where('id', '=', id).executeTakeFirst();

/**
 * Stores a new password of the account's own choice; the one before joins the previous ones. False: it was changed
 * meanwhile.
 */
export async function storePassword(
  tx: Transaction,
  account: SignInAccount,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({
      password_hash: passwordHash,
      password_changed_at: now,
      initial_password_until: null,
      // Together with the new one: the last five.
      previous_hashes: [account.passwordHash, ...account.previousHashes].slice(0, 4),
      updated_at: now,
      version: (column) => column('version', '+', 1),
    })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.passwordHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function storeLogin(tx: Db | Transaction, accountId: number, now: Date): Promise<void> {
  await tx.updateTable('account').set({ last_login_at: now }).where('id', '=', accountId).execute();
}

/** The account as its owner sees it, with its roles. */
export async function findDetail(db: Db, id: number) {
  const account = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
  const roles = await db
    .selectFrom('role')
    .innerJoin('account_role', 'account_role.role_id', 'role.id')
    .select(['role.id', 'role.name'])
    .where('account_role.account_id', '=', id)
    .orderBy('role.id')
    .execute();
  const organisation = await db
    .selectFrom('organisation_account')
    .select('organisation_id')
    .where('account_id', '=', id)
    .orderBy('organisation_id')
    .executeTakeFirst();
  return account && { account, roles, organisationId: organisation?.organisation_id ?? null };
}

/** Makes a password that another person knows the account's initial one; the one before joins the previous ones. */
export async function giveInitialPassword(
  tx: Transaction,
  id: number,
  passwordHash: string,
  until: Date | null,
): Promise<void> {
  await sql`UPDATE account SET password_hash = ${passwordHash}, password_changed_at = NULL,
    initial_password_until = ${until},
      previous_hashes = (ARRAY[password_hash] || previous_hashes)[1:4], updated_at = now(), version = version + 1
    WHERE id = ${id}`.execute(tx);
}

/** Work areas as options, those of the list or all of them. */
export const findWorkAreas = (db: Db, visible: 'all' | readonly number[]) =>
  db
    .selectFrom('work_area')
    .select(['id as value', 'work_name as label'])
    .$if(visible !== 'all', (query) =>
      query.where('id', 'in', visible === 'all' || visible.length === 0 ? [0] : [...visible]),
    )
    .orderBy('id')
    .execute();
