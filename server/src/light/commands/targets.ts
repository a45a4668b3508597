import { families as allFamilies } from '../../../../catalogue/index.ts';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import { commandBounds } from '../../../../contract/light/commands.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, refuseFields, type Caller } from '../../platform/http/index.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import { isQuestion } from './commands.rules.ts';
import { findInScope, findScopeParts, findTargets, type Scope, type Target } from './targets.store.ts';

export interface Chosen {
  readonly devices: readonly Target[];
  /** Of the things the scope names. */ readonly names: readonly string[];
}
interface Asked {
  readonly deviceIds?: readonly number[] | undefined;
  readonly scope?: Scope | undefined;
  readonly command: string;
}

/** The devices a request is for, as far as the caller sees them; refuses what is unknown, foreign or too much. */
export async function chooseTargets(
  db: Db,
  caller: Caller,
  { deviceIds, scope = {}, command }: Asked,
  offering: readonly string[],
): Promise<Chosen> {
  if (deviceIds) {
    const wanted = new Set(deviceIds);
    if (wanted.size > commandBounds.scope)
      throw refuse('tooManyDevices', { count: wanted.size, limit: commandBounds.scope });
    const found = await findTargets(db, [...wanted], visibleDevices(caller));
    if (found.length < wanted.size) throw refuse('notFound');
    if (found.some((device) => !device.visible)) throw refuse('foreignWorkArea');
    return { devices: found, names: [] };
  }
  const { families, ...places } = scope;
  if (Object.keys(places).length === 0) throw refuseFields({ field: 'scope', rule: 'minProperties' });
  const parts = await findScopeParts(db, places);
  const found = await findInScope(
    db,
    places,
    familiesOf(command, families, offering),
    visibleDevices(caller),
    commandBounds.scope + 1,
  );
  if (found.length === 0)
    refuseStrangeScope(
      caller,
      parts.map(({ area }) => area),
    );
  if (found.length > commandBounds.scope)
    throw refuse('tooManyDevices', { count: found.length, limit: commandBounds.scope });
  return { devices: found, names: parts.flatMap(({ name }) => name ?? []) };
}

/** A road's or group's command is for its lamps: controllers hold no light. Only a question may be for others. */
function familiesOf(command: string, asked: readonly string[] | undefined, offering: readonly string[]): string[] {
  if (!asked) return offering.filter((key) => key === lampFamily);
  if (!isQuestion(command) || asked.some((key) => !allFamilies.some((family) => family.key === key)))
    throw refuseFields({ field: 'scope.families', rule: 'invalid' });
  return asked.filter((key) => offering.includes(key));
}

/** Why a scope holds nothing for this caller: it does not exist, or is of another work area. */
function refuseStrangeScope(caller: Caller, areas: readonly (number | null)[]): void {
  if (areas.includes(null)) throw refuse('notFound');
  const inside = (area: number) =>
    (caller.workAreaId === null || caller.workAreaId === area) &&
    (caller.workAreas === 'all' || caller.workAreas.includes(area));
  if (!areas.every((area) => area === null || inside(area))) throw refuse('foreignWorkArea');
}
