import { useCallback, useEffect, useMemo, useState } from 'react';
import type { DeviceField } from '../../../parts/map/device-field.ts';

const none: ReadonlySet<number> = new Set();

/** What is selected on the map. What left it meanwhile is neither counted nor asked for. */
export function useSelection(field: DeviceField) {
  const [chosen, setChosen] = useState(none);
  const selected = useMemo(() => new Set([...chosen].filter((id) => field.indexOf(id) !== undefined)), [chosen, field]);
  useEffect(() => field.select(selected), [field, selected]);
  return {
    selected,
    ofFamily: (key: string): number[] => [...selected].filter((id) => field.familyOf(field.indexOf(id)!) === key),
    add: useCallback((ids: readonly number[]) => setChosen((before) => new Set([...before, ...ids])), []),
    clear: useCallback(() => setChosen(none), []),
  };
}
