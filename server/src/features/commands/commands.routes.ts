import { createCommand, getCommand, listCommands, retryCommand } from '../../../../contract/routes/commands.ts';
import { bind, type Binding, type RequestContext } from '../../platform/http/index.ts';
import type { Change, Commands } from './commands.service.ts';

const changeOf = (ctx: RequestContext): Change => (action, work) => ctx.change({ action }, work);

export function commandsRoutes(commands: Commands): Binding[] {
  return [
    bind(createCommand, ({ body }, ctx) => commands.create(ctx.caller, changeOf(ctx), body)),
    bind(listCommands, ({ query }, { caller }) => commands.list(caller, query)),
    bind(getCommand, ({ params, query }, { caller }) => commands.get(caller, params.id, query)),
    bind(retryCommand, ({ params }, ctx) => commands.retry(ctx.caller, changeOf(ctx), params.id)),
  ];
}
