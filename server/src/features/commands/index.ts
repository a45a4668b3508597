export { openStates } from './commands.rules.ts';
export { commandsRoutes } from './commands.routes.ts';
export { createCommands } from './commands.service.ts';
export { createDispatcher, type Dispatcher } from './dispatcher.ts';
export { createLimits } from './limits.ts';
export { createProofs, type CommandProofs } from './proofs.ts';
