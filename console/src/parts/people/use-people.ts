import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplyOf } from '../../../../contract/route.ts';
import { listUserOptions } from '../../../../contract/specified/work-groups.ts';
import { call, callKey, useCall, type ApiError } from '../../api/index.ts';
import { useRested } from '../form/index.ts';

export type Person = ReplyOf<typeof listUserOptions>['data'][number];
type PersonName = Pick<Person, 'familyName' | 'name' | 'username'>;

/** As members of groups are listed: family name, name, username and mobile (specified 3.13). */
export const withMobile = ({ familyName, name, username, mobile }: Person): string =>
  [`${familyName ?? ''}${name ?? ''}`, username, mobile ?? ''].filter(Boolean).join(' ');

/** As people of organisations are listed: family name + name + (username) (specified 3.13). */
export const withUsername = ({ familyName, name, username }: PersonName): string =>
  `${familyName ?? ''}${name ?? ''}(${username})`;

/** The most that one answer holds (specified 11.3); more come while the list is scrolled. */
const pageSize = 1000;
/** Accounts whose text occurs in any of their fields, page by page from the server. */
function useFound(text: string, asking: boolean) {
  const everywhere =
    text === ''
      ? {}
      : { username: text, familyName: text, name: text, mobile: text, email: text, discTitle: text, discDetail: text };
  return useInfiniteQuery<ReplyOf<typeof listUserOptions>, ApiError, Person[], readonly unknown[], number>({
    queryKey: [...callKey(listUserOptions, everywhere), 'pages'],
    enabled: asking,
    staleTime: 60_000,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(listUserOptions, { query: { page: pageParam, size: pageSize, ...everywhere } }, { quiet: true, signal }),
    getNextPageParam: (last, pages) =>
      last.data.length === pageSize && pages.length * pageSize < last.recordsTotal ? pages.length + 1 : undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: (previous) => previous,
  });
}

/** Accounts to choose from, looked for by the server, and the names of the chosen ones whatever is searched. */
export function usePeople(chosen: readonly number[], asking: boolean, labelOf: (person: Person) => string) {
  const [search, setSearch] = useState('');
  const text = useRested(search.trim());
  const found = useFound(text, asking);
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const unknown = chosen.filter((id) => !known.has(id));
  const named = useCall(
    listUserOptions,
    { query: { page: 0, size: pageSize, ids: unknown.slice(0, pageSize).join(',') } },
    { staleTime: 60_000, enabled: unknown.length > 0 },
  );
  const told = [...(found.data ?? []), ...(unknown.length > 0 ? (named.data?.data ?? []) : [])].filter(
    (person) => known.get(person.userId) !== labelOf(person),
  );
  if (told.length > 0)
    setKnown(new Map([...known, ...told.map((person) => [person.userId, labelOf(person)] as const)]));
  return {
    search,
    setSearch,
    failed: found.isError && !found.data,
    error: found.error,
    refetch: found.refetch,
    searching: found.isFetching || text !== search.trim(),
    options: (found.data ?? []).map((person) => ({ value: person.userId, label: labelOf(person) })),
    more: (): void => {
      if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage();
    },
    nameOf: (id: number): string => known.get(id) ?? `#${id}`,
  };
}
