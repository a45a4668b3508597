import pg from 'pg';
import { levers } from './postgres.ts';

/**
 * One database of a PostgreSQL that others use too: taken away from those who use this one, without disturbing the
 * others.
 */
export interface SharedDatabase {
  /** Ends all connections and lets nobody in. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** The processes of its connections stand still. */
  freeze(): Promise<void>;
  thaw(): void;
}

export function sharedDatabase(url: string): SharedDatabase {
  const name = new URL(url).pathname.slice(1);
  let frozen: readonly number[] = [];
  const { freeze, thaw } = levers(() => frozen);
  async function pids(statement: string): Promise<number[]> {
    const beside = new URL(url);
    beside.pathname = '/postgres';
    const client = new pg.Client(beside.href);
    await client.connect();
    try {
      return (await client.query<{ pid: number }>(statement)).rows.map(({ pid }) => pid);
    } finally {
      await client.end();
    }
  }
  const open = async (yes: boolean) => void (await pids(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${yes}`));
  const users = `FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'`;
  return {
    async shut() {
      await open(false);
      await pids(`SELECT pid, pg_terminate_backend(pid) ${users}`);
    },
    open: () => open(true),
    async freeze() {
      frozen = await pids(`SELECT pid ${users}`);
      freeze();
    },
    thaw,
  };
}
