import { sql } from 'kysely';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Db } from '../../platform/db/index.ts';

export interface VersionContent {
  readonly item: number;
  readonly number: number;
  readonly content: SchemeContent;
  /** The version that it was made from, else the one before it; null: it is the first. */
  readonly base: number | null;
}

/** The contents of these versions of schemes, in one look. */
export async function findContents(
  db: Db,
  versions: readonly { readonly item: number; readonly number: number }[],
): Promise<readonly VersionContent[]> {
  if (versions.length === 0) return [];
  const { rows } = await sql<VersionContent>`SELECT v.scheme_id AS item, v.number, v.content,
      coalesce(v.based_on, (SELECT max(b.number) FROM scheme_version b
        WHERE b.scheme_id = v.scheme_id AND b.number < v.number)) AS base
    FROM unnest(${versions.map(({ item }) => item)}::bigint[], ${versions.map((one) => one.number)}::int[])
      AS asked (item, number)
    JOIN scheme_version v ON v.scheme_id = asked.item AND v.number = asked.number`.execute(db);
  return rows;
}
