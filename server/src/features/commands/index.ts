export { openStates } from './commands.rules.ts';
export { commandsRoutes } from './commands.routes.ts';
export { createCommands, type Commands } from './commands.service.ts';
export { createDispatcher, type Dispatcher } from './dispatcher.ts';
export { createLimits, defaultLimits, type CommandLimits } from './limits.ts';
export { createProofs, type Acknowledgement, type CommandProofs } from './proofs.ts';
