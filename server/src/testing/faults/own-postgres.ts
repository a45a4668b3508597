import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { familyOf, levers, type TestPostgres } from './postgres.ts';
import type { Rig } from './rig.ts';

/**
 * The database of the program itself, from outside. The program starts it again as soon as it ends: to be away for
 * longer, the file without which it does not start is taken away.
 */
export function ownPostgres(rig: Rig, dataDir: string): TestPostgres {
  const data = join(dataDir, 'postgres/data');
  const [control, hidden] = [join(data, 'global/pg_control'), join(data, 'global/pg_control.away')];
  const postmaster = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  let isHidden = false;

  async function until(goal: boolean): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: rig.embeddedUrl });
      client.on('error', () => undefined);
      const there = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (there === goal) return;
      await sleep(30);
    }
  }

  return {
    url: rig.embeddedUrl,
    async start() {
      if (isHidden) renameSync(hidden, control);
      isHidden = false;
      await until(true);
    },
    async kill() {
      const pid = postmaster();
      renameSync(control, hidden);
      isHidden = true;
      process.kill(pid, 'SIGQUIT');
      await until(false);
    },
    ...levers(() => {
      try {
        return familyOf(postmaster());
      } catch {
        return [];
      }
    }),
    stop: () => Promise.resolve(),
  };
}
