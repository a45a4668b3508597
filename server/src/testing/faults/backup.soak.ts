import { expect, test } from 'vitest';
import { backupUnderLoad } from './backup.ts';

// More than a thousand a second are sent, so that as many are stored while the backup takes its share.
test.each(['own', 'site'] as const)(
  'a backup of a database (%s) at a thousand readings a second, restored into an empty folder and into a database of a site',
  async (of) => {
    const { verdict, figures } = await backupUnderLoad({ of, lamps: 500, readings: 60_000, pauseMs: 240 });
    process.stdout.write(
      `| backup under load, ${of} | ${Object.entries(figures)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')} |\n`,
    );
    expect(verdict).toEqual({ missing: { embedded: 0, site: 0 }, foreign: 0, miscounted: [], soundLogs: 4 });
  },
);
