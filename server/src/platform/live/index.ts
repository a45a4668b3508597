export { createHints, type Hint } from './hints.ts';
export { keptMs, Lately, slackMs } from './lately.ts';
export { createLive, type Live, type LiveTopic, type Send } from './live.ts';
