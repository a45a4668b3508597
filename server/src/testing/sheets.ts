import { Readable } from 'node:stream';
import { csvOf } from '../platform/sheet/csv.ts';
import { createSheets, writeSheet, type Sheets } from '../platform/sheet/index.ts';
import type { TestParts } from './app.ts';

/** Sheets on the product's own worker. */
export const testSheets = ({ database, clock, log }: Pick<TestParts, 'database' | 'clock' | 'log'>): Sheets =>
  createSheets({ connection: database.connection, clock, log });

/**
 * Sheets on this thread: starts of the worker would be most of a test's time. What the worker itself does has its own
 * tests.
 */
export const sheetsHere = ({ db }: Pick<TestParts, 'db'>): Sheets => ({
  stream: (kind, params, written = () => undefined, format = 'xlsx') => {
    const sheet = kind.open(db, params);
    async function* rows() {
      let count = 0;
      for await (const batch of sheet.rows) {
        yield batch;
        written((count += batch.length));
      }
    }
    return format === 'csv' ? Readable.from(csvOf({ ...sheet, rows: rows() })) : writeSheet({ ...sheet, rows: rows() });
  },
  stop: () => Promise.resolve(),
});
