import { sql } from 'kysely';
import { takeLock, type Db } from '../../platform/db/index.ts';

export type Rollup = 'reading_hour' | 'energy_hour' | 'energy_event' | 'reading_day' | 'energy_day';
const byMonth: readonly Rollup[] = ['reading_hour', 'energy_hour', 'energy_event'];
const byYear: readonly Rollup[] = ['reading_day', 'energy_day'];

/**
 * Makes the tables that hours and days between two instants fall into, where they are missing: a month of hours, a year
 * of days.
 */
export function createRollupTables(db: Db) {
  const known = new Set<string>();
  async function one(parent: Rollup, name: string, from: string, to: string): Promise<void> {
    if (known.has(name)) return;
    await db.transaction().execute(async (tx) => {
      await takeLock(tx, 'partitions');
      const { rows } = await sql<{ there: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS there`.execute(tx);
      if (rows[0]?.there) return;
      await sql`CREATE TABLE ${sql.table(name)}
        (LIKE ${sql.table(parent)} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`.execute(tx);
      await sql`ALTER TABLE ${sql.table(parent)} ATTACH PARTITION ${sql.table(name)} FOR VALUES
        FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(tx);
    });
    known.add(name);
  }
  return {
    async ensure(from: number, to: number): Promise<void> {
      // A step that ends with the last hour is noted at its very end.
      for (let at = new Date(from); at.getTime() <= to; at = nextMonth(at)) {
        const [month, next] = [firstOfMonth(at), nextMonth(at)];
        for (const parent of byMonth)
          await one(
            parent,
            `${parent}_${month.toISOString().slice(0, 7).replace('-', '')}`,
            month.toISOString(),
            next.toISOString(),
          );
      }
      // Days are civil ones: the neighbouring year may be meant at its ends.
      for (
        let year = new Date(from - 86_400_000).getUTCFullYear();
        year <= new Date(to + 86_400_000).getUTCFullYear();
        year += 1
      ) {
        for (const parent of byYear) await one(parent, `${parent}_${year}`, `${year}-01-01`, `${year + 1}-01-01`);
      }
    },
    /** Another process may have taken some away. */
    forget: () => known.clear(),
  };
}

const firstOfMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
