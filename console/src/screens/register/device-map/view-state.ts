import { useMemo } from 'react';
import { families } from '../../../../../catalogue/families/index.ts';
import { mapStates, type MapStateName } from '../../../../../contract/device-map.ts';
import { usePreference } from '../../../frame/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';

/**
 * What the map shows; states, road and the opened device stand in the address, families are remembered for the account.
 */
export interface View {
  readonly states: ReadonlySet<MapStateName>;
  readonly families: ReadonlySet<string>;
  /** The road that alone is shown. */
  readonly road: { readonly id: number; readonly name: string } | null;
  readonly deviceId: number | null;
  readonly edits: boolean;
}

const number = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
const keys = families.map(({ key }) => key);

/** Families that are switched off, whatever was stored. */
export const readHidden = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? keys.filter((key) => stored.includes(key)) : [];

/** Reads the address; what it cannot read counts as not given, and no state at all as every state. */
export function readView(search: URLSearchParams, hidden: readonly string[]): View {
  const named = (search.get('states') ?? '').split(',');
  const states = mapStates.filter((state) => named.includes(state));
  const roadId = number(search.get('road'));
  return {
    states: new Set(states.length === 0 ? mapStates : states),
    families: new Set(keys.filter((key) => !hidden.includes(key))),
    road: roadId === null ? null : { id: roadId, name: (search.get('roadName') ?? '').slice(0, 100) },
    deviceId: number(search.get('device')),
    edits: search.get('edit') === 'positions',
  };
}

export function useView() {
  const [search, put] = useAddress();
  const [hidden, setHidden] = usePreference<readonly string[]>('device-map:hidden', [], readHidden);
  const view = useMemo(() => readView(search, hidden), [search, hidden]);
  return {
    view,
    put,
    setStates: (states: readonly MapStateName[]) =>
      put({ states: states.length === mapStates.length ? null : states.join(',') }),
    setFamilies: (shown: ReadonlySet<string>) => setHidden(keys.filter((key) => !shown.has(key))),
  };
}
