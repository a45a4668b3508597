import { refuse } from '../../platform/http/index.ts';

/** So many files at once are streamed by one process, one for each account; tasks wait in their own row. */
const mostAtOnce = 2;
/** When a refused caller may try again. */
const retrySeconds = 30;

/** Places for exports that answer at once. `take` returns how to give the place back, or refuses `tooManyExports`. */
export function createExportSlots() {
  const taken = new Set<number>();
  return {
    take(accountId: number): () => void {
      if (taken.size >= mostAtOnce || taken.has(accountId))
        throw refuse('tooManyExports', {}, { headers: { 'retry-after': String(retrySeconds) } });
      taken.add(accountId);
      let isGiven = false;
      return () => {
        if (!isGiven) taken.delete(accountId);
        isGiven = true;
      };
    },
  };
}
