export { inspectTable, readTable, type TableLook } from './table-file.ts';
export { TableRefusal, type TableFormat } from './table.ts';
