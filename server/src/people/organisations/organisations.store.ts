import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { contains, takeLock, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { nameKey } from '../accounts/index.ts';

export interface Place {
  readonly id: number;
  readonly parentId: number;
  readonly sortOrder: number;
}
export interface StoredPlace extends Place {
  readonly version: number;
}
export interface ListedOrganisation extends Place {
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly hasChildren: boolean;
  readonly people: number;
  readonly groups: number;
}
export interface PersonLink {
  readonly accountId: number;
  readonly organisationId: number;
  readonly username: string;
  readonly familyName: string | null;
  readonly name: string | null;
}
export interface GroupLink {
  readonly groupId: number;
  readonly organisationId: number;
  readonly name: string;
}

type Areas = Caller['workAreas'];

/** Whether a work group (`g`) lies in an area the caller sees. */
const visibleGroup = (areas: Areas): RawBuilder<SqlBool> =>
  areas === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`g.work_area_id = ANY(${[...areas]}::bigint[])`;

/**
 * Lets one change of the tree happen at a time, over all processes, until the transaction ends: who drags second meets
 * the first's result.
 */
export async function lockTree(tx: Transaction): Promise<void> {
  await takeLock(tx, 'organisations');
}

/** The direct children of an organisation (0: of the root) in order, with what hangs on each. */
export async function findChildren(db: Db, parentId: number, areas: Areas): Promise<ListedOrganisation[]> {
  const { rows } = await sql<ListedOrganisation>`
    SELECT o.id, coalesce(o.parent_id, 0) AS "parentId", o.sort_order AS "sortOrder", o.name, o.description, o.version,
           EXISTS (SELECT FROM organisation c WHERE c.parent_id = o.id) AS "hasChildren",
           (SELECT count(*)::int FROM organisation_account p WHERE p.organisation_id = o.id) AS people,
           (SELECT count(*)::int FROM organisation_work_group l JOIN work_group g ON g.id = l.work_group_id
             WHERE l.organisation_id = o.id AND ${visibleGroup(areas)}) AS groups
    FROM organisation o WHERE ${childrenOf(parentId)} ORDER BY o.sort_order, o.id`.execute(db);
  return rows;
}

// Two forms: `IS NOT DISTINCT FROM` would not use the index.
const childrenOf = (parentId: number): RawBuilder<SqlBool> =>
  parentId === 0 ? sql<SqlBool>`o.parent_id IS NULL` : sql<SqlBool>`o.parent_id = ${parentId}`;

export async function findPeopleBelow(db: Db, parentId: number): Promise<PersonLink[]> {
  const { rows } = await sql<PersonLink>`
    SELECT p.account_id AS "accountId", p.organisation_id AS "organisationId", a.username,
      a.family_name AS "familyName", a.given_name AS name
    FROM organisation o JOIN organisation_account p ON p.organisation_id = o.id JOIN account a ON a.id = p.account_id
    WHERE ${childrenOf(parentId)} ORDER BY p.organisation_id, p.account_id`.execute(db);
  return rows;
}

export async function findGroupsBelow(db: Db, parentId: number, areas: Areas): Promise<GroupLink[]> {
  const { rows } = await sql<GroupLink>`
    SELECT l.work_group_id AS "groupId", l.organisation_id AS "organisationId", g.name
    FROM organisation o JOIN organisation_work_group l ON l.organisation_id = o.id
      JOIN work_group g ON g.id = l.work_group_id
    WHERE ${childrenOf(parentId)} AND ${visibleGroup(areas)} ORDER BY l.organisation_id, l.work_group_id`.execute(db);
  return rows;
}

export const organisationExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('organisation').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Where every organisation stands: a few thousand rows. */
export async function findPlaces(tx: Db | Transaction): Promise<Map<number, StoredPlace>> {
  const { rows } =
    await sql<StoredPlace>`SELECT id, coalesce(parent_id, 0) AS "parentId", sort_order AS "sortOrder", version
      FROM organisation`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface FoundRow {
  readonly id: number;
  readonly name: string;
  readonly total: number;
  readonly path: { id: number; name: string }[];
}

/** Organisations whose name contains a text, shortest names first, each with its ancestors from the top. */
export async function findByName(db: Db, text: string, size: number): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    WITH RECURSIVE found AS (
      SELECT o.id, o.name, o.parent_id, count(*) OVER ()::int AS total,
        row_number() OVER (ORDER BY length(o.name), o.name, o.id) AS at
      FROM organisation o WHERE lower(normalize(o.name, NFKC)) LIKE ${contains(nameKey(text))} ORDER BY at LIMIT ${size}
    ), up AS (
      SELECT f.id AS of, p.id, p.name, p.parent_id, 1 AS height FROM found f JOIN organisation p ON p.id = f.parent_id
      UNION ALL SELECT up.of, p.id, p.name, p.parent_id, up.height + 1 FROM up
        JOIN organisation p ON p.id = up.parent_id
    )
    SELECT f.id, f.name, f.total,
      coalesce((SELECT json_agg(json_build_object('id', up.id, 'name', up.name) ORDER BY up.height DESC) FROM up
      WHERE up.of = f.id), '[]') AS path
    FROM found f ORDER BY f.at`.execute(db);
  return rows;
}

export interface Contents {
  readonly id: number;
  readonly name: string;
  readonly descendants: number;
  readonly people: number;
  readonly groups: number;
}

/** What lies in an organisation, descendants included; people and groups count once. */
export async function findContents(db: Db, id: number, areas: Areas): Promise<Contents | undefined> {
  const { rows } = await sql<Contents>`
    WITH RECURSIVE org AS (SELECT ${id}::bigint AS id UNION SELECT o.id FROM organisation o
      JOIN org ON o.parent_id = org.id)
    SELECT top.id, top.name, (SELECT count(*)::int - 1 FROM org) AS descendants,
           (SELECT count(DISTINCT p.account_id)::int FROM org
             JOIN organisation_account p ON p.organisation_id = org.id) AS people,
           (SELECT count(DISTINCT g.id)::int FROM org JOIN organisation_work_group l ON l.organisation_id = org.id
             JOIN work_group g ON g.id = l.work_group_id WHERE ${visibleGroup(areas)}) AS groups
    FROM organisation top WHERE top.id = ${id}`.execute(db);
  return rows[0];
}

/** Those of these accounts that do not exist. */
export async function unknownAccounts(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT DISTINCT given.id FROM unnest(${ids as number[]}::bigint[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM account a WHERE a.id = given.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The work areas of those of these groups that exist. */
export async function areasOfGroups(db: Db | Transaction, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{
    id: number;
    area: number;
  }>`SELECT g.id, g.work_area_id AS area FROM work_group g WHERE g.id = ANY(${ids as number[]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, area }) => [id, area]));
}

