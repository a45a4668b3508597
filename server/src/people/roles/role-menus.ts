import type { Language } from '../../../../catalogue/languages.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getRolePowers } from '../../../../contract/people/roles.ts';
import type { RoleMenuNode } from '../../../../contract/specified/roles.ts';
import { titleIn, type MenuTree } from '../menus/index.ts';

export interface TreeWish {
  readonly granted: ReadonlySet<number>;
  /** What the caller may grant. */
  readonly grantable: ReadonlySet<number>;
  readonly language: Language;
}

/**
 * The checkbox tree of a role: what may be granted, what is granted already, and the way there. `checked` (specified
 * 4.6): granted leaves, and parents whose descendants are all granted; a half-checked parent is unchecked though it is
 * granted.
 */
export function checkboxTree(tree: MenuTree, { granted, grantable, language }: TreeWish): RoleMenuNode[] {
  const own = [...tree.entries.keys()].filter((id) => granted.has(id) || grantable.has(id));
  const shown = new Set([...own, ...own.flatMap((id) => tree.ancestorsOf(id).map((entry) => entry.id))]);
  const nodesOf = (parentId: number): RoleMenuNode[] =>
    tree
      .childrenOf(parentId)
      .filter(({ id }) => shown.has(id))
      .map((entry) => {
        const items = nodesOf(entry.id);
        const checked = items.length === 0 ? granted.has(entry.id) : items.every((item) => item.checked);
        return {
          id: entry.id,
          title: titleIn(entry, language),
          language: entry.language,
          checked,
          type: entry.type,
          permissionCode: entry.permissionCode,
          ...(items.length === 0 ? {} : { items }),
        };
      });
  return nodesOf(0);
}

/** What a role may do: every entry it holds, in the order of the tree, with the way to it from the top. */
export function powersOf(
  tree: MenuTree,
  granted: ReadonlySet<number>,
  language: Language,
): ReplyOf<typeof getRolePowers>['powers'] {
  return tree
    .inOrder()
    .filter(({ id }) => granted.has(id))
    .map((entry) => ({
      menuId: entry.id,
      type: entry.type,
      permissionCode: entry.permissionCode,
      path: [...tree.ancestorsOf(entry.id).toReversed(), entry].map((step) => ({
        title: titleIn(step, language),
        language: step.language,
      })),
    }));
}
