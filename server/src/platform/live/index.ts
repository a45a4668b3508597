export { createLive, type Live, type LiveParts, type LiveTopic, type Send } from './live.ts';
