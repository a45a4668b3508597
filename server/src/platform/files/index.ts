export { openFiles, type Files } from './files.ts';
