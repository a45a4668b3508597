export { openStates } from './commands.rules.ts';
export { commandsRoutes } from './commands.routes.ts';
export { createCommandFeature, type CommandFeatureParts } from './feature.ts';
export { createDispatcher, type Dispatcher, type DispatcherParts } from './dispatcher.ts';
export { commandExportTask } from './export-task.ts';
export { createProofs, type CommandProofs } from './proofs.ts';
export { createLimits } from './settings.ts';
