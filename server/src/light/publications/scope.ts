import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { findLamps, findScopeParts, type Lamp, type Scope } from './publications.store.ts';

/** Lamps, at least one, and the names of the places they were chosen by. */
export interface Chosen {
  readonly lamps: readonly [Lamp, ...Lamp[]];
  readonly names: readonly string[];
}

/** What is read of the scope of a row that is kept. */
export interface KeptScope {
  readonly scope: { readonly devices?: number; readonly names?: string[] };
  /** The reader sees every lamp of it. */
  readonly whole: boolean;
}
/** Places, and their names, only for a reader who sees every lamp: to others they may be foreign. */
export function seenScope({ scope, whole }: KeptScope): KeptScope['scope'] {
  if (whole) return scope;
  return scope.devices === undefined ? {} : { devices: scope.devices };
}

/** The lamps of a scope: all that it names is there, and the caller sees every one of them. */
export async function lampsOf(db: Db, caller: Caller, scope: Scope, most: number): Promise<Chosen> {
  const { roadIds = [], groupIds = [], controllerIds = [], workAreaId, deviceIds = [] } = scope;
  const parts = await findScopeParts(db, scope);
  const named = roadIds.length + groupIds.length + controllerIds.length + (workAreaId === undefined ? 0 : 1);
  if (parts.length < named) throw refuse('notFound');
  const foreign = (area: number) => caller.workAreas !== 'all' && !caller.workAreas.includes(area);
  if (parts.some(({ area }) => foreign(area))) throw refuse('foreignWorkArea');
  const lamps = await findLamps(db, scope, caller, most + 1);
  if (lamps.length > most) throw refuse('tooManyDevices', { count: lamps.length, limit: most });
  const found = new Set(lamps.map(({ id }) => id));
  if (deviceIds.some((id) => !found.has(id))) throw refuse('notFound');
  if (lamps.some(({ visible }) => !visible)) throw refuse('foreignWorkArea');
  const [first, ...others] = lamps;
  if (!first) throw refuse('noDevices');
  return { lamps: [first, ...others], names: parts.flatMap(({ name }) => name ?? []) };
}
