import { sql } from 'kysely';
import { permissions } from '../../../contract/permissions.ts';
import type { Db } from '../platform/db/index.ts';
import { fresh } from './small-things.ts';
import { ownAreaId } from './things.ts';

/** A menu entry a code, and one without any, for the roles of all callers. */
export async function insertCodes(db: Db): Promise<void> {
  await db
    .insertInto('menu_entry')
    .values(
      ['', ...permissions].map((code) => ({
        type: 'menu1',
        title: fresh('m'),
        name: `code ${code}`,
        permission_code: code === '' ? null : code,
      })),
    )
    .execute();
}

/** An account of its own for one call: at this level, with exactly these codes, in the first work area. */
export async function insertCaller(db: Db, level: number, codes: readonly string[], passwordHash = '-') {
  const username = fresh('c');
  // In one statement: there are more than a thousand callers.
  const {
    rows: [made],
  } = await sql<{ accountId: number; roleId: number }>`
    WITH a AS (INSERT INTO account (username, name_key, level, password_hash, password_changed_at)
      VALUES (${username}, ${username}, ${level}, ${passwordHash}, now()) RETURNING id),
      r AS (INSERT INTO role (name, name_key, extent, creator_name) VALUES (${username}, ${username}, '-', 'matrix')
        RETURNING id),
      g AS (INSERT INTO work_group (work_area_id, name) VALUES (${ownAreaId}, ${username}) RETURNING id),
      holds AS (INSERT INTO account_role (account_id, role_id) SELECT a.id, r.id FROM a, r),
      may AS (INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM r, menu_entry m
        WHERE m.name = ANY(${['', ...codes].map((code) => `code ${code}`)})),
      belongs AS (INSERT INTO work_group_member (work_group_id, account_id) SELECT g.id, a.id FROM g, a)
    SELECT a.id AS "accountId", r.id AS "roleId" FROM a, r`.execute(db);
  if (!made) throw new Error('no caller was made');
  return { ...made, username };
}
