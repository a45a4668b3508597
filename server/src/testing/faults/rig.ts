import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { freePort } from '../../../../e2e/fixtures/free-port.ts';
import { copyPreparedDatabase } from '../../../../e2e/fixtures/prepared-database.ts';
import { clientIdOf } from '../../../../protocols/mqtt-json/topics.ts';
import type { Db } from '../../platform/db/index.ts';
import { startScript, type Child } from '../child.ts';
import type { Fleet } from './fleet.ts';

/** The product as a process that is killed and comes back at the same place. */
export interface Rig {
  readonly address: string;
  readonly mqttPort: number;
  /** The database of the program itself, where none is set. */
  readonly embeddedUrl: string;
  readonly pid: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  said(): string;
  /** Resident memory now, and the most that any of its lives had so far, bytes. Both throw when it ended by itself. */
  memory(): number;
  peak(): number;
  /** One of its numbers, of all labels together; 0: it has none yet. */
  metric(name: string): Promise<number>;
}

/**
 * Ports and folder of one server; `env` says which database and broker, else it has one of its own. A folder that is
 * given is empty, and not removed.
 */
export async function createRig(env: Readonly<Record<string, string>>, given?: string): Promise<Rig> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'lampyris-faults-'));
  if (!env['DATABASE_URL']) copyPreparedDatabase(dataDir);
  const [port, mqttPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const said: string[] = [];
  let child: Child | undefined;
  let most = 0;
  function bytes(what: 'VmRSS' | 'VmHWM'): number {
    if (child?.process.exitCode !== null || child.process.signalCode !== null)
      throw new Error(`the server ended:\n${child?.said().split('\n').slice(-12).join('\n')}`);
    return (
      Number(
        new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.process.pid}/status`, 'utf8'))?.[1] ?? 0,
      ) * 1024
    );
  }
  const peak = (): number => {
    if (child) most = Math.max(most, bytes('VmHWM'));
    return most;
  };
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child) return;
    if (signal === 'SIGKILL') peak();
    child.process.kill(signal);
    await child.ended;
    said.push(child.said());
    child = undefined;
  }
  return {
    address: `http://127.0.0.1:${port}`,
    mqttPort,
    embeddedUrl: `postgres://lampyris@localhost/lampyris?host=${encodeURIComponent(join(dataDir, 'postgres/run'))}`,
    get pid() {
      return child?.process.pid ?? 0;
    },
    async start() {
      child = startScript('server/src/main.ts', [], {
        env: {
          DATA_DIR: dataDir,
          PORT: String(port),
          MQTT_PORT: String(mqttPort),
          METRICS_PORT: String(metricsPort),
          DEMO: 'off',
          CAPTCHA: 'off',
          ADMIN_PASSWORD: 'Lantern#7x',
          ...env,
        },
      });
      await child.line(/"Lampyris is ready"/);
    },
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
    said: () => [...said, child?.said() ?? ''].join('\n'),
    memory: () => bytes('VmRSS'),
    peak,
    async metric(name) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
  };
}

/** So many lamps that speak for themselves, with credentials. */
export async function givenLamps(db: Db, count: number): Promise<{ id: number; password: string }[]> {
  await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude)
    VALUES (77, 'F', 'faults', 120.2, 30.25) ON CONFLICT DO NOTHING`.execute(db);
  const { rows } = await sql<{ id: number }>`INSERT INTO device (family, work_area_id, equipment_code, rated_watts)
    SELECT 'single-lamp-controller', 77, 'F-' || gen_random_uuid(), 100 FROM generate_series(1, ${count})
      RETURNING id`.execute(db);
  const members = rows.map(({ id }) => ({ id, password: `secret-${id}` }));
  const names = members.map(({ id }) => clientIdOf(id));
  await sql`INSERT INTO device_credential (device_id, client_id, username, secret_hash)
    SELECT r.id, r.name, r.name, r.hash
      FROM unnest(${members.map(({ id }) => id)}::bigint[], ${names}::text[],
      ${members.map(({ password }) => createHash('sha256').update(password).digest())}::bytea[])
      AS r(id, name, hash)`.execute(db);
  return members;
}

export interface History {
  readonly lost: readonly string[];
  readonly twice: number;
  readonly foreign: number;
}

/** Half a minute in which nothing more was stored: nothing comes any more, on a slow machine too. */
const patience = 120;

/**
 * The history beside what the fleet knows. A broker of its own may still hold what it acknowledged: as long as
 * something comes it is waited for.
 */
export async function history(db: Db, { acknowledged, sent }: Fleet): Promise<History> {
  for (let quiet = 0, before = -1; quiet < patience;) {
    const {
      rows: [found],
    } = await sql<{ stored: number }>`SELECT count(*)::int AS stored FROM reading`.execute(db);
    const stored = found?.stored ?? 0;
    if (stored >= acknowledged.size) break;
    quiet = stored === before ? quiet + 1 : 0;
    before = stored;
    await sleep(250);
  }
  const { rows } = await sql<{
    key: string;
  }>`SELECT device_id || '/' || (values->>'energy') AS key FROM reading`.execute(db);
  const once = new Set(rows.map(({ key }) => key));
  const lost = [...acknowledged].filter((key) => !once.has(key));
  return { lost, twice: rows.length - once.size, foreign: [...once].filter((key) => !sent.has(key)).length };
}
