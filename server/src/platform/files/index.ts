export { openFiles } from './files.ts';
