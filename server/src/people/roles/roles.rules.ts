import { menuTree, titleIn, type MenuEntry, type MenuTree } from '../menus/index.ts';
import { refuse, type Caller, type TextValues } from '../../platform/http/index.ts';
import type { Role } from './roles.store.ts';
import { roleTexts } from './texts.ts';

/** The first role: every entry, no parent, never deleted (specified 4.9). */
export const firstRoleId = 1;

/** The data for a decision about roles, read under one lock. */
export interface Rights {
  readonly roles: ReadonlyMap<number, Role>;
  readonly tree: MenuTree;
  /** The roles of the caller, and every entry that one of them holds. */
  readonly heldRoles: readonly number[];
  readonly heldMenus: ReadonlySet<number>;
  /** What each of the caller's roles holds. */
  readonly menusOfHeld: ReadonlyMap<number, ReadonlySet<number>>;
}

export function rightsOf(parts: {
  roles: readonly Role[];
  entries: readonly MenuEntry[];
  menusOfHeld: ReadonlyMap<number, ReadonlySet<number>>;
}): Rights {
  return {
    roles: new Map(parts.roles.map((role) => [role.id, role])),
    tree: menuTree(parts.entries),
    menusOfHeld: parts.menusOfHeld,
    heldRoles: [...parts.menusOfHeld.keys()],
    heldMenus: new Set([...parts.menusOfHeld.values()].flatMap((ids) => [...ids])),
  };
}

const isAdministrator = (caller: Pick<Caller, 'level'>): boolean => caller.level === 0;

/** The parents of a role, from its own upwards. */
export function rolesAbove(
  roles: ReadonlyMap<number, Pick<Role, 'id' | 'parentId'>>,
  role: Pick<Role, 'id' | 'parentId'>,
): number[] {
  const found: number[] = [];
  for (let parent = roles.get(role.parentId); parent && !found.includes(parent.id); parent = roles.get(parent.parentId))
    found.push(parent.id);
  return found;
}

/** The roles below a role, at any depth. */
export const rolesBelow = (roles: ReadonlyMap<number, Role>, id: number): number[] =>
  [...roles.values()].filter((role) => role.id !== id && rolesAbove(roles, role).includes(id)).map((role) => role.id);

/**
 * Whether the caller may change a role: an administrator any, another account those below a role of its own that it
 * does not hold itself.
 */
export function isManageable(
  caller: Pick<Caller, 'level'>,
  roles: ReadonlyMap<number, Role>,
  heldRoles: readonly number[],
  role: Role,
): boolean {
  if (isAdministrator(caller)) return true;
  return (
    role.id !== firstRoleId &&
    !heldRoles.includes(role.id) &&
    rolesAbove(roles, role).some((above) => heldRoles.includes(above))
  );
}

export function refuseForeignRole(caller: Caller, rights: Rights, role: Role): void {
  if (isManageable(caller, rights.roles, rights.heldRoles, role)) return;
  throw refuse(rights.heldRoles.includes(role.id) ? 'roleNotYours' : 'roleNotBelow');
}

/** Names in the caller's language, the first few of them. */
export const namesOf = (entries: readonly MenuEntry[]): { readonly menus: TextValues[string] } => ({
  menus: (language) =>
    entries
      .slice(0, 5)
      .map((entry) => titleIn(entry, language))
      .join(roleTexts(language).between) + (entries.length > 5 ? ' …' : ''),
});

const entriesOf = (tree: MenuTree, ids: Iterable<number>): MenuEntry[] =>
  [...ids].flatMap((id) => tree.entries.get(id) ?? []);

export interface MenuWish {
  /** Entries that the role holds now. */
  readonly current: ReadonlySet<number>;
  /** Entries that it shall hold; every id exists. */
  readonly wanted: ReadonlySet<number>;
  /** Entries that its parent holds; null: no bound. */
  readonly bound: ReadonlySet<number> | null;
}

/**
 * Entries of a role after a save. The ancestors of every entry are added as far as the caller may grant them and the
 * parent has them. An ancestor that is only the path to an entry is shown without its permission (specified 2.6), so
 * nothing is refused for it. Refuses entries that the caller does not hold, and entries beyond the parent.
 */
export function settledMenus(
  caller: Caller,
  { tree, heldMenus }: Rights,
  { current, wanted, bound }: MenuWish,
): Set<number> {
  const ways = new Set([...wanted].flatMap((id) => tree.ancestorsOf(id).map((entry) => entry.id)));
  const notHeld = [...wanted].filter((id) => !current.has(id) && !heldMenus.has(id) && !ways.has(id));
  if (notHeld.length > 0) throw refuse('menuNotHeld', namesOf(entriesOf(tree, notHeld)));
  const grantable = (id: number) => current.has(id) || heldMenus.has(id);
  const settled = new Set(
    [...wanted, ...ways].filter(
      (id) => grantable(id) && (current.has(id) || !ways.has(id) || bound === null || bound.has(id)),
    ),
  );
  // Revoking an entry needs the right to grant it.
  const taken = isAdministrator(caller) ? [] : [...current].filter((id) => !settled.has(id) && !heldMenus.has(id));
  if (taken.length > 0) throw refuse('menuNotHeld', namesOf(entriesOf(tree, taken)));
  const beyond = bound === null ? [] : [...settled].filter((id) => !bound.has(id));
  if (beyond.length > 0) throw refuse('menusBeyondParent', namesOf(entriesOf(tree, beyond)));
  return settled;
}

/**
 * The parent of a new role: the named one if the caller may use it, otherwise the widest of his own roles that hold all
 * its entries.
 */
export function parentOfNew(caller: Caller, rights: Rights, named: number, menus: ReadonlySet<number>): number {
  if (isAdministrator(caller)) return named;
  if (named !== 0) {
    if (!rights.heldRoles.includes(named)) throw refuse('roleParentNotOwn');
    return named;
  }
  const wide = [...rights.menusOfHeld].filter(([, held]) => [...menus].every((id) => held.has(id)));
  const [widest] = wide.toSorted(([a, ofA], [b, ofB]) => ofB.size - ofA.size || a - b);
  if (widest) return widest[0];
  throw rights.heldRoles.length === 0
    ? refuse('roleParentNotOwn')
    : refuse('menusBeyondParent', namesOf(entriesOf(rights.tree, menus)));
}

/** Refuses a new parent that is no role of the caller's own, or is the role itself or below it. */
export function refuseBadParent(caller: Caller, rights: Rights, role: Role, parentId: number): void {
  if (parentId === role.parentId) return;
  if (!isAdministrator(caller) && !rights.heldRoles.includes(parentId)) throw refuse('roleParentNotOwn');
  if (role.id === firstRoleId) throw refuse('firstRoleKeepsAll');
  if (parentId === role.id || rolesBelow(rights.roles, role.id).includes(parentId)) throw refuse('roleCycle');
}
