export { inspectTable, readTable, TableRefusal, type TableFormat, type TableLook, type TableRow, type TableFault } from './table-file.ts';
