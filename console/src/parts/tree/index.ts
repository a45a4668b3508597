export { Tree } from './Tree.tsx';
export type { TreeSource } from './model.ts';
export type { Drop, MayDrop } from './places.ts';
export { arranged, renumbered } from './renumber.ts';
