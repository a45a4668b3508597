import type { Db } from '../../platform/db/index.ts';

export async function insert(db: Db, key: string, code: string, expiresAt: Date): Promise<void> {
  await db.insertInto('captcha').values({ key, code, expires_at: expiresAt }).execute();
}

/** Removes a picture and says what it showed. */
export const take = (db: Db, key: string) =>
  db.deleteFrom('captcha').where('key', '=', key).returning(['code', 'expires_at as expiresAt']).executeTakeFirst();

export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('captcha').where('expires_at', '<=', now).execute();
}
