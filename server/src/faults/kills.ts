import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { signInAdmin } from '../../../e2e/fixtures/api.ts';
import type { Db } from '../platform/db/index.ts';
import { startFleet } from './fleet.ts';
import { createRig, givenLamps, storedReadings } from './rig.ts';

interface Kills {
  readonly db: Db;
  readonly url: string;
  /** Which database and broker the server uses. */
  readonly env: Readonly<Record<string, string>>;
  readonly lamps: number;
  readonly rounds: number;
  readonly seed: number;
}

/** What must be empty afterwards. */
export interface Damage {
  /** Acknowledged and not in the history; there more than once; there and never sent. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly foreign: readonly string[];
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
export async function killedUnderLoad({ db, url, env, lamps, rounds, seed }: Kills): Promise<Damage> {
  const rig = await createRig(env);
  const random = chance(seed);
  await rig.start();
  await sql`INSERT INTO setting (name, value) VALUES ('commands.settings', '{"limits": {"acknowledgeSeconds": 2, "confirmSeconds": 4, "queueSeconds": 12}}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db);
  const members = await givenLamps(db, lamps);
  const admin = await signInAdmin({ url: rig.address, initialPassword: () => 'Lantern#7x' }, 'Harbour#42-night');
  const fleet = await startFleet({ port: rig.mqttPort, members });
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
    return await damage({ db, url, fleet });
  } finally {
    await fleet.stop();
    await rig.stop();
  }
}

async function damage({ db, url, fleet }: { readonly db: Db; readonly url: string; readonly fleet: Awaited<ReturnType<typeof startFleet>> }): Promise<Damage> {
  const open = await commandsEnded(db);
  const { rows: ended } = await sql<{ commandId: number; deviceId: number; state: string }>`SELECT command_id AS "commandId", device_id AS "deviceId", state FROM command_item`.execute(db);
  const heard = new Set(fleet.heard.map(({ commandId, deviceId }) => `${commandId}/${deviceId}`));
  const stored = await storedReadings(url);
  const once = new Set(stored);
  return {
    lost: [...fleet.acknowledged].filter((key) => !once.has(key)),
    twice: stored.length === once.size ? [] : stored.filter((key, index) => stored.indexOf(key) !== index),
    foreign: [...once].filter((key) => !fleet.sent.has(key)), open,
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
