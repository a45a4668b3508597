import { expect, test } from 'vitest';
import { backupUnderLoad } from './backup.ts';

test('a backup under load has all that was acknowledged before its moment, wherever it is restored', async () => {
  const { verdict } = await backupUnderLoad({ of: 'own', lamps: 20, readings: 200, pauseMs: 20 });
  expect(verdict).toEqual({ missing: { embedded: 0, site: 0 }, foreign: 0, miscounted: [], soundLogs: 4 });
}, 300_000);
