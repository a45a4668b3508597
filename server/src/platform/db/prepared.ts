import { sql } from 'kysely';
import type pg from 'pg';

const mark = /^\/\* prepared: ([a-z ]+) \*\//;

/**
 * Begins a statement that the database plans once a connection instead of each time: for constant text that is used
 * often. A name belongs to one text only: sql`${prepared('device rows')} SELECT …`.
 */
export const prepared = (name: string) => sql.raw(`/* prepared: ${name} */`);

/** Lets the connections of a pool keep what `prepared` marks. */
export function keepPrepared(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (what: unknown, ...rest: readonly unknown[]) => unknown;
    client.query = ((what: unknown, ...rest: readonly unknown[]) => {
      const name = typeof what === 'string' ? mark.exec(what)?.[1] : undefined;
      return name === undefined ? query(what, ...rest) : query({ name, text: what, values: rest[0] }, ...rest.slice(1));
    }) as typeof client.query;
  });
}
