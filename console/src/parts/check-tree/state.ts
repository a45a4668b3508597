/** A node of a tree of checkboxes. What a parent shows follows from its leaves. */
export interface CheckNode {
  readonly id: number;
  readonly title: string;
  readonly items: readonly CheckNode[];
}

export type Checked = 'true' | 'false' | 'mixed';

const leavesOf = (node: CheckNode): readonly number[] =>
  node.items.length === 0 ? [node.id] : node.items.flatMap(leavesOf);

/** A leaf is checked or not; a parent when all its leaves are, mixed when some are. */
export function stateOf(node: CheckNode, leaves: ReadonlySet<number>): Checked {
  const own = leavesOf(node);
  const count = own.filter((id) => leaves.has(id)).length;
  return count === 0 ? 'false' : count === own.length ? 'true' : 'mixed';
}

/** The leaves after a click on a node: all of its own, or none when all were checked. */
export function toggled(node: CheckNode, leaves: ReadonlySet<number>): ReadonlySet<number> {
  const own = leavesOf(node);
  const after = new Set(leaves);
  const off = stateOf(node, leaves) === 'true';
  for (const id of own) {
    if (off) after.delete(id);
    else after.add(id);
  }
  return after;
}

export const allLeaves = (nodes: readonly CheckNode[]): Set<number> => new Set(nodes.flatMap(leavesOf));

/** What is granted: checked leaves and every node above one, half-checked parents included (specified 4.5). */
export function grantedIds(nodes: readonly CheckNode[], leaves: ReadonlySet<number>): number[] {
  return nodes.flatMap((node) =>
    stateOf(node, leaves) === 'false' ? [] : [node.id, ...grantedIds(node.items, leaves)],
  );
}

/** The nodes whose title contains the text, with all above and below them; undefined without a text: everything. */
export function matching(nodes: readonly CheckNode[], text: string): ReadonlySet<number> | undefined {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return undefined;
  const found = new Set<number>();
  const addAll = (node: CheckNode): void => {
    found.add(node.id);
    node.items.forEach(addAll);
  };
  const visit = (node: CheckNode): boolean => {
    if (node.title.toLocaleLowerCase().includes(wanted)) {
      addAll(node);
      return true;
    }
    const below = node.items.map(visit).some(Boolean);
    if (below) found.add(node.id);
    return below;
  };
  nodes.forEach(visit);
  return found;
}

export interface Line {
  readonly node: CheckNode;
  readonly level: number;
  readonly position: number;
  readonly size: number;
  readonly parent: number | undefined;
}

/** The visible lines from top to bottom. */
export function linesOf(
  nodes: readonly CheckNode[],
  isOpen: (id: number) => boolean,
  shown: ReadonlySet<number> | undefined,
  level = 1,
  parent?: number,
): Line[] {
  const visible = shown ? nodes.filter(({ id }) => shown.has(id)) : nodes;
  return visible.flatMap((node, index) => [
    { node, level, position: index + 1, size: visible.length, parent },
    ...(isOpen(node.id) ? linesOf(node.items, isOpen, shown, level + 1, node.id) : []),
  ]);
}
