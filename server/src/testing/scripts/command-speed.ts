// Commands to really connected lamps through HTTP, database and broker, against a loop that publishes the same to the
// same clients: the bench runs it on a product's database and reads one JSON line a slice. DATABASE_URL; arguments:
// first device id, connected lamps, rounds.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { permissions } from '../../../../contract/permissions.ts';
import { commandOut } from '../../../../protocols/mqtt-json/adapter.ts';
import { deviceRights } from '../../../../protocols/mqtt-json/topics.ts';
import { commandsRoutes, createCommandFeature, createDispatcher, createLimits } from '../../light/commands/index.ts';
import { createOperationLog } from '../../desk/operation-log/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { connect } from '../../platform/db/index.ts';
import { createHttp, type Caller } from '../../platform/http/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker } from '../../platform/mqtt/index.ts';
import { tryCalls } from '../../try-calls.ts';
import { linkBy } from '../../wires/link/index.ts';

const [first = 0, connected = 0, rounds = 0] = process.argv.slice(2, 5).map(Number);
const log = createLog('warn');
const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
const database = connect({ connectionString: process.env['DATABASE_URL'] ?? '' }, log);
const { db } = database;
const bus = await startBus(database.connection, log);
const broker = await startEmbeddedBroker({
  host: '127.0.0.1',
  port: 0,
  tlsPort: null,
  tls: null,
  log,
  authenticate: ({ username }) => Promise.resolve(deviceRights(Number(username.split('-')[1]))),
});
const inForce = createLimits({ db, clock, bus });
// The lamps never answer: to repeat what was sent in an earlier slice is no part of a later one.
const limits = async () => ({ ...(await inForce()), repeatSeconds: 3600 });
const dispatcher = createDispatcher({ db, clock, bus, link: linkBy(broker), log, limits });
const caller: Caller = {
  accountId: 1,
  username: 'admin',
  level: 0,
  sessionId: 1,
  permissions: new Set(permissions),
  workAreas: 'all',
  workAreaId: null,
};
const http = await createHttp(
  {
    untold: (what) => {
      throw new Error(what);
    },
    config: { trustedProxies: [], allowedOrigins: [], tls: null },
    log,
    clock,
    db,
    dryRun: tryCalls(database),
    authenticate: () => Promise.resolve(caller),
    operations: createOperationLog({ db, clock }),
    notReady: () => Promise.resolve(undefined),
  },
  commandsRoutes(createCommandFeature({ db, clock, bus, limits, queued: () => dispatcher.wake() })),
);
const stopDispatcher = dispatcher.start();

const crowd = spawn(
  process.execPath,
  [join(import.meta.dirname, 'command-crowd.ts'), String(broker.port), String(first), String(connected)],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const waiting: ((said: Record<string, number>) => void)[] = [];
createInterface({ input: crowd.stdout }).on('line', (line) =>
  waiting.shift()?.(JSON.parse(line) as Record<string, number>),
);
const said = () => new Promise<Record<string, number>>((resolve) => waiting.push(resolve));
await said();

/** Runs it until so many lamps have heard something; the seconds it took, and what it cost. */
async function slice(what: string, heard: number, work: () => Promise<void>): Promise<void> {
  crowd.stdin.write(`expect ${heard}\n`);
  await said();
  const all = heard > 0 ? said() : Promise.resolve({});
  const before = [process.cpuUsage(), await backendSeconds()] as const;
  const started = performance.now();
  await Promise.all([work(), all]);
  const seconds = (performance.now() - started) / 1000;
  const own = process.cpuUsage(before[0]);
  process.stdout.write(
    `${JSON.stringify({ what, seconds, nodeSeconds: (own.user + own.system) / 1e6, databaseSeconds: (await backendSeconds()) - before[1] })}\n`,
  );
}

async function raw(): Promise<void> {
  const now = Date.now();
  const at = { issuedAt: now, expiresAt: now + 30_000, until: now + 3_600_000, turn: 1_000_000, clockOffsetMs: 0 };
  for (let from = 0; from < connected; from += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, connected - from) }, (_none, index) => {
        const { topic, payload } = commandOut({
          commandId: 1,
          deviceId: first + from + index,
          viaId: null,
          command: 'dim',
          args: { level: 60 },
          ...at,
        });
        return broker.publish(topic, payload);
      }),
    );
  }
}

