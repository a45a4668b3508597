import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { ContentType } from './content-type.ts';

export interface StoredAttachment {
  readonly id: number;
  readonly deviceId: number;
  readonly family: string;
  readonly code: string;
  readonly areaId: number;
  readonly visible: boolean;
  readonly kind: 'photo' | 'document';
  readonly type: ContentType;
  readonly file: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly thumbnail: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly takenAt: string | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly caption: string | null;
  readonly accountName: string;
  readonly createdAt: Date;
  readonly version: number;
}
export interface NewAttachment extends Pick<
  StoredAttachment,
  | 'kind'
  | 'type'
  | 'file'
  | 'fileName'
  | 'bytes'
  | 'thumbnail'
  | 'width'
  | 'height'
  | 'takenAt'
  | 'longitude'
  | 'latitude'
  | 'caption'
  | 'accountName'
> {
  readonly deviceId: number;
  readonly accountId: number;
  readonly at: Date;
}
export interface Owner {
  readonly id: number;
  readonly family: string;
  readonly code: string;
  readonly areaId: number;
  readonly poleId: number | null;
  readonly visible: boolean;
  readonly count: number;
}

const columns = sql`t.id, t.device_id AS "deviceId", d.family, d.equipment_code AS code, d.work_area_id AS "areaId", t.kind, t.type, t.file, t.file_name AS "fileName", t.bytes, t.thumbnail, t.width, t.height,
  t.taken_at AS "takenAt", t.longitude, t.latitude, t.caption, t.account_name AS "accountName", t.created_at AS "createdAt", t.version`;

/** The device that files hang on, whoever may see it; `lock` lets nobody else add to it meanwhile. */
export async function findOwner(
  db: Db | Transaction,
  id: number,
  visible: RawBuilder<SqlBool>,
  lock = false,
): Promise<Owner | undefined> {
  // First the lock, then the look: a count in the same statement would be of the time before it waited.
  if (lock) await sql`SELECT 1 FROM device WHERE id = ${id} FOR UPDATE`.execute(db);
  const { rows } =
    await sql<Owner>`SELECT d.id, d.family, d.equipment_code AS code, d.work_area_id AS "areaId", d.pole_id AS "poleId",
      ${visible} AS visible,
      (SELECT count(*)::int FROM attachment t WHERE t.device_id = d.id) AS count
    FROM device d WHERE d.id = ${id}`.execute(db);
  return rows[0];
}

/** Files of a device, newest first; with `mounted`, of what hangs on it and is visible too. */
export async function findOf(
  db: Db,
  id: number,
  mounted: boolean,
  visible: RawBuilder<SqlBool>,
  limit: number,
): Promise<StoredAttachment[]> {
  const whose = mounted ? sql`(d.id = ${id} OR (d.pole_id = ${id} AND ${visible}))` : sql`d.id = ${id}`;
  const { rows } =
    await sql<StoredAttachment>`SELECT ${columns}, true AS visible FROM attachment t JOIN device d ON d.id = t.device_id
      WHERE ${whose} ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export async function findOne(
  db: Db | Transaction,
  id: number,
  visible: RawBuilder<SqlBool>,
  lock = false,
): Promise<StoredAttachment | undefined> {
  const { rows } = await sql<StoredAttachment>`SELECT ${columns}, ${visible} AS visible FROM attachment t
      JOIN device d ON d.id = t.device_id WHERE t.id = ${id} ${lock ? sql`FOR UPDATE OF t` : sql``}`.execute(db);
  return rows[0];
}

export async function insert(tx: Transaction, one: NewAttachment): Promise<number> {
  const { id } = await tx
    .insertInto('attachment')
    .values({
      device_id: one.deviceId,
      kind: one.kind,
      type: one.type,
      file: one.file,
      file_name: one.fileName,
      bytes: one.bytes,
      thumbnail: one.thumbnail,
      width: one.width,
      height: one.height,
      taken_at: one.takenAt,
      longitude: one.longitude,
      latitude: one.latitude,
      caption: one.caption,
      account_id: one.accountId,
      account_name: one.accountName,
      created_at: one.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function update(
  tx: Transaction,
  id: number,
  { fileName, caption }: Pick<StoredAttachment, 'fileName' | 'caption'>,
): Promise<void> {
  await tx
    .updateTable('attachment')
    .set({ file_name: fileName, caption, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function remove(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('attachment').where('id', '=', id).execute();
}
