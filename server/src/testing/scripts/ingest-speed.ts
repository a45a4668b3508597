// The path of readings without a broker, against COPY of the same rows into the same table: the bench runs it on a
// product's database and reads one JSON line a slice. DATABASE_URL; arguments: first device id, devices, rounds, how
// many minutes ago the first slice was, messages in flight.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { sql } from 'kysely';
import { copyIn } from '../../../../bench/copy-in.ts';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../../light/commands/index.ts';
import { createIngest } from '../../ingest/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';

const [first = 0, devices = 0, rounds = 0, minutesAgo = 0, inFlight = 3000] = process.argv.slice(2).map(Number);
const url = process.env['DATABASE_URL'] ?? '';
const log = createLog('warn');
const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
const database = connect({ connectionString: url }, log);
const bus = await startBus(database.connection, log);
const ingest = createIngest({
  db: database.db,
  bus,
  clock,
  log,
  stored: () => undefined,
  proofs: createProofs({ bus }),
});
const copying = new pg.Client({ connectionString: url });
await copying.connect();
const perBatch = 1000;
const everyMs = 60_000;
const begin = Date.now() - minutesAgo * everyMs;

const order = Array.from({ length: devices }, (_, index) => first + ((index * 7919) % devices));
const valuesOf = (id: number, round: number) => ({
  level: 60 + (id % 40),
  power: (id % 1000) / 10,
  relay: true,
  voltage: 220 + (id % 100) / 10,
  current: (id % 999) / 1000,
  energy: (id % 1000) + round,
  powerFactor: 0.958,
  temperature: 41.2,
});

async function copyRound(round: number): Promise<void> {
  const batches: Buffer[] = [];
  for (let at = 0; at < order.length; at += perBatch) {
    batches.push(
      Buffer.from(
        order
          .slice(at, at + perBatch)
          .map((id, index) => {
            const time = timeText(begin + 2 * round * everyMs + Math.floor(((at + index) / order.length) * everyMs));
            return `${time}\t${id}\t${time}\t0\t${JSON.stringify(valuesOf(id, round))}\n`;
          })
          .join(''),
      ),
    );
  }
  await tell('copy', async () => {
    for (const rows of batches)
      await copyIn(copying, 'COPY reading (at, device_id, received_at, quality, values) FROM STDIN', rows);
  });
}

async function ingestRound(round: number): Promise<void> {
  const messages = order.map((id, index) => {
    const at = begin + (2 * round + 1) * everyMs + Math.floor((index / order.length) * everyMs);
    return {
      at,
      topic: topicOf({ kind: 'readings', deviceId: id, viaId: null }),
      username: null,
      payload: Buffer.from(
        JSON.stringify({ sentAt: timeText(at + 500), readings: [{ at: timeText(at), values: valuesOf(id, round) }] }),
      ),
    };
  });
  await tell('ingest', async () => {
    let next = 0;
    const lane = async () => {
      for (;;) {
        const message = messages[next++];
        if (!message) return;
        await ingest.take(message, new Date(message.at + 600));
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
  });
}

async function tell(what: string, work: () => Promise<void>): Promise<void> {
  const before = [process.cpuUsage(), await backendSeconds()] as const;
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const own = process.cpuUsage(before[0]);
  process.stdout.write(
    `${JSON.stringify({ what, rows: devices, seconds, nodeSeconds: (own.user + own.system) / 1e6, databaseSeconds: (await backendSeconds()) - before[1] })}\n`,
  );
}

/** Processor time of our own database connections, seconds; 0 where the database is on another machine. */
async function backendSeconds(): Promise<number> {
  const { rows } = await sql<{
    pid: number;
  }>`SELECT pid FROM pg_stat_activity WHERE datname = current_database()`.execute(database.db);
  return rows.reduce((sum, { pid }) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return sum + (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      return sum;
    }
  }, 0);
}

const offsets = await sql<{
  n: number;
}>`SELECT count(*)::int AS n FROM reading WHERE device_id >= ${first} AND device_id < ${first + devices}`.execute(
  database.db,
);
const stop = await ingest.start({ kind: 'external', onMessage: () => undefined } as unknown as Parameters<
  typeof ingest.start
>[0]);
for (let round = 0; round < rounds; round += 1) {
  if (round % 2 === 0) await copyRound(round);
  await ingestRound(round);
  if (round % 2 === 1) await copyRound(round);
}
const {
  rows: [counted],
} = await sql<{
  n: number;
}>`SELECT count(*)::int AS n FROM reading WHERE device_id >= ${first} AND device_id < ${first + devices}`.execute(
  database.db,
);
process.stdout.write(
  `${JSON.stringify({ what: 'rows', rows: (counted?.n ?? 0) - (offsets.rows[0]?.n ?? 0), seconds: 0, refused: ingest.stats().refused, batches: ingest.stats().batches })}\n`,
);
stop();
await ingest.stop();
await bus.stop();
await copying.end();
await database.stop();
