export {
  connectionSeconds,
  episodeRanks,
  findChanges,
  findEpisodes,
  forgetFaults,
  type FoundEpisode,
} from './episodes.store.ts';
export { healFaults, recordFaults, type FaultNow } from './faults.ts';
