import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { Sight } from './counts.store.ts';
import { findOne, type StoredCommand } from './reading.store.ts';

/** What of commands a caller sees: the parts for devices that it sees. */
export function sightOf(caller: DeviceScope): Sight {
  const { workAreas, workAreaId } = caller;
  const inside = workAreaId === null ? sql<boolean>`true` : sql<boolean>`area::bigint = ${workAreaId}`;
  return {
    visible: visibleDevices(caller),
    all: workAreas === 'all' && workAreaId === null,
    area: workAreas === 'all' ? inside : sql<boolean>`(${inside} AND area::bigint = ANY(${[...workAreas]}::bigint[]))`,
    singly:
      workAreas === 'all'
        ? sql<boolean>`false`
        : sql<boolean>`EXISTS (SELECT 1 FROM device_account WHERE account_id = ${caller.accountId})`,
  };
}

/** A command of which the caller sees something; refuses one that is unknown or foreign. */
export async function found(db: Db, caller: Caller, id: number): Promise<StoredCommand> {
  const row = await findOne(db, id, sightOf(caller));
  if (!row) throw refuse('notFound');
  if (row.total === 0 && row.all > 0) throw refuse('foreignWorkArea');
  return row;
}

/** One that the caller sees wholly: what is decided about it as a whole is decided for every device of it. */
export async function foundWhole(db: Db, caller: Caller, id: number): Promise<StoredCommand> {
  const row = await found(db, caller, id);
  if (row.total < row.all) throw refuse('foreignWorkArea');
  return row;
}
