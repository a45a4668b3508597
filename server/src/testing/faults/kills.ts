import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { signInAdmin } from '../../../../e2e/fixtures/api.ts';
import { connect, type Db } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { createRig, givenLamps, history } from './rig.ts';

interface Kills {
  /** Which database and broker the server uses; without any its own. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the broker of MQTT_URL listens. */
  readonly brokerPort?: number;
  readonly lamps: number;
  readonly rounds: number;
  readonly seed: number;
}

/** What must be empty afterwards. */
export interface Damage {
  /** Acknowledged and not in the history. */
  readonly lost: readonly string[];
  /** How many stand there more than once, and how many were never sent. */
  readonly twice: number;
  readonly foreign: number;
  /** Items of commands that never came to an end. */
  readonly open: number;
  /** Items that ended as expired, and a lamp was told nevertheless. */
  readonly obeyedButExpired: readonly string[];
}

/** Small numbers from a seed: the same kills in every run. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Kills a server again and again while lamps report and commands go out, and says what was damaged. */
export async function killedUnderLoad({ env, brokerPort, lamps, rounds, seed }: Kills): Promise<Damage> {
  const rig = await createRig(env);
  const random = chance(seed);
  await rig.start();
  const database = connect({ connectionString: env['DATABASE_URL'] ?? rig.embeddedUrl, max: 2 }, createLog('silent'));
  const { db } = database;
  await sql`INSERT INTO setting (name, value) VALUES ('commands.settings', '{"limits": {"acknowledgeSeconds": 2, "confirmSeconds": 4, "queueSeconds": 12}}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db);
  const members = await givenLamps(db, lamps);
  const admin = await signInAdmin({ url: rig.address, initialPassword: () => 'Lantern#7x' }, 'Harbour#42-night');
  const fleet = await startFleet({ port: brokerPort ?? rig.mqttPort, members });
  try {
    await fleet.further(lamps);
    for (let round = 0; round < rounds; round += 1) {
      const told = admin.send('POST', '/api/v1/commands', { deviceIds: members.map(({ id }) => id), command: 'dim', args: { level: 10 + round } }).catch(() => undefined);
      // Between the rows and the publishing, in the middle of it, or when the first lamps have answered.
      if (random() < 0.5) await told;
      await sleep(random() * 250);
      await rig.kill();
      await told;
      await rig.start();
      await fleet.further(lamps);
    }
    await fleet.quiet();
    return await damage(db, fleet);
  } finally {
    await fleet.stop();
    await database.stop();
    await rig.stop();
  }
}

async function damage(db: Db, fleet: Fleet): Promise<Damage> {
  const open = await commandsEnded(db);
  const { rows: ended } = await sql<{ commandId: number; deviceId: number; state: string }>`SELECT command_id AS "commandId", device_id AS "deviceId", state FROM command_item`.execute(db);
  const heard = new Set(fleet.heard.map(({ commandId, deviceId }) => `${commandId}/${deviceId}`));
  return {
    ...await history(db, fleet), open,
    obeyedButExpired: ended.filter(({ state, commandId, deviceId }) => state === 'expired' && heard.has(`${commandId}/${deviceId}`)).map(({ commandId, deviceId }) => `${commandId}/${deviceId}`),
  };
}

/** Waits for the end of every command; how many have none after half a minute. */
async function commandsEnded(db: Db): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { rows: [found] } = await sql<{ open: number }>`SELECT count(*)::int AS open FROM command_item WHERE state IN ('waiting', 'queued', 'sent', 'acknowledged')`.execute(db);
    if (found?.open === 0 || tries >= 300) return found?.open ?? -1;
    await sleep(100);
  }
}
