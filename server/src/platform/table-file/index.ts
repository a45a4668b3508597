export { inspectTable, readTable, workOnTable } from './table-file.ts';
export type { TableWorker } from './order.ts';
export { isEncoding } from './encodings.ts';
export { namesInZip } from './workbook.ts';
export {
  delimiters,
  TableRefusal,
  type Delimiter,
  type TableChoice,
  type TableFormat,
  type TableLook,
} from './table.ts';
