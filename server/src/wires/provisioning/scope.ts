import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Caller } from '../../platform/http/index.ts';

/**
 * Which batches (table `b`), and with them their newcomers, a caller sees: those of its work areas, narrowed to the one
 * it works in.
 */
export const visibleBatches = (caller: Pick<Caller, 'workAreas' | 'workAreaId'>): RawBuilder<SqlBool> => {
  const here = caller.workAreaId === null ? sql<SqlBool>`true` : sql<SqlBool>`b.work_area_id = ${caller.workAreaId}`;
  return caller.workAreas === 'all'
    ? here
    : sql<SqlBool>`(${here} AND b.work_area_id = ANY(${[...caller.workAreas]}::bigint[]))`;
};
