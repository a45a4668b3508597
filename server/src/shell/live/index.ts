export { createLiveTopics } from './topics.ts';
