export type { SheetKind } from './kind.ts';
export { cellText, sheetType, writeSheet, type SheetRow } from './sheet.ts';
export { createSheets, type Sheets } from './sheets.ts';
