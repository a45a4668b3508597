export { judgeAlarms, worstFirst, type Raised, type Walk } from './walk.ts';
export { Walks } from './walks.ts';
