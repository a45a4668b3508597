import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach } from 'vitest';
import { clientIdOf } from '../../../protocols/mqtt-json/topics.ts';
import type { Db } from '../platform/db/index.ts';

let next = 0;

/** Work area 1 with coordinates, and road 1 in it. */
export async function givenArea(db: Db): Promise<void> {
  await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude) VALUES (1, 'A1', '滨江新区', 120.2, 30.25)
    ON CONFLICT (id) DO UPDATE SET longitude = 120.2, latitude = 30.25`.execute(db);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (1, 1, 'R1', '滨江大道')
    ON CONFLICT DO NOTHING`.execute(db);
}

export interface GivenDevice {
  readonly family?: string;
  readonly workAreaId?: number;
  readonly parentId?: number | null;
  readonly roadId?: number | null;
  readonly enabled?: boolean;
}

/** A device, a lamp of area 1 on road 1 unless told; returns its id. */
export async function givenDevice(
  db: Db,
  { family = 'single-lamp-controller', workAreaId = 1, parentId = null, roadId = 1, enabled = true }: GivenDevice = {},
): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO device (family, work_area_id, equipment_code, road_id, parent_id, enabled, longitude, latitude,
    rated_watts)
    VALUES (${family}, ${workAreaId}, ${`T-${++next}`}, ${roadId}, ${parentId}, ${enabled}, 120.2, 30.25, 100)
      RETURNING id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Credentials of a device, as the service issues them; returns the password. */
export async function givenCredentials(db: Db, deviceId: number): Promise<string> {
  const password = randomBytes(32).toString('base64url');
  const name = clientIdOf(deviceId);
  await db
    .insertInto('device_credential')
    .values({
      device_id: deviceId,
      client_id: name,
      username: name,
      secret_hash: createHash('sha256').update(password).digest(),
    })
    .onConflict((conflict) =>
      conflict.column('device_id').doUpdateSet({ secret_hash: createHash('sha256').update(password).digest() }),
    )
    .execute();
  return password;
}

const open: MqttClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.endAsync(true).catch(() => undefined)));
});

/** A plain MQTT client, connected; closed after the test. */
export async function connectClient(url: string, options: IClientOptions): Promise<MqttClient> {
  const client = mqtt.connect(url, { reconnectPeriod: 0, ...options });
  open.push(client);
  client.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  });
  return client;
}

/** A plain MQTT client signed in as a device; closed after the test. */
export function connectDevice(
  url: string,
  deviceId: number,
  password: string,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const name = clientIdOf(deviceId);
  return connectClient(url, { clientId: name, username: name, password, ...options });
}

/** What a client hears, in order; `take` waits for the next message. */
export function listen(client: MqttClient): {
  take(): Promise<{ topic: string; message: Record<string, unknown> }>;
  readonly kept: unknown[];
} {
  const kept: { topic: string; message: Record<string, unknown> }[] = [];
  const waiting: ((item: { topic: string; message: Record<string, unknown> }) => void)[] = [];
  client.on('message', (topic, payload) => {
    const item = { topic, message: JSON.parse(payload.toString() || 'null') as Record<string, unknown> };
    const taker = waiting.shift();
    if (taker) taker(item);
    else kept.push(item);
  });
  return {
    kept,
    take: () =>
      new Promise((resolve) => {
        const item = kept.shift();
        if (item) resolve(item);
        else waiting.push(resolve);
      }),
  };
}
