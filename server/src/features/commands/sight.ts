import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { visibleDevices } from '../devices/index.ts';
import { findOne, type Sight, type StoredCommand } from './reading.store.ts';

/** What of commands a caller sees: the parts for devices that it sees. */
export const sightOf = (caller: Caller): Sight => ({ visible: visibleDevices(caller), all: caller.workAreas === 'all' && caller.workAreaId === null });

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
