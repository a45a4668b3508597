import { useMemo } from 'react';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';

export type ScopeName = 'roadId' | 'groupId' | 'controllerId';
interface ScopeRow {
  readonly id: number;
  readonly name: string;
  readonly lamps: number;
}

/** Whose lamps a command can be for: roads, groups and controllers; none before they are known. */
export function useScopeRows(enabled = true) {
  const { data, isPending } = useCall(getLampFilters, undefined, { enabled, staleTime: 60_000 });
  const rows = useMemo(
    (): Readonly<Record<ScopeName, readonly ScopeRow[]>> => ({
      roadId: data?.roads ?? [],
      groupId: data?.groups ?? [],
      controllerId: (data?.controllers ?? []).map(({ id, code, name, lamps }) => ({
        id,
        name: name ? `${code} ${name}` : code,
        lamps,
      })),
    }),
    [data],
  );
  return { rows, isPending };
}
