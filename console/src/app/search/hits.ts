import type { SearchKind } from '../../../../contract/register/search.ts';
import type { IconName } from '../../parts/index.ts';
import type { Recent } from './use-recent.ts';

/** What the preview beside the list shows of a line. */
export type About = {
  readonly kind: 'lamps';
  readonly query: { roadIds?: string; groupId?: number; controllerId?: number };
};

/** One line of the search: what it is called, where it is, and what choosing it opens or does. */
export interface Hit {
  readonly key: string;
  readonly icon: IconName;
  readonly code: string | null;
  readonly title: string;
  readonly place: string;
  /** A page or thing: its address, and how it is kept among the recent ones. An act: what it does. */
  readonly go:
    | { readonly address: string; readonly recent: Recent }
    | { readonly act: () => void; readonly asks: boolean };
  readonly about?: About;
}
export interface HitGroup {
  readonly key: 'recent' | 'commands' | 'actions' | 'pages' | SearchKind | 'morePages';
  readonly hits: readonly Hit[];
}
