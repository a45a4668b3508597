import { listRoleOptions, listRoles } from '../../../../../../contract/specified/roles.ts';
import { usePermission } from '../../../../frame/index.ts';
import { useCall } from '../../../../api/index.ts';

interface Above {
  readonly id: number;
  readonly parentId: number;
}

/** A role and all below it. */
function withBelow(id: number, roles: readonly Above[], seen: ReadonlySet<number> = new Set()): Set<number> {
  const found = new Set([...seen, id]);
  for (const role of roles)
    if (role.parentId === id && !found.has(role.id)) withBelow(role.id, roles, found).forEach((one) => found.add(one));
  return found;
}

/**
 * The roles that may stand above a role. Names come from the call that every session may make; whoever may see the list
 * is not offered the role itself or one below it, everybody else is told by the server.
 */
export function useParents(of: number | undefined) {
  const names = useCall(listRoleOptions, { query: { size: 1000 } }, { staleTime: 60_000 });
  const roles = useCall(
    listRoles,
    { query: { size: 1000 } },
    { staleTime: 60_000, enabled: usePermission('cscp.role.query') },
  );
  const all = names.data?.data ?? [];
  const below = of === undefined ? new Set<number>() : withBelow(of, roles.data?.data ?? []);
  return {
    pending: names.isPending,
    options: all.filter(({ id }) => !below.has(id)).map(({ id, name }) => ({ value: id, label: name })),
    nameOf: (id: number): string | undefined => all.find((role) => role.id === id)?.name,
  };
}
