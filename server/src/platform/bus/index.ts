export { startBus, type Bus, type RunningBus } from './bus.ts';
export type { Topic, Topics } from './topics.ts';
