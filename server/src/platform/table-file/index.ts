export { inspectTable, readTable, type TableLook } from './table-file.ts';
export { namesInZip } from './workbook.ts';
export { TableRefusal, type TableFormat } from './table.ts';
