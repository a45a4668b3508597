import type { Tasks } from '../../desk/tasks/index.ts';
import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { unlessDry } from '../../platform/dry-run.ts';
import type { Hint } from '../../platform/live/index.ts';
import type { AreasOf } from '../../register/devices/index.ts';
import type { DeviceLink } from '../../wires/link/index.ts';
import { commandExportRoutes, commandsRoutes } from './commands.routes.ts';
import { createCommands, type CommandsParts } from './commands.service.ts';
import { createControl } from './control.ts';
import { createDispatcher } from './dispatcher.ts';
import { commandExportTask } from './export-task.ts';
import { createReading } from './reading.service.ts';
import { createCommandSettings } from './settings.service.ts';
import { createLimits, type CommandLimits } from './settings.ts';
import type { LampPlans } from '../plans/index.ts';

export type CommandFeatureParts = CommandsParts & { readonly limits: () => Promise<CommandLimits> };
/** Everything people do with commands: give them, look at them, decide about them, and say how they are to be given. */
export const createCommandFeature = (parts: CommandFeatureParts) => ({
  commands: createCommands(parts),
  reading: createReading(parts),
  control: createControl(parts),
  settings: createCommandSettings(parts),
});
export type CommandFeature = ReturnType<typeof createCommandFeature>;

/** Some command changed: lists of commands are others. */
export const commandsHint: Hint = {
  topic: 'commands',
  permissions: ['lamp.monitor', 'lamp.approve'],
  gathered: true,
  listen: (bus, say) => [bus.subscribe('commands.changed', () => say({ type: 'commands' }))],
};

export function commandsFeature(
  { db, answering, bus, clock, watch, sheets, log }: Floor,
  {
    tasks,
    link,
    areasOf,
    plans,
  }: { readonly tasks: Tasks; readonly link: DeviceLink; readonly areasOf: AreasOf; readonly plans: LampPlans },
): Feature {
  const limits = createLimits({ db, clock, bus });
  const dispatcher = createDispatcher({
    db,
    clock: watch.jobs.named('commands'),
    bus,
    link,
    log,
    limits,
    meter: watch.meters.command,
  });
  return {
    routes: [
      ...commandsRoutes(
        createCommandFeature({
          db: answering,
          clock,
          bus,
          plans,
          limits,
          queued: unlessDry(() => dispatcher.wake(), undefined),
        }),
      ),
      ...commandExportRoutes(tasks),
    ],
    hints: [commandsHint],
    tasks: commandExportTask({ db, sheets, areasOf }),
    jobs: [{ name: 'dispatcher', where: 'every process', start: () => dispatcher.start() }],
  };
}
