export { CheckTree } from './CheckTree.tsx';
export { allLeaves, grantedIds, type CheckNode } from './state.ts';
