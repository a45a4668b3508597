import { sql } from 'kysely';
import { takeLock, type Db } from '../platform/db/index.ts';

const dayMs = 86_400_000;

/** Makes the day tables of `reading`: the next days ahead, and any day when late readings ask for it. Days are UTC. */
export interface Partitions {
  /** Makes the tables that these instants (epoch ms) fall into, where they are missing. */
  ensure(instants: Iterable<number>): Promise<void>;
  /** Another process may have removed a day: look again next time. */
  forget(): void;
}

export function createPartitions(db: Db): Partitions {
  const known = new Set<number>();
  return {
    async ensure(instants) {
      const missing = new Set<number>();
      for (const at of instants) {
        const day = Math.floor(at / dayMs);
        if (!known.has(day)) missing.add(day);
      }
      for (const day of [...missing].toSorted((a, b) => a - b)) {
        await make(db, day);
        known.add(day);
      }
    },
    forget: () => known.clear(),
  };
}

/** Made apart and then attached: readers and writers of the other days go on meanwhile. */
async function make(db: Db, day: number): Promise<void> {
  const from = new Date(day * dayMs).toISOString();
  const to = new Date((day + 1) * dayMs).toISOString();
  const name = `reading_${from.slice(0, 10).replaceAll('-', '')}`;
  await db.transaction().execute(async (tx) => {
    await takeLock(tx, 'partitions');
    const { rows } = await sql<{ there: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS there`.execute(tx);
    if (rows[0]?.there) return;
    await sql`CREATE TABLE ${sql.table(name)} (LIKE reading INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`.execute(tx);
    await sql`ALTER TABLE reading ATTACH PARTITION ${sql.table(name)} FOR VALUES
      FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(tx);
  });
}
