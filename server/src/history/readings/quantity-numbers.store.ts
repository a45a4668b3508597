import { sql } from 'kysely';
import { quantities, type Quantity } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';

export type StoredKind = 'measured' | 'counter' | 'switch' | 'choice';
export const storedKind = (quantity: Quantity): StoredKind =>
  quantity.kind === 'boolean'
    ? 'switch'
    : quantity.kind === 'enum'
      ? 'choice'
      : quantity.cumulative
        ? 'counter'
        : 'measured';

/**
 * Gives every quantity of the catalogue its number, where it has none yet, and tells the words of choices that came to
 * be.
 */
export async function prepareQuantities(db: Db): Promise<void> {
  const all = [...quantities.values()];
  await sql`INSERT INTO history_quantity AS q (key, kind, options)
    SELECT r.key, r.kind, CASE WHEN r.options = '' THEN NULL ELSE string_to_array(r.options, ',') END
    FROM unnest(${all.map((q) => q.key)}::text[], ${all.map(storedKind)}::text[],
      ${all.map((q) => (q.kind === 'enum' ? q.options.join(',') : ''))}::text[]) AS r(key, kind, options)
    WHERE NOT EXISTS (SELECT 1 FROM history_quantity h WHERE h.key = r.key AND h.kind = r.kind
      AND h.options IS NOT DISTINCT FROM CASE WHEN r.options = '' THEN NULL ELSE string_to_array(r.options, ',') END)
    ORDER BY r.key ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, options = excluded.options`.execute(db);
}

/** Numbers of quantities by their names. */
export async function quantityNumbers(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('history_quantity').select(['id', 'key']).execute();
  return new Map(rows.map(({ id, key }) => [key, id]));
}
