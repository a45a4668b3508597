import { Type, type Static } from 'typebox';
import { Id, IdOrNone, IdParams, Nullable, Page, Size, Version, specified } from '../route.ts';

/** Roles and what they may do (specified 4.1 to 4.10). */

export const roleLimits = { name: { min: 1, max: 50 }, roleExtent: { min: 1, max: 50 } } as const;

export const RoleOption = Type.Object({ id: Type.Integer(), name: Type.String(), icon: Type.String() });

export const RoleDetail = Type.Object({
  ...RoleOption.properties,
  roleExtent: Type.String(),
  parentId: Type.Integer(),
  creatorName: Type.String(),
  version: Type.Integer(),
  createTime: Type.String(),
  updateTime: Type.String(),
  /** Whether the caller may change it (specified 4.8). */
  manageable: Type.Boolean(),
});

const Sizes = Type.Object({
  page: Type.Optional(Page),
  size: Type.Optional(Size()),
  sort: Type.Optional(Type.String({ maxLength: 60 })),
  name: Type.Optional(Type.String({ maxLength: 100 })),
});
const rowsOf = <T extends typeof RoleOption | typeof RoleDetail>(row: T) =>
  Type.Object({ data: Type.Array(row), recordsTotal: Type.Integer(), recordsFiltered: Type.Integer() });

/** For the role cards and the role select of account forms. Sort: id, name. */
export const listRoles = specified({
  method: 'GET',
  path: '/api/cscpRolesCreators',
  tag: 'roles',
  access: ['cscp.role.query', 'cscp.user.add', 'cscp.user.edit'],
  summary: 'The roles with their creators.',
  query: Sizes,
  reply: rowsOf(RoleDetail),
});

export const listRoleOptions = specified({
  method: 'GET',
  path: '/api/system/cscpRolessByCriteria',
  tag: 'roles',
  access: 'session',
  summary: 'The roles as options.',
  query: Sizes,
  reply: rowsOf(RoleOption),
});

export const getRole = specified({
  method: 'GET',
  path: '/api/system/cscpRoless/:id',
  tag: 'roles',
  access: ['cscp.role.query', 'cscp.role.edit'],
  summary: 'One role.',
  params: IdParams,
  reply: RoleDetail,
});

/** The server checks name, icon and extent together, after trimming (roleLimits). */
const RoleText = Type.Optional(Nullable(Type.String({ maxLength: 5000 })));
const MenuIds = Type.Union([Type.Array(Id, { maxItems: 5000 }), Type.String({ maxLength: 60_000 }), Type.Null()]);
const manyMenus = { bytes: 512 * 1024, entries: 10_000 } as const;
/** `menus`, if a client sends it, is stored with the role in one transaction, as by menu/save. */
const roleFields = {
  name: RoleText,
  roleExtent: RoleText,
  icon: RoleText,
  parentId: Type.Optional(Nullable(IdOrNone)),
  menus: Type.Optional(MenuIds),
} as const;
/** A taken name answers 200 with code 39. */
export const RoleSaved = Type.Object({
  code: Type.Integer(),
  msg: Type.String(),
  id: Type.Optional(Nullable(Type.Integer())),
});

export const createRole = specified({
  method: 'POST',
  path: '/api/cscpRolesCreators',
  aliases: ['/api/system/cscpRoless'],
  tag: 'roles',
  access: 'cscp.role.add',
  action: 'role.create',
  summary: 'Creates a role. A taken name: 200 with code 39.',
  limits: manyMenus,
  body: Type.Object(roleFields),
  reply: RoleSaved,
});

export const updateRole = specified({
  method: 'PUT',
  path: '/api/system/cscpRoless',
  refuses: ['notFound'],
  limits: manyMenus,
  tag: 'roles',
  access: 'cscp.role.edit',
  action: 'role.update',
  summary: 'Changes a role; absent fields stay; an outdated `version` is 409. A taken name: 200 with code 39.',
  body: Type.Object({
    id: Id,
    ...roleFields,
    version: Type.Optional(Nullable(Version)),
  }),
  reply: RoleSaved,
});

export const countRoleUsers = specified({
  method: 'GET',
  path: '/api/system/cscpRoleUsers/:id',
  tag: 'roles',
  access: ['cscp.role.query', 'cscp.role.del'],
  summary: 'The bare number of accounts that use a role.',
  params: IdParams,
  reply: Type.Integer(),
});

export const deleteRole = specified({
  method: 'DELETE',
  path: '/api/system/cscpRoless/:id',
  tag: 'roles',
  access: 'cscp.role.del',
  action: 'role.delete',
  summary: 'Deletes a role; 400 while accounts use it, or for the first role.',
  params: IdParams,
  reply: Type.Object({ success: Type.Literal(true), msg: Type.String() }),
});

/** A node of the checkbox tree. A leaf has no `items`: clients of the family show an empty list as granted. */
export interface RoleMenuNode {
  id: number;
  title: string;
  language: string | null;
  checked: boolean;
  type: string;
  permissionCode: string | null;
  items?: RoleMenuNode[];
}
export const RoleMenuNode = Type.Unsafe<RoleMenuNode>(
  Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    language: Nullable(Type.String()),
    checked: Type.Boolean(),
    type: Type.String(),
    permissionCode: Nullable(Type.String()),
    items: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  }),
);

/**
 * `checked` is true for granted leaves, and for parents whose descendants are all granted. roles=0: the tree for a new
 * role. The tree contains the entries that the caller may grant and those granted already. `parentId` limits it to
 * another role's menus (ours).
 */
export const getRoleMenus = specified({
  method: 'POST',
  path: '/api/menu/queryByRoleIdPlus',
  refuses: ['notFound'],
  aliases: ['/api/system/menu/queryByRoleId'],
  tag: 'roles',
  access: ['cscp.role.add', 'cscp.role.edit'],
  // It only reads.
  logged: false,
  inPreview: true,
  encoding: 'form',
  summary: 'The menu tree; the entries of a role are checked.',
  body: Type.Object({ roles: Type.Optional(Nullable(IdOrNone)), parentId: Type.Optional(Nullable(IdOrNone)) }),
  reply: Type.Object({ items: Type.Array(RoleMenuNode) }),
});

export const saveRoleMenus = specified({
  method: 'POST',
  path: '/api/system/menu/save',
  refuses: ['notFound'],
  limits: manyMenus,
  tag: 'roles',
  access: ['cscp.role.add', 'cscp.role.edit'],
  action: 'role.menus',
  encoding: 'form',
  summary: 'Replaces everything a role holds.',
  body: Type.Object({
    roles: Id,
    menus: Type.Optional(MenuIds),
    permissions: Type.Optional(Nullable(Type.String({ maxLength: 60_000 }))),
  }),
  reply: Type.Object({ success: Type.Literal(true), msg: Type.String() }),
});

export type RoleDetail = Static<typeof RoleDetail>;
