// Plans told to lamps and proven by their readings, each against the least that it could cost: the bench runs it on a
// product's database and reads one JSON line a slice. DATABASE_URL; arguments: first device id, lamps, rounds.
// Lamps follow version 901 of a scheme; 902 is its next one.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { levelAt, nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { createProofs } from '../../light/commands/index.ts';
import { createLampPlans, createToldSettings } from '../../light/plans/index.ts';
import { createSteps } from '../../light/publications/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type Broker } from '../../platform/mqtt/index.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { linkBy } from '../../wires/link/index.ts';
import { testClock } from '../clock.ts';

const [first = 0, count = 0, rounds = 0] = process.argv.slice(2).map(Number);
const versions = [901, 902] as const;
const minuteMs = 60_000;
const inFlight = 3000;
const log = createLog('warn');
const clock = testClock(new Date('2026-03-02T04:00:00Z'));
const database = connect({ connectionString: process.env['DATABASE_URL'] ?? '' }, log);
const { db } = database;
const bus = await startBus(database.connection, log);
const lamps = Array.from({ length: count }, (_, index) => first + index);

/** Processor time of our own database connections, seconds; 0 where the database is on another machine. */
async function databaseSeconds(): Promise<number> {
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

async function tell(what: string, work: () => Promise<unknown>): Promise<void> {
  const [before, databaseBefore] = [process.cpuUsage(), await databaseSeconds()];
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const own = process.cpuUsage(before);
  const told = {
    ...{ what, seconds, nodeSeconds: (own.user + own.system) / 1e6 },
    databaseSeconds: (await databaseSeconds()) - databaseBefore,
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

async function follow(version: number, from: Day, publicationId: number | null = null): Promise<void> {
  await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, publication_id, assigned_by, at)
    SELECT i, ${version}, ${from}::date, ${publicationId}, 'bench', ${clock.now()}
    FROM generate_series(${first}::bigint, ${first + count - 1}::bigint) i`.execute(db);
  await sql`ANALYZE plan_assignment`.execute(db);
}

/** New settings to the retained topics of all lamps, against a loop that publishes as many bytes to the same topics. */
async function settings(): Promise<void> {
  const broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log,
    authenticate: () => Promise.resolve(null),
  });
  let example = Buffer.alloc(0);
  const watched: Pick<Broker, 'publish' | 'problem'> = {
    problem: () => broker.problem(),
    publish(topic, payload, options) {
      if (example.length === 0) example = Buffer.from(payload);
      return broker.publish(topic, payload, options);
    },
  };
  const job = createDeviceSettings({
    ...{ db, clock, bus, log },
    link: linkBy(watched),
    plans: createToldSettings(db, createLampPlans(bus)),
  });
  const bare = async () => {
    const atOnce = 500;
    for (let at = 0; at < count; at += atOnce)
      await Promise.all(
        lamps.slice(at, at + atOnce).map((deviceId) =>
          broker.publish(topicOf({ kind: 'settings', deviceId, viaId: null }), Buffer.from(example), {
            retain: true,
          }),
        ),
      );
  };
  const product = async () => {
    const before = job.counts.published;
    await job.publish();
    if (job.counts.published - before < count) throw new Error(`${job.counts.published - before} settings published`);
  };
  await job.publish();
  await bare();
  for (let round = 0; round < rounds; round += 1) {
    await follow(versions[(round + 1) % 2] ?? 0, '2026-02-01');
    for (const [what, work] of round % 2 === 0
      ? ([
          ['bare', bare],
          ['settings', product],
        ] as const)
      : ([
          ['settings', product],
          ['bare', bare],
        ] as const))
      await tell(what, work);
  }
  process.stdout.write(
    `${JSON.stringify({ what: 'bytes', seconds: example.length, nodeSeconds: 0, databaseSeconds: 0 })}\n`,
  );
  await broker.stop();
}

/**
 * Lamps that were told another version switch on, night after night: their readings are stored, and prove it. Nothing of
 * a night is proven before the next one begins.
 */
async function proofs(): Promise<void> {
  const plans = createLampPlans(bus);
  const steps = createSteps({ db, bus, clock, plans });
  const ingest = createIngest({
    ...{ db, bus, clock, log },
    stored: () => undefined,
    proofs: createProofs({ bus }),
  });
  const day: Day = '2026-03-02';
  await sql`DELETE FROM plan_assignment WHERE scheme_version_id = ${versions[1]}`.execute(db);
  await sql`INSERT INTO publication (id, scheme_version_id, scope, effective_from, phase, phase_since, criteria,
      auto_revert, go_on, total, actor_id, actor_name, created_at)
    VALUES (900, ${versions[1]}, '{}', ${day}::date, 'proving', ${clock.now()}, '{}', false, false, ${count}, 1, 'bench',
      ${clock.now()})`.execute(db);
  await follow(versions[1], day, 900);
  await sql`INSERT INTO publication_item (publication_id, device_id, before_scheme_version_id, state, plan_hash, told_at,
      reported_at)
    SELECT 900, i, ${versions[0]}, 'reported', '0', ${clock.now()}, ${clock.now()}
    FROM generate_series(${first}::bigint, ${first + count - 1}::bigint) i`.execute(db);
  await sql`VACUUM ANALYZE publication_item, plan_assignment`.execute(db);
  const stopIngest = await ingest.start({ kind: 'external', onMessage: () => undefined } as unknown as Parameters<
    typeof ingest.start
  >[0]);
  const one = (await plans.of(db, [first], clock.now().getTime())).get(first);
  if (!one) throw new Error('the lamps have no plan');
  for (let round = 0; round <= rounds; round += 1) {
    const { on } = nightOf(one, addDays(day, round));
    if (on === null) throw new Error('a night without light');
    // West of the first one the sun sets up to a minute later.
    const at = on + 5 * minuteMs;
    // What is stored has room ahead of it.
    await clock.advance(at + 5 * minuteMs - clock.now().getTime());
    await sql`UPDATE publication_item SET state = 'reported', proof = NULL, proven_at = NULL, open = true,
      told_at = ${new Date(on - 60 * minuteMs)} WHERE publication_id = 900`.execute(db);
    // The clock went on by a day: what is counted every ten minutes and every hour is counted before the evening.
    await steps.turn();
    await sql`INSERT INTO publication_watch (publication_id, device_id, look_at)
      SELECT 900, i, ${new Date(at)} FROM generate_series(${first}::bigint, ${first + count - 1}::bigint) i`.execute(
      db,
    );
    await sql`VACUUM ANALYZE publication_item, publication_watch`.execute(db);
    const level = levelAt(one, at);
    const messages = lamps.map((id, index) => ({
      at: at + (index % 1000),
      topic: topicOf({ kind: 'readings', deviceId: id, viaId: null }),
      username: null,
      payload: Buffer.from(
        JSON.stringify({
          sentAt: timeText(at + 1500),
          readings: [
            { at: timeText(at + (index % 1000)), values: { level, power: level, relay: true, voltage: 226.8 } },
          ],
        }),
      ),
    }));
    const store = async () => {
      let next = 0;
      const lane = async () => {
        for (;;) {
          const message = messages[next++];
          if (!message) return;
          await ingest.take(message, new Date(message.at + 1600));
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
    };
    const prove = async () => {
      const before = steps.counts.proven;
      for (let turns = 0; steps.counts.proven - before < count; turns += 1) {
        await steps.turn();
        if (turns > 1000) throw new Error(`${steps.counts.proven - before} lamps proven of ${count}`);
      }
    };
    // The first one warms up: it makes the rows of latest values.
    await tell(round === 0 ? 'warm' : 'stored', store);
    if (round === 0) await sql`VACUUM ANALYZE device_latest, reading`.execute(db);
    await tell(round === 0 ? 'warm' : 'proven', prove);
  }
  stopIngest();
  await ingest.stop();
}

await settings();
await proofs();
await bus.stop();
await database.stop();
