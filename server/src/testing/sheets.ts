import { createSheets, type Sheets } from '../platform/sheet/index.ts';
import type { TestParts } from './app.ts';

/** Sheets on the product's own worker, or on one of a test's. */
export const testSheets = ({ database, clock, log }: Pick<TestParts, 'database' | 'clock' | 'log'>, worker: URL = new URL('../sheet-worker.ts', import.meta.url)): Sheets =>
  createSheets({ worker, connection: database.connection, clock, log });
