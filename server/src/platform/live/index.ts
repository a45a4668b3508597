export { createLive, type Live, type LiveTopic, type Send } from './live.ts';
