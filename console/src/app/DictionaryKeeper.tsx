import { useEffect } from 'react';
import { listDictionaries } from '../../../contract/register/dictionaries.ts';
import { useCall } from '../api/index.ts';
import { keepDictionaries } from '../locales/dictionaries.ts';

const OFTEN_MS = 5 * 60_000;

/**
 * Keeps the site's dictionaries at hand: what administrators call the values of lists and forms, at most five minutes
 * old.
 */
export function DictionaryKeeper() {
  const { data } = useCall(listDictionaries, { query: {} }, { every: OFTEN_MS, staleTime: OFTEN_MS });
  useEffect(() => {
    if (data) keepDictionaries(data.data);
  }, [data]);
  return null;
}
