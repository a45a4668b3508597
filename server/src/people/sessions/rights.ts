import { sql } from 'kysely';
import { permissions, type Permission } from '../../../../contract/permissions.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** What an account may do and where. */
export interface AccountRights {
  readonly permissions: ReadonlySet<Permission>;
  /** Of its work groups and those of its organisations, descendants included. */
  readonly workAreaIds: readonly number[];
}

export interface RightsReader {
  /** The rights of accounts, each as it is at `version` of the rights counter or later. */
  of(accountIds: readonly number[], version: number): Promise<ReadonlyMap<number, AccountRights>>;
}

/**
 * The rights counter inside another query: read with a session, it says whether rights known from before still hold.
 */
export const rightsVersion = sql<number>`(SELECT base FROM rights_counter) + (SELECT count(*) FROM rights_change)`;

const mostKept = 20_000;

/**
 * Rights as the database has them, never older: they are kept in the process together with the counter's value they
 * were read at, and used only while a session's own query reads the same value. Every change of rights raises it in its
 * own transaction (migration 4).
 */
export function createRightsReader(db: Db): RightsReader {
  let kept: { readonly version: number; readonly rights: Map<number, AccountRights> } = {
    version: 0,
    rights: new Map(),
  };
  return {
    async of(accountIds, version) {
      const known = kept.version === version ? kept.rights : undefined;
      const missing = known ? accountIds.filter((id) => !known.has(id)) : accountIds;
      if (missing.length === 0) return known ?? new Map<number, AccountRights>();
      const rows = await findRights(db, missing);
      const found = new Map(rows.map((row) => [row.accountId, rightsOf(row)]));
      keep(Number(rows[0]?.version ?? 0), found);
      return new Map(
        accountIds.flatMap((id) => {
          const rights = found.get(id) ?? known?.get(id);
          return rights ? [[id, rights] as const] : [];
        }),
      );
    },
  };

  function keep(version: number, found: ReadonlyMap<number, AccountRights>): void {
    // Also downwards: a database that was set back counts again what it lost.
    if (version !== kept.version || kept.rights.size + found.size > mostKept) kept = { version, rights: new Map() };
    for (const [id, rights] of found) kept.rights.set(id, rights);
  }
}

interface RightsRow {
  readonly accountId: number;
  readonly version: number;
  readonly permissionCodes: readonly string[];
  readonly workAreaIds: readonly (number | string)[];
}

const declared: ReadonlySet<string> = new Set(permissions);
const isPermission = (code: string): code is Permission => declared.has(code);

// ARRAY(bigint) arrives as an array of texts.
const rightsOf = ({ permissionCodes, workAreaIds }: RightsRow): AccountRights => ({
  permissions: new Set(permissionCodes.filter(isPermission)),
  workAreaIds: workAreaIds.map(Number),
});

/** The rights of accounts as the transaction sees them; those that are gone are absent. */
export const rightsIn = async (
  tx: Transaction,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, AccountRights>> =>
  new Map((await findRights(tx, accountIds)).map((row) => [row.accountId, rightsOf(row)]));

async function findRights(db: Db | Transaction, accountIds: readonly number[]): Promise<RightsRow[]> {
  const { rows } = await sql<RightsRow>`
    SELECT a.id AS "accountId", ${rightsVersion} AS version,
           ARRAY(
             SELECT DISTINCT m.permission_code FROM account_role ar
             JOIN role_menu rm ON rm.role_id = ar.role_id JOIN menu_entry m ON m.id = rm.menu_id
             WHERE ar.account_id = a.id AND m.permission_code IS NOT NULL
           ) AS "permissionCodes",
           ARRAY(
             WITH RECURSIVE org AS (
               SELECT oa.organisation_id AS id FROM organisation_account oa WHERE oa.account_id = a.id
               UNION SELECT o.id FROM organisation o JOIN org ON o.parent_id = org.id
             )
             SELECT DISTINCT wg.work_area_id FROM work_group wg WHERE wg.id IN (
               SELECT work_group_id FROM work_group_member WHERE account_id = a.id
               UNION SELECT work_group_id FROM organisation_work_group WHERE organisation_id IN (SELECT id FROM org)
             )
           ) AS "workAreaIds"
    FROM account a WHERE a.id = ANY(${accountIds as number[]}::bigint[])`.execute(db);
  return rows;
}

/**
 * Adds the counted changes to the counter's base, so that counting stays short; the sum stays the same for every
 * reader.
 */
export async function foldRightsChanges(db: Db): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM rights_change OFFSET 20 LIMIT 1`.execute(db);
  if (rows.length === 0) return;
  await db.transaction().execute(async (tx) => {
    // One folder at a time: the base is read, and raised by exactly what this transaction took away.
    await sql`SELECT base FROM rights_counter FOR UPDATE`.execute(tx);
    const { numDeletedRows } = await tx.deleteFrom('rights_change').executeTakeFirst();
    await tx
      .updateTable('rights_counter')
      .set((row) => ({ base: row('base', '+', Number(numDeletedRows)) }))
      .execute();
  });
}
