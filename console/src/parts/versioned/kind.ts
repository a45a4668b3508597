import type { Static, TSchema } from 'typebox';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { RouteShape } from '../../../../contract/route.ts';
import type { listSchemes } from '../../../../contract/light/schemes.ts';
import type { listTemplates } from '../../../../contract/light/templates.ts';
import type { draftDifference, VersionRow as Row } from '../../../../contract/light/versioned.ts';

/** What energy-saving schemes and work parameter templates have in common, for the parts that edit both. */

export type ItemRow = (Static<(typeof listSchemes)['reply']> | Static<(typeof listTemplates)['reply']>)['data'][number];
export type VersionRow = Static<typeof Row>;
export type Item<C> = ItemRow & { readonly content: C | null };
export type ItemVersion<C> = VersionRow & { readonly contentHash: string; readonly content: C };

/** The member `difference` of a refused draft. */
export type Difference<C> = Omit<Static<ReturnType<typeof draftDifference<TSchema>>>, 'base' | 'theirs' | 'mine'> & {
  readonly base: C | null;
  readonly theirs: C | null;
  readonly mine: C;
};

/** A path in words: what it is, and its value in a content. */
export interface PathWords<C> {
  /** The path of what is spoken of as one thing: a period, not each of its members. */
  readonly unit: (path: string) => string;
  readonly label: (path: string, content: C) => string;
  readonly value: (path: string, content: C) => string;
}

interface VersionFile {
  readonly key: 'calendar' | 'periods';
  readonly extension: string;
  readonly save: (id: number, number: number, name: string) => Promise<void>;
}

/** One kind of thing with drafts and versions: its calls, and what a content is. */
export interface Kind<C> {
  readonly name: 'schemes' | 'templates';
  /** What changes it. */
  readonly permission: Permission;
  /** What a change makes old. */
  readonly routes: readonly RouteShape[];
  readonly fresh: C;
  readonly problemsOf: (content: C) => Problem[];
  readonly create: (body: { code: string; name: string; workAreaId: number | null }) => Promise<Item<C>>;
  readonly rename: (id: number, body: { version: number; code: string; name: string }) => Promise<Item<C>>;
  readonly remove: (id: number) => Promise<unknown>;
  readonly save: (id: number, body: { version: number; content: C }) => Promise<Item<C>>;
  readonly discard: (id: number, version: number) => Promise<Item<C>>;
  readonly freeze: (id: number, body: { version: number; note: string | null }) => Promise<ItemVersion<C>>;
  readonly read: (id: number) => Promise<Item<C>>;
  readonly withdraw: (id: number, version: number) => Promise<Item<C>>;
  readonly restore: (id: number, version: number) => Promise<Item<C>>;
  readonly readVersion: (id: number, number: number) => Promise<ItemVersion<C>>;
  readonly saveFile: (id: number, number: number, name: string) => Promise<void>;
  /** Other files of a version, by what they hold. */
  readonly files: readonly VersionFile[];
  readonly bring: (body: {
    workAreaId: number | null;
    code?: string;
    name?: string;
    file: Record<string, unknown>;
  }) => Promise<Item<C>>;
}
