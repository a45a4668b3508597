import { copyRole, getRolePowers, listRoleSummaries } from '../../../../contract/people/roles.ts';
import {
  countRoleUsers,
  createRole,
  deleteRole,
  getRole,
  getRoleMenus,
  listRoleOptions,
  listRoles,
  saveRoleMenus,
  updateRole,
} from '../../../../contract/specified/roles.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Roles } from './roles.service.ts';

export const rolesRoutes = (roles: Roles): Binding[] => [
  bind(listRoles, ({ query }, { caller }) => roles.list(caller, query)),
  bind(listRoleOptions, ({ query }) => roles.options(query)),
  bind(getRole, ({ params }, { caller }) => roles.get(caller, params.id)),
  bind(createRole, ({ body }, ctx) => roles.create(ctx.caller, ctx.change, body, ctx.language), {
    rules: ({ body = {} }, { caller }) => roles.problems.ofNew(caller, body),
  }),
  bind(updateRole, ({ body }, ctx) => roles.update(ctx.caller, ctx.change, body, ctx.language), {
    rules: ({ body = {} }, { caller }) => roles.problems.ofChange(caller, body),
  }),
  bind(countRoleUsers, ({ params }) => roles.countUsers(params.id)),
  bind(deleteRole, ({ params }, ctx) => roles.remove(ctx.caller, ctx.change, params.id, ctx.language)),
  bind(getRoleMenus, ({ body }, ctx) => roles.menus(ctx.caller, body, ctx.language), {
    rules: ({ body = {} }) => roles.problems.ofMenus(body.parentId),
  }),
  bind(saveRoleMenus, ({ body }, ctx) => roles.saveMenus(ctx.caller, ctx.change, body, ctx.language), {
    rules: ({ body = {} }, { caller }) => roles.problems.ofChange(caller, { menus: body.menus }),
  }),
  bind(copyRole, ({ params, body }, ctx) => roles.copy(ctx.caller, ctx.change, params.id, body.name), {
    rules: ({ body = {} }) => roles.problems.ofCopy(body.name),
  }),
  bind(listRoleSummaries, () => roles.summaries()),
  bind(getRolePowers, ({ params }, ctx) => roles.powers(ctx.caller, params.id, ctx.language)),
];
