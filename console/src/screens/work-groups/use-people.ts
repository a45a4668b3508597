import { useEffect, useState } from 'react';
import type { ReplyOf } from '../../../../contract/route.ts';
import { listUserOptions } from '../../../../contract/specified/work-groups.ts';
import { useCall } from '../../api/index.ts';

type Person = ReplyOf<typeof listUserOptions>['data'][number];

/** Family name, name, username and mobile (S2 section 3). */
const labelOf = ({ familyName, name, username, mobile }: Person): string => [`${familyName ?? ''}${name ?? ''}`, username, mobile ?? ''].filter(Boolean).join(' ');

/** The text of a search box once the typing rests (S2 section 9: 200 ms). */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** Accounts to choose from, looked for by the server in every field of theirs, and the names of the chosen ones. */
export function usePeople(chosen: readonly number[], asking: boolean) {
  const [search, setSearch] = useState('');
  const text = useRested(search.trim());
  const everywhere = text === '' ? {} : { username: text, familyName: text, name: text, mobile: text, email: text, discTitle: text, discDetail: text };
  const found = useCall(listUserOptions, { query: { page: 0, size: 1000, ...everywhere } }, { quiet: true, keepPrevious: true, staleTime: 60_000, enabled: asking });
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const unknown = chosen.filter((id) => !known.has(id));
  const named = useCall(listUserOptions, { query: { page: 0, size: 1000, ids: unknown.join(',') } }, { quiet: true, staleTime: 60_000, enabled: unknown.length > 0 });
  const told = [...(found.data?.data ?? []), ...(unknown.length > 0 ? named.data?.data ?? [] : [])].filter(({ userId, ...person }) => known.get(userId) !== labelOf({ userId, ...person }));
  if (told.length > 0) setKnown(new Map([...known, ...told.map((person) => [person.userId, labelOf(person)] as const)]));
  return {
    search, setSearch, failed: found.isError && !found.data, error: found.error, refetch: found.refetch, searching: found.isFetching || text !== search.trim(),
    options: (found.data?.data ?? []).map((person) => ({ value: person.userId, label: labelOf(person) })),
    nameOf: (id: number): string => known.get(id) ?? `#${id}`,
  };
}
