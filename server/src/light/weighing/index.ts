export { createRowWeighing } from './rows.ts';
