import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';

export interface ClaimSettings {
  readonly connection: pg.ClientConfig;
  /** Any fixed number, one for each thing that is claimed. */
  readonly key: number;
  /** true: others that share it may be there too, but nobody who has it alone. */
  readonly shared: boolean;
  /** What this process calls itself. */
  readonly holder: string;
  readonly log: Log;
  /** How long a start waits for a killed process, whose machine may be gone too; default 20,000 ms. */
  readonly patienceMs?: number;
}

/** Another process has it: `holder` names it. */
export class Claimed extends Error {
  override name = 'Claimed';
  readonly holder: string;
  constructor(holder: string) {
    super(`claimed by ${holder}`);
    this.holder = holder;
  }
}

const prefix = 'lampyris ';
const lookMs = 200;
const retryMs = 2000;

/**
 * Claims something for the life of this process: a lock on a connection of its own, free at once when the process is
 * gone. Throws Claimed. A connection that breaks is reopened; if another process has claimed it meanwhile, the log says
 * so until it is free.
 */
export async function claimForLife(settings: ClaimSettings): Promise<() => Promise<void>> {
  const claim = new Claim(settings);
  await claim.take();
  return () => claim.stop();
}

class Claim {
  readonly #settings: ClaimSettings;
  #client: pg.Client | undefined;
  #stopped = false;

  constructor(settings: ClaimSettings) {
    this.#settings = settings;
  }

  async take(): Promise<void> {
    const { connection, holder, key, shared, patienceMs = 20_000 } = this.#settings;
    const client = new pg.Client({
      ...connection,
      application_name: `${prefix}${holder}`.slice(0, 63),
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      // A machine that vanished would keep its lock for hours.
      await client.query('SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 2');
      const deadline = performance.now() + patienceMs;
      while (!(await tryLock(client, key, shared))) {
        if (performance.now() >= deadline) throw new Claimed(await holderOf(client, key));
        await sleep(lookMs);
      }
    } catch (thrown) {
      await client.end().catch(() => undefined);
      throw thrown;
    }
    this.#client = client;
    client.once('end', () => void this.#again());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #again(): Promise<void> {
    while (!this.#stopped) {
      try {
        return await this.take();
      } catch (thrown) {
        this.#settings.log[thrown instanceof Claimed ? 'error' : 'debug'](
          { reason: reasonOf(thrown) },
          'a claim for life could not be renewed; trying on',
        );
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }
}

async function tryLock(client: pg.Client, key: number, shared: boolean): Promise<boolean> {
  const { rows } = await client.query<{ won: boolean }>(
    `SELECT pg_try_advisory_lock${shared ? '_shared' : ''}($1) AS won`,
    [key],
  );
  return rows[0]?.won === true;
}

async function holderOf(client: pg.Client, key: number): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.classid = 0
       AND l.objid = $1 AND l.objsubid = 1`,
    [key],
  );
  return rows[0]?.name.slice(prefix.length) ?? 'another process';
}
