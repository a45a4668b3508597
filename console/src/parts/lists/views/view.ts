import type { ReplyOf } from '../../../../../contract/route.ts';
import type { listSavedViews } from '../../../../../contract/people/saved-views.ts';
import type { ListAddress } from '../use-list-address.ts';

export type View = ReplyOf<typeof listSavedViews>['data'][number];

/** What a view keeps of a list's address. */
interface Conditions {
  readonly filters: Readonly<Record<string, string>>;
  readonly sort: string | undefined;
}

export const conditionsOf = ({ conditions, sort }: Pick<View, 'conditions' | 'sort'>): Conditions => ({
  filters: conditions,
  sort: sort ?? undefined,
});

const text = ({ filters, sort }: Conditions): string =>
  JSON.stringify([Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)), sort ?? null]);

/** Two views show the same: equal filters in any order, and the same order of rows. */
export const areSame = (one: Conditions, other: Conditions): boolean => text(one) === text(other);

export const isBare = ({ filters, sort }: Conditions): boolean => Object.keys(filters).length === 0 && !sort;

/** Nothing was asked of the list yet: its menu entry was opened. */
export const isUntouched = (address: ListAddress): boolean =>
  isBare(address) && address.page === 1 && address.open === null && address.form === null;
