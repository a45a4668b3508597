export { Tree, type TreeProps } from './Tree.tsx';
export type { TreeNode, TreeSource } from './model.ts';
export type { Drop, MayDrop, Where } from './places.ts';
export { arranged, renumbered, type NewPlace, type OrderedNode } from './renumber.ts';
