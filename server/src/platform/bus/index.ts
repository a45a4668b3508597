export { startBus, type Bus, type RunningBus } from './bus.ts';
