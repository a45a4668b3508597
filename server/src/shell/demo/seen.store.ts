import { sql } from 'kysely';
import { getCommand } from '../../../../contract/light/commands.ts';
import { getScheme } from '../../../../contract/light/schemes.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import { getImport } from '../../../../contract/register/imports.ts';
import { listUsers } from '../../../../contract/specified/users.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import type { Places } from './office.store.ts';

/** Those of these devices that the caller sees. */
export async function seenDevices(
  db: Db,
  caller: Caller,
  ids: readonly (number | null)[],
): Promise<ReadonlySet<number | null>> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM device d
    WHERE d.id = ANY(${[...new Set(ids)]}::bigint[]) AND ${visibleDevices(caller)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** An import is shown to who made it, and to administrators. */
async function ownImport(db: Db, { accountId, level }: Caller, id: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM import
    WHERE id = ${id} AND (account_id = ${accountId} OR ${level === 0})`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * The places that the caller may open: devices by its scope, all else by the permission of the call that shows it; work on
 * lamps needs the city's area as well.
 */
export async function seenPlaces(
  db: Db,
  caller: Caller,
  places: Places,
  { devices, workAreaId }: { readonly devices: ReadonlySet<number | null>; readonly workAreaId: number },
): Promise<Places> {
  const may = (access: Permission | readonly Permission[]): boolean =>
    [access].flat().some((code) => caller.permissions.has(code));
  const seesArea = caller.workAreas === 'all' || caller.workAreas.includes(workAreaId);
  const device = (id: number | null) => (devices.has(id) ? id : null);
  const hasCommands = seesArea && may(getCommand.access);
  const hasSchemes = seesArea && may(getScheme.access);
  return {
    lampId: device(places.lampId),
    controllerId: device(places.controllerId),
    commandId: hasCommands ? places.commandId : null,
    approvalId: hasCommands ? places.approvalId : null,
    schemeId: hasSchemes ? places.schemeId : null,
    schemeNumber: hasSchemes ? places.schemeNumber : null,
    username: may(listUsers.access) ? places.username : null,
    importId: may(getImport.access) && places.importId !== null ? await ownImport(db, caller, places.importId) : null,
  };
}
