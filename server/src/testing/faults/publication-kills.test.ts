import mqtt from 'mqtt';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { signInAdmin, type Client } from '../../../../e2e/fixtures/api.ts';
import { clientIdOf } from '../../../../protocols/mqtt-json/topics.ts';
import { testDatabase } from '../database.ts';
import { createRig, givenLamps } from './rig.ts';

/** Lamps of three turns: a kill after the first one leaves the others. */
const count = 1100;
const patience = { timeout: 120_000, interval: 50 };

const { db, url } = await testDatabase();
const rig = await createRig({ DATABASE_URL: url });
afterAll(() => rig.stop());

interface Publication {
  readonly phase: string;
  readonly states: Readonly<Record<string, number>>;
  readonly revertedBy: number | null;
}
const assigned = async (id: number) => {
  const { rows } = await sql<{ lamps: number; given: number }>`SELECT count(DISTINCT device_id)::int AS lamps,
    count(*)::int AS given FROM plan_assignment WHERE publication_id = ${id} AND withdrawn_at IS NULL`.execute(db);
  return rows[0];
};
const told = async (id: number) => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM publication_item
    WHERE publication_id = ${id} AND told_at IS NOT NULL`.execute(db);
  return rows[0]?.n ?? 0;
};

/** What the broker keeps for a lamp: the code of the scheme that it is told. */
async function keptFor({ id, password }: { readonly id: number; readonly password: string }): Promise<string | null> {
  const name = clientIdOf(id);
  const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${rig.mqttPort}`, {
    ...{ clientId: name, username: name, password, reconnectPeriod: 0 },
  });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  device.on('message', (_topic, payload) => {
    const { plan } = JSON.parse(payload.toString()) as { plan?: { scheme: string } };
    resolve(plan?.scheme ?? null);
  });
  await device.subscribeAsync(`lampyris/v1/devices/${id}/settings`, { qos: 1 });
  return promise.finally(() => void device.endAsync(true));
}

test('a server that is killed while it tells, waits for proofs and takes back tells every lamp once, and no half of it', async () => {
  await rig.start();
  const members = await givenLamps(db, count);
  // The sun stands high there, whenever the test runs: around dusk nothing is told.
  const longitude = (12 - new Date().getUTCHours()) * 15;
  await sql`UPDATE work_area SET longitude = ${longitude === -180 ? 180 : longitude}, latitude = 1, time_zone = 'UTC'
    WHERE id = 77`.execute(db);
  let office: Client = await signInAdmin({ url: rig.address, initialPassword: () => 'Lantern#7x' }, 'Harbour#42-night');
  const { id: schemeId } = await office.send<{ id: number }>('POST', '/api/v1/schemes', {
    ...{ code: 'K-1', name: '节能方案', workAreaId: 77 },
  });
  const content = {
    ...exampleScheme(),
    programmes: [{ key: 1, name: '平日', programme: exampleProgramme(100) }],
    calendar: { rules: [], default: 1 },
  };
  await office.send('PUT', `/api/v1/schemes/${schemeId}/draft`, { version: 1, content });
  await office.send('POST', `/api/v1/schemes/${schemeId}/versions`, { version: 2 });
  const killed = async () => {
    await rig.kill();
    await rig.start();
    office = await signInAdmin({ url: rig.address, initialPassword: () => 'Lantern#7x' }, 'Harbour#42-night');
  };
  const seen = (id: number) => office.get<Publication>(`/api/v1/publications/${id}`);

  const { id } = await office.send<{ id: number }>('POST', '/api/v1/publications', {
    ...{ schemeId, scope: { workAreaId: 77 }, canary: null, reason: '节能' },
    // By the hour of the test, which moves the place, a period may lie outside of every night.
    acceptedFindings: ['farFromTwilight', 'darker', 'periodNeverReached'],
  });
  await expect.poll(() => told(id), patience).toBeGreaterThan(0);
  await killed();
  await expect.poll(() => told(id), patience).toBe(count);
  await expect.poll(async () => (await seen(id)).phase, patience).toBe('proving');
  await killed();
  expect([await assigned(id), (await seen(id)).states]).toEqual([{ lamps: count, given: count }, { told: count }]);
  const some = [members[0], members[count / 2], members.at(-1)].flatMap((member) => member ?? []);
  for (const member of some) await expect.poll(() => keptFor(member), patience).toBe('K-1');

  const { revertId } = await office.send<{ revertId: number }>('POST', `/api/v1/publications/${id}/revert`, {
    reason: '试验结束',
  });
  await expect.poll(() => told(revertId), patience).toBeGreaterThan(0);
  await killed();
  await expect.poll(() => told(revertId), patience).toBe(count);
  await expect.poll(async () => (await seen(id)).phase, patience).toBe('reverted');
  expect(await assigned(revertId)).toEqual({ lamps: count, given: count });
  expect(await seen(id)).toMatchObject({ revertedBy: revertId, states: { superseded: count } });
  for (const member of some) await expect.poll(() => keptFor(member), patience).toBe(null);
}, 600_000);
