import type { Language } from '../../../../catalogue/languages.ts';
import type { menuTypes } from '../../../../contract/specified/menu-configuration.ts';

export type MenuType = (typeof menuTypes)[number];

/**
 * A menu entry; parentId 0 is the root, `title` the Chinese one, `titles` those of the other languages by their tag.
 */
export interface MenuEntry {
  readonly id: number;
  readonly parentId: number;
  readonly type: MenuType;
  readonly title: string;
  readonly titles: Readonly<Record<string, string>>;
  readonly name: string;
  readonly icon: string | null;
  readonly url: string | null;
  readonly component: string | null;
  readonly permissionCode: string | null;
  readonly sortOrder: number;
  readonly language: string | null;
  readonly version: number;
}

/** All entries with their places. */
export interface MenuTree<E extends MenuEntry = MenuEntry> {
  readonly entries: ReadonlyMap<number, E>;
  /** Direct children in order; 0 is the root. */
  childrenOf(id: number): readonly E[];
  /** From the parent up to the first level. */
  ancestorsOf(id: number): readonly E[];
  /** Everything below, not the entry itself. */
  descendantsOf(id: number): readonly E[];
  /** Every entry, parents before children, siblings in order. */
  inOrder(): readonly E[];
}

/** Makes the tree of rows that come with their siblings in order. */
export function menuTree<E extends MenuEntry>(rows: readonly E[]): MenuTree<E> {
  const entries = new Map(rows.map((row) => [row.id, row]));
  const children = Map.groupBy(rows, ({ parentId }) => parentId);
  const childrenOf = (id: number): readonly E[] => children.get(id) ?? [];
  const below = (id: number): E[] => childrenOf(id).flatMap((child) => [child, ...below(child.id)]);
  return {
    entries,
    childrenOf,
    ancestorsOf(id) {
      const found: E[] = [];
      for (
        let entry = entries.get(entries.get(id)?.parentId ?? 0);
        entry && !found.includes(entry);
        entry = entries.get(entry.parentId)
      )
        found.push(entry);
      return found;
    },
    descendantsOf: below,
    inOrder: () => below(0),
  };
}

/** What an entry is called in a language: the site's own word for it, or else the Chinese one. */
export const titleIn = ({ title, titles }: Pick<MenuEntry, 'title' | 'titles'>, language: Language): string =>
  (Object.hasOwn(titles, language) ? titles[language] : undefined) ?? title;