/** A command as somebody gives it; ends when every row of it says that it was sent. */
async function give(body: object, total: number): Promise<void> {
  const logged = await countOf('operation_log');
  const reply = await http.inject({
    method: 'POST',
    url: '/api/v1/commands',
    payload: body,
    headers: { authorization: 'Bearer x' },
  });
  const { id, total: asked } = reply.json<{ id: number; total: number }>();
  if (reply.statusCode !== 201 || asked !== total) throw new Error(`${reply.statusCode} ${reply.body}`);
  for (;;) {
    // Asked by the index of what is unsent: to count all of them many times a second is no part of the work.
    const {
      rows: [unsent],
    } = await sql`SELECT FROM command_item WHERE command_id = ${id} AND ended_at IS NULL
        AND state IN ('waiting', 'queued') LIMIT 1`.execute(db);
    if (!unsent && (await sentOf(id)) === total) break;
    await new Promise((resolve) => setTimeout(resolve, total > 1 ? 20 : 2));
  }
  if ((await countOf('operation_log')) !== logged + 1) throw new Error('the operation log has not one row more');
}

async function sentOf(id: number): Promise<number> {
  const {
    rows: [row],
  } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM command_item WHERE command_id = ${id} AND state = 'sent'`.execute(db);
  return row?.n ?? 0;
}

async function countOf(table: 'operation_log'): Promise<number> {
  return Number(
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );
}

/** Processor time of our own database connections, seconds. */
async function backendSeconds(): Promise<number> {
  const { rows } = await sql<{
    pid: number;
  }>`SELECT pid FROM pg_stat_activity WHERE datname = current_database()`.execute(db);
  return rows.reduce((sum, { pid }) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return sum + (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      return sum;
    }
  }, 0);
}

/** The first slice of each kind warms up and is not told. */
await raw();
const dim = { command: 'dim', args: { level: 60 } };
for (let round = 0; round < rounds; round += 1) {
  // The lamps never answer; what they were told before is over.
  await sql`UPDATE command_item SET state = 'confirmed', ended_at = now() WHERE state = 'sent'`.execute(db);
  if (round % 2 === 0) await slice('raw', connected, raw);
  await slice('command', connected, () => give({ ...dim, scope: { roadId: 1_900_001 } }, connected));
  if (round % 2 === 1) await slice('raw', connected, raw);
}
// One command, and beside each the least that one could do: a row kept for good and a message to the same lamp. The
// first ones warm up and are not told.
await sql`CREATE TABLE IF NOT EXISTS bench_touch (n integer)`.execute(db);
const touch = async (index: number) => {
  await sql`INSERT INTO bench_touch VALUES (1)`.execute(db);
  const now = Date.now();
  const { topic, payload } = commandOut({
    commandId: 1,
    deviceId: first + index,
    viaId: null,
    ...dim,
    turn: 1_000_000,
    issuedAt: now,
    expiresAt: now + 30_000,
    until: now + 3_600_000,
    clockOffsetMs: 0,
  });
  await broker.publish(topic, payload);
};
for (let round = 0; round < 40; round += 1) {
  const told = round >= 10;
  await slice(told ? 'touch' : 'warm', 1, () => touch(round));
  await slice(told ? 'single' : 'warm', 1, () => give({ ...dim, deviceIds: [first + round] }, 1));
}
const {
  rows: [group],
} = await sql<{ n: number }>`SELECT count(*)::int AS n FROM device WHERE group_id = 1900002`.execute(db);
for (let round = 0; round < 2; round += 1)
  await slice('group', 0, () => give({ ...dim, scope: { groupId: 1_900_002 } }, group?.n ?? 0));

stopDispatcher();
crowd.stdin.end();
await http.close();
await broker.stop();
await bus.stop();
await database.stop();
