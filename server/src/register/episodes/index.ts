export {
  connectionSeconds,
  episodeRanks,
  findEpisodes,
  findLines,
  forgetFaults,
  type FoundEpisode,
  type FoundLine,
} from './episodes.store.ts';
export { healFaults, openFaults, recordFaults, type OpenFault } from './faults.ts';
