import { useMemo } from 'react';
import { create } from 'zustand';
import type { OptionLabels } from '../../../catalogue/names.ts';
import type { listDictionaries } from '../../../contract/register/dictionaries.ts';
import type { ReplyOf } from '../../../contract/route.ts';

export type Dictionary = ReplyOf<typeof listDictionaries>['data'][number];

/**
 * The site's dictionaries as last fetched, by code; empty until they are there: then the catalogue's own words stand.
 */
export const useDictionaryStore = create<{ readonly dictionaries: ReadonlyMap<string, Dictionary> }>(() => ({
  dictionaries: new Map(),
}));

export const keepDictionaries = (data: readonly Dictionary[]): void =>
  useDictionaryStore.setState({ dictionaries: new Map(data.map((one) => [one.code, one])) });

/** One dictionary; undefined while it is unknown. */
export const useDictionary = (code: string): Dictionary | undefined =>
  useDictionaryStore((state) => state.dictionaries.get(code));

/** What the dictionaries call the values of option sets. */
export function useOptionLabels(): OptionLabels {
  const dictionaries = useDictionaryStore((state) => state.dictionaries);
  return useMemo(
    () =>
      new Map(
        [...dictionaries].map(([code, { items }]) => [code, new Map(items.map(({ value, label }) => [value, label]))]),
      ),
    [dictionaries],
  );
}
