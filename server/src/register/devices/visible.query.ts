import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** What of a caller limits the devices it sees; a request's caller has it. */
export interface DeviceScope {
  readonly accountId: number;
  readonly workAreas: 'all' | readonly number[];
  readonly workAreaId: number | null;
}

/** What an account may see now. */
export type AreasOf = (accountId: number) => Promise<DeviceScope['workAreas']>;

/**
 * The scope of work that has no request of its own: of the account that asked for it, as it may see now; nobody sees
 * nothing.
 */
export const scopeOfAccount = async (
  areasOf: AreasOf,
  accountId: number | null,
  workAreaId: number | null,
): Promise<DeviceScope> => ({
  accountId: accountId ?? 0,
  workAreas: accountId === null ? [] : await areasOf(accountId),
  workAreaId,
});

/**
 * The one place that says which devices a caller sees: those of its work areas and those bound to its account, narrowed
 * to the work area it works in. Use it in every query over devices: `WHERE ${visibleDevices(caller)}`; `alias` is the
 * device table's.
 */
export function visibleDevices(caller: DeviceScope, alias = 'd'): RawBuilder<SqlBool> {
  const area = sql.ref(`${alias}.work_area_id`);
  const inside = caller.workAreaId === null ? sql<SqlBool>`true` : sql<SqlBool>`${area} = ${caller.workAreaId}`;
  if (caller.workAreas === 'all') return inside;
  return sql<SqlBool>`(${inside} AND (${area} = ANY(${[...caller.workAreas]}::bigint[])
    OR EXISTS (SELECT 1 FROM device_account bound WHERE bound.device_id = ${sql.ref(`${alias}.id`)}
      AND bound.account_id = ${caller.accountId})))`;
}
