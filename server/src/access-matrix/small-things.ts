import type { Db } from '../platform/db/index.ts';

/** Things of one row. */

let count = 0;
/** A name that nothing has yet, at most 9 characters. */
export const fresh = (letter: string): string => `${letter}${(count += 1)}`;

export function insertAccount(
  db: Db,
  level: number,
  passwordHash = '-',
  username = fresh('a'),
): Promise<{ id: number }> {
  return db
    .insertInto('account')
    .values({ username, name_key: username, level, password_hash: passwordHash, password_changed_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
}

export const insertBatch = (db: Db, workAreaId: number) =>
  db
    .insertInto('batch')
    .values({
      name: fresh('B'),
      work_area_id: workAreaId,
      max_devices: 10,
      secret_hash: Buffer.alloc(32),
      secret_sealed: '',
      created_by: 'matrix',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
export const insertMenu = (db: Db) =>
  db
    .insertInto('menu_entry')
    .values({ type: 'menu1', title: fresh('m'), name: fresh('m'), url: `/${fresh('m')}`, component: 'layout' })
    .returning('id')
    .executeTakeFirstOrThrow();
export const insertGroup = (db: Db, workAreaId: number) =>
  db
    .insertInto('work_group')
    .values({ work_area_id: workAreaId, name: fresh('g') })
    .returning('id')
    .executeTakeFirstOrThrow();
