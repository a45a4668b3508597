/** What a tree is made of; ids are unique in the whole tree. */
export interface TreeNode {
  readonly id: number;
}

/**
 * Where a tree's nodes come from. Children that are not there yet are fetched by the screen when their parent is
 * opened.
 */
export interface TreeSource<N extends TreeNode> {
  readonly roots: readonly N[];
  childrenOf(node: N): readonly N[] | 'loading' | 'failed';
  mayHaveChildren(node: N): boolean;
}

/** One visible line. `position` of `size` among its siblings, both from 1; `level` from 1. */
export interface TreeRow<N extends TreeNode> {
  readonly node: N;
  readonly parent: TreeRow<N> | undefined;
  readonly level: number;
  readonly position: number;
  readonly size: number;
  readonly state: 'leaf' | 'closed' | 'open' | 'loading' | 'failed';
}

/** The visible lines from top to bottom: every node whose ancestors are all open. */
export function rowsOf<N extends TreeNode>(source: TreeSource<N>, open: ReadonlySet<number>): TreeRow<N>[] {
  const rows: TreeRow<N>[] = [];
  const add = (nodes: readonly N[], parent: TreeRow<N> | undefined): void => {
    nodes.forEach((node, index) => {
      const children = !source.mayHaveChildren(node)
        ? undefined
        : open.has(node.id)
          ? source.childrenOf(node)
          : 'closed';
      const state = children === undefined ? 'leaf' : typeof children === 'string' ? children : 'open';
      const row: TreeRow<N> = {
        node,
        parent,
        level: (parent?.level ?? 0) + 1,
        position: index + 1,
        size: nodes.length,
        state,
      };
      rows.push(row);
      if (Array.isArray(children)) add(children, row);
    });
  };
  add(source.roots, undefined);
  return rows;
}

/** Whether a row is the one of this id, or lies below it. */
export function isWithin<N extends TreeNode>(row: TreeRow<N> | undefined, id: number): boolean {
  for (let at = row; at; at = at.parent) if (at.node.id === id) return true;
  return false;
}

/** The last visible line at or below a row: after it the next sibling begins. */
export function lastRowOf<N extends TreeNode>(rows: readonly TreeRow<N>[], row: TreeRow<N>): TreeRow<N> {
  let last = row;
  for (let index = rows.indexOf(row) + 1; index < rows.length; index += 1) {
    const next = rows[index];
    if (!next || next.level <= row.level) break;
    last = next;
  }
  return last;
}

/**
 * The next row whose text begins with what was typed, from the row after `from` and around; the same letter again goes
 * on.
 */
export function findTyped<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  from: number,
  typed: string,
  textOf: (node: N) => string,
): TreeRow<N> | undefined {
  const letters = [...typed.toLowerCase()];
  const repeated = letters.length > 1 && letters.every((letter) => letter === letters[0]);
  const sought = repeated ? (letters[0] ?? '') : letters.join('');
  const start = letters.length > 1 && !repeated ? from : from + 1;
  return rows
    .map((_, index) => rows[(start + index) % rows.length])
    .find((row) => row !== undefined && textOf(row.node).toLowerCase().startsWith(sought));
}
