export { Tree } from './Tree.tsx';
export { TreeButton } from './TreeButton.tsx';
export type { TreeSource } from './model.ts';
export type { Drop, MayDrop } from './places.ts';
export { fetchLevel, forgetBranch, useLazyTree, type Levels } from './use-lazy-tree.ts';
export { useTreeDrop } from './use-tree-drop.ts';
