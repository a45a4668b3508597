import { Type } from 'typebox';
import { IdParams, Nullable, route } from '../route.ts';

/** Roles beyond the specified calls. */

export const copyRole = route({
  method: 'POST',
  path: '/api/v1/roles/:id/copy',
  tag: 'roles',
  access: 'cscp.role.add',
  action: 'role.copy',
  status: 201,
  summary: 'A new role with the menus, icon, extent and parent of another.',
  params: IdParams,
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 50 }) }),
  reply: Type.Object({ id: Type.Integer(), name: Type.String() }),
});

/** What a role may do: its entries as paths from the top, each with its permission code. */
export const RolePower = Type.Object({
  menuId: Type.Integer(),
  type: Type.String(),
  permissionCode: Nullable(Type.String()),
  /** From the top to the entry; titles in the caller's language where the site gave them. */
  path: Type.Array(Type.Object({ title: Type.String(), language: Nullable(Type.String()) })),
});

export const getRolePowers = route({
  method: 'GET',
  path: '/api/v1/roles/:id/powers',
  tag: 'roles',
  access: ['cscp.role.query', 'cscp.role.edit'],
  summary: 'What a role may do, and which accounts and roles depend on it.',
  params: IdParams,
  reply: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    powers: Type.Array(RolePower),
    users: Type.Integer(),
    parent: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    children: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  }),
});

export const listRoleSummaries = route({
  method: 'GET',
  path: '/api/v1/role-summaries',
  tag: 'roles',
  access: ['cscp.role.query', 'cscp.role.edit'],
  summary: 'Every role with the number of its accounts, of the pages it opens and of the operations it allows.',
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.Integer(),
        users: Type.Integer(),
        pages: Type.Integer(),
        operations: Type.Integer(),
      }),
    ),
  }),
});
