import { createHash } from 'node:crypto';
import type pg from 'pg';

export const secret = 'bench-secret';
export const nameOf = (id: number): string => `lampyris-${id}`;

/** Lamps `first` to `first + count - 1` with credentials whose password is `secret`. */
export async function registerSigned(database: pg.Client, first: number, count: number): Promise<void> {
  await database.query(
    `INSERT INTO work_area (id, work_code, work_name) VALUES (900, 'BENCH', 'bench') ON CONFLICT DO NOTHING`,
  );
  await database.query(
    `INSERT INTO device (id, family, work_area_id, equipment_code, rated_watts, search_words)
    SELECT i, 'single-lamp-controller', 900, 'BS-' || i, 100, '' FROM generate_series($1::bigint, $2::bigint) i`,
    [first, first + count - 1],
  );
  await database.query(
    `INSERT INTO device_credential (device_id, client_id, username, secret_hash)
    SELECT i, 'lampyris-' || i, 'lampyris-' || i, $3 FROM generate_series($1::bigint, $2::bigint) i`,
    [first, first + count - 1, createHash('sha256').update(secret).digest()],
  );
  await database.query('VACUUM ANALYZE device');
}
