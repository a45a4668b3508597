import { searchKinds, type SearchKind } from '../../../../contract/register/search.ts';
import { usePreference } from '../../frame/preferences.ts';

/** What was opened from the search: a page by its path, or a thing. */
export type Recent =
  | { readonly kind: 'page'; readonly path: string }
  | {
      readonly kind: SearchKind;
      readonly id: number;
      readonly family: string | null;
      readonly code: string;
      readonly name: string | null;
    };

const MOST = 6;
const keyOf = (one: Recent): string => (one.kind === 'page' ? one.path : `${one.kind} ${one.id}`);

function isRecent(one: unknown): one is Recent {
  if (typeof one !== 'object' || one === null) return false;
  const { kind, path, id, code } = one as Record<string, unknown>;
  return kind === 'page'
    ? typeof path === 'string'
    : searchKinds.some((known) => known === kind) && typeof id === 'number' && typeof code === 'string';
}
const read = (stored: unknown): readonly Recent[] =>
  Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST) : [];

/** The last things opened from the search, newest first, kept for the account. */
export function useRecent(): [readonly Recent[], (one: Recent) => void] {
  const [recent, keep] = usePreference<readonly Recent[]>('search.recent', [], read);
  return [recent, (one) => keep([one, ...recent.filter((other) => keyOf(other) !== keyOf(one))].slice(0, MOST))];
}
