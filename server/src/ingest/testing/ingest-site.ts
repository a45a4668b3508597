import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../../light/commands/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { givenArea } from '../../testing/devices.ts';
import { createDeviceAccess } from '../../wires/link/index.ts';
import { createIngest } from '../index.ts';

/** Ingest behind a broker. Call it at the top of a test file. */
export async function ingestSite() {
  const database = await testDatabase();
  const { db } = database;
  const log = createLog('silent');
  const start = Date.parse('2026-11-21T12:00:00Z');
  const clock = testClock(new Date(start));
  const bus = await startBus(database.connection, log);
  const stored: number[] = [];
  const lines: [id: number, online: boolean, ofWill: boolean][] = [];
  const ingest = createIngest({
    db,
    bus,
    clock,
    log,
    proofs: createProofs({ bus }),
    stored: (ids) => stored.push(...ids),
    line: (...said) => lines.push(said),
  });
  let broker: EmbeddedBroker;
  let url = '';

  beforeAll(async () => {
    await givenArea(db);
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      tlsPort: null,
      tls: null,
      log,
      authenticate: createDeviceAccess({ db }),
    });
    url = `mqtt://127.0.0.1:${broker.port}`;
    await ingest.start(broker);
  });
  afterAll(async () => {
    await ingest.stop();
    await broker.stop();
    await bus.stop();
  });

  const full = { level: 60, power: 57.5, relay: true, voltage: 226.8 };
  const now = () => clock.now().getTime();
  const send = (
    deviceId: number,
    readings: readonly (readonly [number, Record<string, unknown>, string?])[],
    { viaId = null as number | null, sentAt = now() } = {},
  ) =>
    ingest.take({
      topic: topicOf({ kind: 'readings', deviceId, viaId }),
      username: null,
      payload: Buffer.from(
        JSON.stringify({
          sentAt: timeText(sentAt),
          readings: readings.map(([at, values, quality]) => ({ at: timeText(at), values, quality })),
        }),
      ),
    });
  const rowsOf = async (deviceId: number) =>
    (
      await sql<{
        at: Date;
        quality: number;
        values: unknown;
        rejected: unknown;
      }>`SELECT at, quality, values, rejected FROM reading WHERE device_id = ${deviceId} ORDER BY at`.execute(db)
    ).rows;
  const latestOf = (deviceId: number) =>
    db.selectFrom('device_latest').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
  const refused = (reason: string) => ingest.stats().refused[reason] ?? 0;

  return {
    database,
    db,
    log,
    start,
    clock,
    bus,
    stored,
    lines,
    ingest,
    get url() {
      return url;
    },
    full,
    now,
    send,
    rowsOf,
    latestOf,
    refused,
  };
}
