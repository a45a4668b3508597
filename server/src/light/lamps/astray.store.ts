import { sql, type SqlBool } from 'kysely';

/**
 * Of an item `i` of a publication: its lamp was found not to do what it was told, or cannot, and was told nothing since.
 * Of one lamp that holds for one item at most.
 */
export const isAstray = sql<SqlBool>`i.astray
  AND NOT EXISTS (SELECT FROM publication_item n WHERE n.device_id = i.device_id
    AND n.publication_id > i.publication_id AND (n.told_at IS NOT NULL OR n.astray))`;
