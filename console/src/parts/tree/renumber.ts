import type { TreeNode } from './model.ts';
import type { Drop } from './places.ts';

/** A node with its place: `orderby` among its siblings, `parentId` 0 for the first level. */
export interface OrderedNode extends TreeNode {
  readonly parentId: number;
  readonly orderby: number;
}
export interface NewPlace {
  readonly id: number;
  readonly parentId: number;
  readonly orderby: number;
}

/** The children of the new parent as they stand after a drop; `siblings` are those before it, in order. */
export function arranged<N extends TreeNode>(siblings: readonly N[], { node, target, where }: Drop<N>): N[] {
  const others = siblings.filter(({ id }) => id !== node.id);
  const at = others.findIndex(({ id }) => id === target.id);
  const index = where === 'inside' || at < 0 ? others.length : where === 'before' ? at : at + 1;
  return others.toSpliced(index, 0, node);
}

/**
 * What a drop changes (specified 5.6, 7.4): the siblings are numbered from 1 in order, and only nodes whose order or
 * parent changed are told; a node dropped into an empty parent gets order 0.
 */
export function renumbered(parentId: number, children: readonly OrderedNode[], moved: OrderedNode): NewPlace[] {
  const [only] = children;
  if (children.length === 1 && only?.id === moved.id && moved.parentId !== parentId)
    return [{ id: moved.id, parentId, orderby: 0 }];
  return children.flatMap((node, index) =>
    node.parentId === parentId && node.orderby === index + 1 ? [] : [{ id: node.id, parentId, orderby: index + 1 }],
  );
}
