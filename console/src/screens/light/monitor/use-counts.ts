import { countLamps } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';
import { toQuery, type Filters } from './filters.ts';

/** How many lamps match, and in which states; asked again every 30 s, and by the socket's word. */
export function useMatchingCount(filters: Filters) {
  return useCall(countLamps, { query: toQuery(filters) }, { keepPrevious: true, every: 30_000 });
}
