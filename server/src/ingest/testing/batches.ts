import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll } from 'vitest';
import { createProofs } from '../../light/commands/index.ts';
import { createDevices, devicesRoutes } from '../../register/devices/index.ts';
import {
  createBatchAccess,
  createBatches,
  createInbox,
  createJournal,
  createNewcomers,
  createPending,
  provisioningRoutes,
} from '../../wires/provisioning/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { watchCredentials } from '../../start-broker.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { connectClient, givenArea } from '../../testing/devices.ts';
import { createDeviceAccess, provisionOn } from '../../wires/link/index.ts';
import { createIngest } from '../index.ts';

export interface Batch {
  batch: {
    id: number;
    standing: string;
    counts: { waiting: number };
    lastDenied: { reason: string; serial: string } | null;
  };
  credentials: { username: string; password: string };
}
interface Newcomer {
  id: number;
  serial: string;
  state: string;
  family: string | null;
  ready: boolean;
  doubt: string | null;
  messages: number;
  model: string | null;
  payloads: { kind: string; text: string; problem: string | null }[];
  matches: { id: number }[];
  deviceId: number | null;
  arrivedAt: string | null;
  address: string | null;
}

/** Batches and their newcomers, with broker, ingest and inbox. Call it at the top of a test file. */
export async function batchesOffice() {
  const start = Date.parse('2026-11-21T12:00:00Z');
  const clock = testClock(new Date(start));
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-provisioning-'));
  let broker!: EmbeddedBroker;
  let journal!: ReturnType<typeof createJournal>;
  const stops: (() => unknown)[] = [];
  const app = await testApp({
    clock,
    logLevel: 'silent',
    routes: async ({ db, bus, log }) => {
      const keys = openKeys(join(folder, 'secret.key'));
      await givenArea(db);
      await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
        db,
      );
      journal = createJournal({ db, bus, clock, log });
      const newcomers = createNewcomers({ db, bus, clock, keys, log });
      const ingest = createIngest({
        db,
        bus,
        clock,
        log,
        proofs: createProofs({ bus }),
        stored: (ids) => bus.publish('devices.changed', { ids }),
        newcomer: newcomers.take,
        refused: journal.refused,
      });
      broker = await startEmbeddedBroker({
        host: '127.0.0.1',
        port: 0,
        tlsPort: null,
        tls: null,
        log,
        authenticate: createDeviceAccess({ db, batches: createBatchAccess({ db, clock }) }),
        witness: (event) => {
          journal.witness(event);
          newcomers.witness(event);
        },
      });
      stops.push(
        () => ingest.stop(),
        () => broker.stop(),
        await ingest.start(broker),
        newcomers.start(broker),
        journal.start(),
        watchCredentials({ broker, bus, db, log }),
      );
      const provision = provisionOn(broker);
      const devices = createDevices({ db, bus, keys, clock, log, provision });
      const pending = createPending({
        db,
        bus,
        clock,
        keys,
        log,
        provision,
        grant: (accounts) => broker.grant(accounts),
      });
      return [
        ...devicesRoutes(devices),
        ...provisioningRoutes(
          createBatches({ db, bus, clock, keys, pending }),
          createInbox({
            db,
            bus,
            clock,
            keys,
            log,
            devices,
            pending,
            builtIn: true,
            replay: (topic, payload, receivedAt) => ingest.take({ topic, payload, username: null }, receivedAt),
          }),
        ),
      ];
    },
  });
  const { db, call } = app;
  const url = () => `mqtt://127.0.0.1:${broker.port}`;
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  let named = 0;
  const givenBatch = async (more: Record<string, unknown> = {}) =>
    (await call<Batch>('/api/v1/batches', { body: { name: `批次${++named}`, workId: 1, ...more } })).body;
  const listed = async (batchId: number, more = '') =>
    (await call<{ data: Newcomer[] }>(`/api/v1/newcomers?batchId=${batchId}${more}`)).body.data;
  const one = async (id: number) => (await call<Newcomer>(`/api/v1/newcomers/${id}`)).body;
  const waitingFor = async (batchId: number, serial: string) => {
    const found = (await listed(batchId)).find((newcomer) => newcomer.serial === serial);
    if (!found) throw new Error(`${serial} is not in the inbox`);
    return one(found.id);
  };
  const batchOf = async (id: number) =>
    (await call<{ data: Batch['batch'][] }>('/api/v1/batches')).body.data.find((batch) => batch.id === id);

  /** An independent client with the account of a batch. */
  const member = ({ credentials }: Batch, serial: string, options: IClientOptions = {}): Promise<MqttClient> =>
    connectClient(url(), { clientId: serial, ...credentials, ...options });
  const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));
  const topic = (batch: Batch, serial: string, kind: string) =>
    `lampyris/v1/batches/${batch.batch.id}/${serial}/${kind}`;
  const newSecret = () => randomBytes(32).toString('base64url');
  const at = () => clock.now().toISOString();
  const values = { level: 60, power: 57.5, relay: true, voltage: 226.8 };
  const say = (client: MqttClient, batch: Batch, kind: 'hello' | 'readings', message: unknown) =>
    client.publishAsync(
      topic(batch, client.options.clientId ?? '', kind),
      typeof message === 'string' ? message : JSON.stringify(message),
      { qos: 1 },
    );
  const readings = (more: Record<string, unknown> = {}) => ({
    sentAt: at(),
    readings: [{ at: at(), values: { ...values, ...more } }],
  });
  const newLamp = (code: string) => ({
    device: { family: 'single-lamp-controller', equipmentCode: code, equipmentName: '新灯', workId: 1, power: 80 },
  });
  const historyOf = async (deviceId: number) =>
    (await sql<{ values: unknown }>`SELECT values FROM reading WHERE device_id = ${deviceId} ORDER BY at`.execute(db))
      .rows;

  return {
    clock,
    broker,
    journal,
    app,
    db,
    call,
    url,
    givenBatch,
    listed,
    one,
    waitingFor,
    batchOf,
    member,
    closed,
    topic,
    newSecret,
    at,
    values,
    say,
    readings,
    newLamp,
    historyOf,
  };
}
