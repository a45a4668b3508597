import { useCallback, useEffect, useMemo, useState } from 'react';
import type { LampField } from '../../../parts/map/lamp-field.ts';
import type { Standing } from '../../../parts/commands/send/ScopeFields.tsx';

export interface Selection {
  ids: ReadonlySet<number>;
  replace: (ids: readonly number[]) => void;
  /** Adds them, or takes them away. */
  change: (ids: readonly number[], on: boolean) => void;
  clear: () => void;
}

/** Which lamps are selected, the same on the map and in the list. */
export function useSelection(field: LampField | null): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(() => new Set());
  useEffect(() => field?.select(ids), [field, ids]);
  const replace = useCallback((next: readonly number[]) => setIds(new Set(next)), []);
  const change = useCallback(
    (changed: readonly number[], on: boolean) =>
      setIds((before) => {
        const next = new Set(before);
        for (const id of changed) {
          if (on) next.add(id);
          else next.delete(id);
        }
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setIds(new Set()), []);
  return useMemo(() => ({ ids, replace, change, clear }), [ids, replace, change, clear]);
}

/** How the selected lamps stand; null before the lamps are known. */
export function standingOf(field: LampField | null, ids: ReadonlySet<number>): Standing | null {
  if (field === null) return null;
  const { offline, unknown, maintenance } = field.counts(ids);
  return { total: ids.size, offline: offline + unknown, disabled: maintenance };
}
