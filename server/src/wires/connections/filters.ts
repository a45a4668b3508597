import { familyOf } from '../../../../catalogue/index.ts';
import { refuse, refuseFields } from '../../platform/http/index.ts';
import type { Filters } from './connections.store.ts';

/** The filters as they are given; refuses families that nobody declared and spans that end before they begin. */
export function checked<T extends { readonly [K in 'family' | 'from' | 'to']?: Filters[K] | undefined }>(
  filters: T,
): T {
  if (filters.family?.split(',').some((key) => !familyOf(key))) throw refuse('unknownFamily');
  if (filters.from !== undefined && filters.to !== undefined && Date.parse(filters.from) > Date.parse(filters.to))
    throw refuseFields({ field: 'to', rule: 'invalid' });
  return filters;
}
