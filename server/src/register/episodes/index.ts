export {
  connectionSeconds,
  episodeRanks,
  findChanges,
  findEpisodes,
  forgetFaults,
  type FoundEpisode,
} from './episodes.store.ts';
export { healFaults, openFaults, recordFaults, type OpenFault } from './faults.ts';