/** The work areas of all groups of these organisations, descendants included: what their people see. */
export async function areasBelow(tx: Transaction, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ area: number }>`
    WITH RECURSIVE org AS (SELECT unnest(${ids as number[]}::bigint[]) AS id UNION SELECT o.id FROM organisation o
      JOIN org ON o.parent_id = org.id)
    SELECT DISTINCT g.work_area_id AS area FROM org JOIN organisation_work_group l ON l.organisation_id = org.id
      JOIN work_group g ON g.id = l.work_group_id`.execute(tx);
  return rows.map(({ area }) => area);
}

/** Whether one of these accounts would be new in an organisation. */
export async function bringsPeople(tx: Transaction, id: number, accountIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM unnest(${accountIds as number[]}::bigint[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM organisation_account p WHERE p.organisation_id = ${id} AND p.account_id = given.id)
      LIMIT 1`.execute(tx);
  return rows.length > 0;
}

export interface OrganisationFields {
  readonly name: string;
  readonly description: string | null;
  readonly parentId: number;
  readonly sortOrder: number;
}

const parent = (id: number) => sql<number>`nullif(${id}::bigint, 0)`;

export async function insertOrganisation(
  tx: Transaction,
  { name, description, parentId, sortOrder }: OrganisationFields,
): Promise<number> {
  const { id } = await tx
    .insertInto('organisation')
    .values({ name, description, parent_id: parent(parentId), sort_order: sortOrder })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateOrganisation(
  tx: Transaction,
  id: number,
  { name, description, parentId, sortOrder }: { [K in keyof OrganisationFields]: OrganisationFields[K] | undefined },
): Promise<void> {
  const given = {
    name,
    description,
    sort_order: sortOrder,
    parent_id: parentId === undefined ? undefined : parent(parentId),
  };
  await tx
    .updateTable('organisation')
    .set((row) => ({
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      updated_at: sql`now()`,
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Gives organisations their new places, all in one statement. */
export async function placeOrganisations(tx: Transaction, places: readonly Place[]): Promise<void> {
  await sql`UPDATE organisation o SET parent_id = nullif(p.parent_id, 0), sort_order = p.sort_order, updated_at = now(),
    version = o.version + 1
    FROM unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ parentId }) => parentId)}::bigint[],
      ${places.map(({ sortOrder }) => sortOrder)}::int[]) AS p (id, parent_id, sort_order)
    WHERE o.id = p.id`.execute(tx);
}

/** Gives an organisation exactly these people; accounts that were deleted meanwhile are left out. */
export async function replacePeople(tx: Transaction, id: number, accountIds: readonly number[]): Promise<void> {
  const ids = accountIds as number[];
  await sql`DELETE FROM organisation_account WHERE organisation_id = ${id}
    AND NOT account_id = ANY(${ids}::bigint[])`.execute(tx);
  await sql`INSERT INTO organisation_account (organisation_id, account_id) SELECT ${id}::bigint, a.id FROM account a
    WHERE a.id = ANY(${ids}::bigint[]) ON CONFLICT DO NOTHING`.execute(tx);
}

/** Gives an organisation exactly these of the work groups that the caller sees; links to others stay. */
export async function replaceGroups(
  tx: Transaction,
  id: number,
  groupIds: readonly number[],
  areas: Areas,
): Promise<void> {
  const ids = groupIds as number[];
  await sql`DELETE FROM organisation_work_group l USING work_group g
    WHERE l.organisation_id = ${id} AND g.id = l.work_group_id AND ${visibleGroup(areas)}
      AND NOT l.work_group_id = ANY(${ids}::bigint[])`.execute(tx);
  await sql`INSERT INTO organisation_work_group (organisation_id, work_group_id) SELECT ${id}::bigint, g.id
    FROM work_group g WHERE g.id = ANY(${ids}::bigint[]) ON CONFLICT DO NOTHING`.execute(tx);
}

/** The foreign key takes everything below with it. */
export const deleteOrganisations = async (tx: Transaction, ids: readonly number[]): Promise<void> => {
  await tx
    .deleteFrom('organisation')
    .where('id', 'in', [...ids])
    .execute();
};
