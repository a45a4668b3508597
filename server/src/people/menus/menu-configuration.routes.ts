import {
  deleteMenuNode,
  getMenuNodes,
  moveMenuNodes,
  saveMenuNode,
} from '../../../../contract/specified/menu-configuration.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { MenuConfiguration } from './menu-configuration.service.ts';

export const menuConfigurationRoutes = (menus: MenuConfiguration): Binding[] => [
  bind(getMenuNodes, ({ query }, { caller }) => menus.list(caller, query.parentId ?? 0)),
  bind(saveMenuNode, ({ body }, ctx) => menus.save(ctx.caller, ctx.change, body, ctx.language), {
    rules: ({ body = {} }, { caller }) => menus.problems(caller, body),
  }),
  bind(moveMenuNodes, ({ body }, ctx) => menus.move(ctx.caller, ctx.change, body, ctx.language), {
    rules: ({ body = [] }, { caller }) => menus.dropProblems(caller, body),
  }),
  bind(deleteMenuNode, ({ params }, ctx) => menus.remove(ctx.caller, ctx.change, params.id, ctx.language)),
];
