import { useEffect, useState } from 'react';
import { search } from '../../../../contract/register/search.ts';
import { useCall } from '../../api/index.ts';

const DEBOUNCE_MS = 200;

/**
 * What the server finds for a text, a moment after the last key. `settled`: the answer is for what stands there now.
 */
export function useThings(text: string) {
  const sought = text.trim();
  const [asked, setAsked] = useState(sought);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(sought), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [sought]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useCall(
    search,
    { query: { q: asked.slice(0, 60) } },
    { enabled: asked !== '', keepPrevious: true },
  );
  const settled = sought === '' || (asked === sought && !isFetching && !isPlaceholderData);
  return {
    groups: sought === '' ? [] : (data?.groups ?? []),
    error: settled && sought !== '' ? error : null,
    settled,
    refetch,
  };
}
