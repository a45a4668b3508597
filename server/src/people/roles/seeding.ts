import type { Permission } from '../../../../contract/permissions.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { MenuTree } from '../menus/index.ts';
import { firstRoleId } from './roles.rules.ts';
import { insertRole, replaceMenus } from './roles.store.ts';

/** A role that is there from the start: it holds every entry whose code is among its permissions, and the way there. */
export interface RoleSeed {
  readonly name: string;
  readonly icon: string;
  readonly extent: string;
  readonly permissions: readonly Permission[];
  readonly creator: { readonly accountId: number; readonly username: string };
}

/** Returns the id of the role. It stands below the first one, which holds everything. */
export async function addRole(tx: Transaction, tree: MenuTree, role: RoleSeed): Promise<number> {
  const codes: ReadonlySet<string> = new Set(role.permissions);
  const held = [...tree.entries.values()]
    .filter(({ permissionCode }) => permissionCode !== null && codes.has(permissionCode))
    .map(({ id }) => id);
  // A section has no code of its own. A page above a granted entry is granted only by its own code.
  const sections = held.flatMap((id) =>
    tree.ancestorsOf(id).flatMap((entry) => (entry.permissionCode === null ? [entry.id] : [])),
  );
  const id = await insertRole(
    tx,
    { name: role.name, nameKey: nameKey(role.name), icon: role.icon, extent: role.extent, parentId: firstRoleId },
    role.creator,
  );
  await replaceMenus(tx, id, [...new Set([...held, ...sections])]);
  return id;
}
