import { expect, test } from 'vitest';
import { backupUnderLoad } from './backup.ts';

test('a backup at a thousand readings a second, restored into an empty folder and into a database of a site', async () => {
  const { verdict, figures } = await backupUnderLoad({ lamps: 500, readings: 60_000, pauseMs: 480 });
  process.stdout.write(`| backup under load | ${Object.entries(figures).map(([name, value]) => `${name} ${value}`).join(', ')} |\n`);
  expect(verdict).toEqual({ missing: { embedded: 0, site: 0 }, foreign: 0, isSame: true, soundLogs: 4 });
});
