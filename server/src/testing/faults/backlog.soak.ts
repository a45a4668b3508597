import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { clientIdOf, topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { connect, type Db } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { mebibytes, since } from './figures.ts';
import { startFleet } from './fleet.ts';
import { createRig, givenLamps } from './rig.ts';

/** SOAK_DAYS makes it shorter. */
const days = Number(process.env['SOAK_DAYS'] ?? 3);
const dayMs = 86_400_000;
const lamps = 200;
/** A lamp of most controllers reports each minute; some, more often than their budget allows for three days at once. */
const usualMs = 60_000;
const eager = 4;
const eagerMs = 10_000;
const perMessage = 500;
/** What a controller has under way at a time. */
const window = 16;

/** A controller with credentials and its lamps. */
async function givenController(db: Db): Promise<{ id: number; password: string; children: number[] }> {
  const {
    rows: [controller],
  } = await sql<{
    id: number;
  }>`INSERT INTO device (family, work_area_id, equipment_code) VALUES ('central-controller', 77, 'AWAY')
    RETURNING id`.execute(db);
  const id = controller?.id ?? 0;
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO device (family, work_area_id, equipment_code, rated_watts, parent_id)
    SELECT 'single-lamp-controller', 77, 'AWAY-' || n, 100, ${id} FROM generate_series(1, ${lamps}) AS n
      RETURNING id`.execute(db);
  const password = `secret-${id}`;
  await sql`INSERT INTO device_credential (device_id, client_id, username, secret_hash)
    VALUES (${id}, ${clientIdOf(id)}, ${clientIdOf(id)}, ${createHash('sha256').update(password).digest()})`.execute(
    db,
  );
  return { id, password, children: rows.map((row) => row.id) };
}

const quantile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);

test(
  `a controller of ${lamps} lamps that was away for ${days} days is at the present within an hour, and nobody beside it waits`,
  { timeout: 5_400_000 },
  async () => {
    const rig = await createRig({});
    await rig.start();
    const database = connect({ connectionString: rig.embeddedUrl, max: 2 }, createLog('silent'));
    const [probe, ...members] = await givenLamps(database.db, 201);
    const away = await givenController(database.db);
    const fleet = await startFleet({ port: rig.mqttPort, members, pauseMs: 2000 });
    const connected = (id: number, password: string) =>
      mqtt.connectAsync({
        host: '127.0.0.1',
        port: rig.mqttPort,
        protocol: 'mqtt',
        clientId: clientIdOf(id),
        username: clientIdOf(id),
        password,
        reconnectPeriod: 200,
      });
    const [beside, controller] = [
      await connected(probe?.id ?? 0, probe?.password ?? ''),
      await connected(away.id, away.password),
    ];
    const stopped = new AbortController();
    const waits: number[] = [];
    const probing = (async () => {
      while (!stopped.signal.aborted) {
        const asked = performance.now();
        const now = new Date().toISOString();
        await beside.publishAsync(
          topicOf({ kind: 'readings', deviceId: probe?.id ?? 0, viaId: null }),
          JSON.stringify({ sentAt: now, readings: [{ at: now, values: { power: 50 } }] }),
          { qos: 1 },
        );
        waits.push(performance.now() - asked);
        await sleep(250);
      }
    })();
    try {
      const present = Math.floor(Date.now() / 1000) * 1000;
      const began = performance.now();
      const left = away.children.map((id, index) => ({
        id,
        stepMs: index < eager ? eagerMs : usualMs,
        at: present - days * dayMs,
      }));
      let sent = 0;
      // Oldest first, the lamps in turn, as a controller keeps what it heard.
      function* messages() {
        for (let open = left; open.length > 0; open = open.filter(({ at }) => at <= present)) {
          for (const lamp of open) {
            const readings: { at: string; values: object }[] = [];
            for (; readings.length < perMessage && lamp.at <= present; lamp.at += lamp.stepMs)
              readings.push({ at: new Date(lamp.at).toISOString(), values: { power: 50, voltage: 230 } });
            sent += readings.length;
            yield { topic: topicOf({ kind: 'readings', deviceId: lamp.id, viaId: away.id }), readings };
          }
        }
      }
      const queue = messages();
      await Promise.all(
        Array.from({ length: window }, async () => {
          for (const { topic, readings } of queue)
            await controller.publishAsync(topic, JSON.stringify({ sentAt: new Date().toISOString(), readings }), {
              qos: 1,
            });
        }),
      );
      const seconds = since(began);
      const {
        rows: [kept],
      } = await sql<{
        stored: number;
        present: number;
      }>`SELECT count(*)::int AS stored,
        count(DISTINCT device_id) FILTER (WHERE at = ${new Date(present)})::int AS present
      FROM reading WHERE device_id = ANY(${away.children}::bigint[])`.execute(database.db);
      stopped.abort();
      await probing;
      const sorted = waits.toSorted((one, other) => one - other);
      process.stdout.write(
        `| ${days} days of ${lamps} lamps | acknowledged ${sent} in ${seconds} s, ${Math.round(sent / seconds)} a second; beside it ${fleet.acknowledged.size} of others, a reading acknowledged within ${quantile(sorted, 0.5)} ms (half), ${quantile(sorted, 0.99)} ms (99 %), ${quantile(sorted, 1)} ms (all); peak ${mebibytes(rig.peak())} MiB |\n`,
      );
      expect(kept).toEqual({ stored: sent, present: lamps });
      expect(seconds).toBeLessThan(3600);
    } finally {
      stopped.abort();
      await Promise.all([controller.endAsync(true), beside.endAsync(true)]);
      await fleet.stop();
      await database.stop();
      await rig.stop();
    }
  },
);
