import {
  getCommandSettings,
  listCommandPaces,
  updateCommandPace,
  updateCommandSettings,
} from '../../../../contract/light/command-settings.ts';
import {
  cancelCommand,
  createCommand,
  decideCommand,
  exportCommand,
  getCommand,
  listCommands,
  resumeCommand,
  retryCommand,
  verifyCommand,
} from '../../../../contract/light/commands.ts';
import { bind, type Binding, type RequestContext } from '../../platform/http/index.ts';
import type { Tasks } from '../../desk/tasks/index.ts';
import type { Change } from './commands.service.ts';
import type { CommandFeature } from './feature.ts';

const changeOf =
  (ctx: RequestContext): Change =>
  (action, work) =>
    ctx.change({ action }, work);

export function commandsRoutes({ commands, reading, control, settings }: CommandFeature): Binding[] {
  return [
    bind(createCommand, ({ body }, ctx) => commands.create(ctx.caller, changeOf(ctx), body), {
      rules: ({ body = {} }, { caller }) => commands.problems(caller, body),
    }),
    bind(listCommands, ({ query }, { caller }) => reading.list(caller, query)),
    bind(getCommand, ({ params, query }, { caller }) => reading.get(caller, params.id, query)),
    bind(retryCommand, ({ params, body }, ctx) => commands.retry(ctx.caller, changeOf(ctx), params.id, body), {
      rules: 'none',
    }),
    bind(
      verifyCommand,
      ({ params, body }, ctx) => commands.verify(ctx.caller, changeOf(ctx), params.id, body.requestId),
      { rules: 'none' },
    ),
    bind(cancelCommand, ({ params, body }, ctx) => control.cancel(ctx, params.id, body), { rules: 'none' }),
    bind(resumeCommand, ({ params, body }, ctx) => control.resume(ctx, params.id, body), { rules: 'none' }),
    bind(decideCommand, ({ params, body }, ctx) => control.decide(ctx, params.id, body), {
      rules: ({ body = {} }) => control.decisionProblems(body),
    }),
    bind(getCommandSettings, () => settings.get()),
    bind(updateCommandSettings, ({ body }, ctx) => settings.update(ctx, body), {
      rules: ({ body = {} }) => settings.problems(body),
    }),
    bind(listCommandPaces, ({ query }, { caller }) => settings.paces(caller, query)),
    bind(updateCommandPace, ({ params, body }, ctx) => settings.setPace(ctx, params.id, body.perSecond), {
      rules: 'none',
    }),
  ];
}

/** The results of a command as a file: long work of whoever asks for it. */
export const commandExportRoutes = (tasks: Tasks): Binding[] => [
  bind(
    exportCommand,
    async ({ params, body }, ctx) => {
      const { id } = await tasks.begin(ctx, 'export.command', {
        commandId: params.id,
        format: body.format ?? 'xlsx',
        states: body.states ?? null,
        workAreaId: ctx.caller.workAreaId,
      });
      return { taskId: id };
    },
    { rules: 'none' },
  ),
];
