export { openFiles, type Files } from './files.ts';
export { lockFile, removeUnkept, sweepUnkept } from './kept.ts';
