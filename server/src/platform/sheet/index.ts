export { sheetType, writeSheet, type Sheet, type SheetRow } from './sheet.ts';
