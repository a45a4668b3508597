import { createCommands, type CommandsParts } from './commands.service.ts';
import { createControl } from './control.ts';
import { createReading } from './reading.service.ts';
import { createCommandSettings } from './settings.service.ts';
import type { CommandLimits } from './settings.ts';

export type CommandFeatureParts = CommandsParts & { readonly limits: () => Promise<CommandLimits> };
/** Everything people do with commands: give them, look at them, decide about them, and say how they are to be given. */
export const createCommandFeature = (parts: CommandFeatureParts) => ({
  commands: createCommands(parts), reading: createReading(parts), control: createControl(parts), settings: createCommandSettings(parts),
});
export type CommandFeature = ReturnType<typeof createCommandFeature>;
