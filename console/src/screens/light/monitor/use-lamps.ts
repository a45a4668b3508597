import { useEffect, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { getBaseMap } from '../../../../../contract/shell/demo.ts';
import { countLamps, getLampMap, lampStates, listLamps } from '../../../../../contract/light/lamps.ts';
import { callKey, useCall, useLive } from '../../../api/index.ts';
import { LampField } from '../../../parts/map/lamp-field.ts';
import { toQuery, type Filters } from './filters.ts';
import type { LampNews } from './lamp-news.ts';

/**
 * The columns are fetched once and kept up to date by the socket; after this long they are fetched again when looked
 * at.
 */
const mapStaleMs = 5 * 60_000;

/**
 * All lamps for the map, live, with the filters laid over them. `ids`: those that match everything but the states
 * (null: all); states are compared here because they change with every reading.
 */
export function useLampField(filters: Filters, news: LampNews) {
  const client = useQueryClient();
  const all = useCall(getLampMap, { query: {} }, { staleTime: mapStaleMs });
  const ground = useCall(getBaseMap, undefined, { staleTime: Infinity });
  const narrowing = useMemo(() => toQuery({ ...filters, states: [] }), [filters]);
  const narrowed = Object.keys(narrowing).length > 0;
  const matching = useCall(getLampMap, { query: narrowing }, { enabled: narrowed, keepPrevious: true });
  const field = useMemo(() => (all.data ? new LampField(all.data) : null), [all.data]);
  const ids = useMemo(() => (narrowed && matching.data ? new Set(matching.data.ids) : null), [narrowed, matching.data]);

  useLive(
    'lamps',
    (message) => {
      if (message.type === 'lamps') {
        field?.apply(message.lamps);
        news.take(message.lamps);
      } else if (message.type === 'stale') {
        for (const route of [getLampMap, listLamps, countLamps])
          void client.invalidateQueries({ queryKey: callKey(route) });
      }
    },
    all.data?.at ?? null,
  );
  useEffect(() => {
    const states =
      filters.states.length === 0 ? null : new Set(filters.states.map((state) => lampStates.indexOf(state)));
    field?.filter(ids, states);
  }, [field, ids, filters.states]);
  return { all, ground, matching, field, ids, unplaced: (narrowed ? matching.data : all.data)?.unplaced ?? 0 };
}
