import {
  createWorkGroup,
  deleteWorkGroup,
  getWorkGroup,
  listWorkGroupOptions,
  listWorkGroups,
  updateWorkGroup,
} from '../../../../contract/specified/work-groups.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { WorkGroups } from './work-groups.service.ts';

export function workGroupsRoutes(groups: WorkGroups): Binding[] {
  return [
    bind(listWorkGroups, ({ query }, { caller }) => groups.list(caller, query)),
    bind(getWorkGroup, ({ params }, { caller }) => groups.get(caller, params.id)),
    bind(createWorkGroup, ({ body }, { caller, change, language }) => groups.create(caller, change, body, language), {
      rules: ({ body = {} }, { caller }) => groups.problems(caller, body, true),
    }),
    bind(updateWorkGroup, ({ body }, { caller, change, language }) => groups.update(caller, change, body, language), {
      rules: ({ body = {} }, { caller }) => groups.problems(caller, body, false),
    }),
    bind(deleteWorkGroup, ({ params }, { caller, change, language }) =>
      groups.remove(caller, change, params.id, language),
    ),
    bind(listWorkGroupOptions, (_input, { caller }) => groups.options(caller)),
  ];
}
