import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { client, signInAdmin } from '../../../../e2e/fixtures/api.ts';
import { connect, type Db } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { mebibytes, since, type Result } from './figures.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { createRig, givenLamps, history, type History } from './rig.ts';

interface Kills {
  /** Which database and broker the servers use; without any their own. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the broker of MQTT_URL listens. */
  readonly brokerPort?: number;
  /** More than one need a database and a broker of the site, and one key. */
  readonly servers?: number;
  readonly lamps: number;
  readonly rounds: number;
  readonly seed: number;
}

/** What must be empty afterwards. */
export interface Damage extends History {
  /** Items of commands that never came to an end. */
  readonly open: number;
  /** Items that ended as expired, and a lamp was told nevertheless. */
  readonly obeyedButExpired: readonly string[];
  /** Items that ended as confirmed, and no lamp obeyed. */
  readonly confirmedUnheard: readonly string[];
}

/** Small numbers from a seed: the same kills in every run. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const limits = '{"limits": {"acknowledgeSeconds": 2, "confirmSeconds": 4, "queueSeconds": 12}}';

/**
 * Kills a server again and again while lamps report and commands go out, and says what was damaged. Of several, one at
 * a time: the others go on meanwhile.
 */
export async function killedUnderLoad({
  env,
  brokerPort,
  servers = 1,
  lamps,
  rounds,
  seed,
}: Kills): Promise<Result<Damage>> {
  const began = performance.now();
  const rigs = await Promise.all(Array.from({ length: servers }, () => createRig(env)));
  const random = chance(seed);
  for (const rig of rigs) await rig.start();
  const [first] = rigs;
  if (!first) throw new Error('no server');
  const database = connect({ connectionString: env['DATABASE_URL'] ?? first.embeddedUrl, max: 2 }, createLog('silent'));
  const { db } = database;
  await sql`INSERT INTO setting (name, value) VALUES ('commands.settings', ${limits}) ON CONFLICT (name) DO UPDATE
    SET value = excluded.value`.execute(db);
  const members = await givenLamps(db, lamps);
  const { token } = await signInAdmin({ url: first.address, initialPassword: () => 'Lantern#7x' }, 'Harbour#42-night');
  // A broker of the site acknowledges whatever the server does: lamps that never paused would send more than is ever
  // stored.
  const fleet = await startFleet({
    port: brokerPort ?? first.mqttPort,
    members,
    ...(brokerPort === undefined ? {} : { pauseMs: 500 }),
  });
  try {
    await fleet.further(lamps);
    for (let round = 0; round < rounds; round += 1) {
      const victim = rigs[Math.floor(random() * servers)] ?? first;
      const asked = rigs[Math.floor(random() * servers)] ?? first;
      const told = client(asked.address, token)
        .send('POST', '/api/v1/commands', {
          deviceIds: members.map(({ id }) => id),
          command: 'dim',
          args: { level: 10 + (round % 90) },
        })
        .catch(() => undefined);
      // Between the rows and the publishing, in the middle of it, or when the first lamps have answered.
      if (random() < 0.5) await told;
      await sleep(random() * 250);
      await victim.kill();
      await told;
      // Whoever is left takes over what the killed one did alone.
      if (servers > 1) await fleet.further(lamps);
      await victim.start();
      await fleet.further(lamps);
    }
    await fleet.quiet();
    const { verdict, states } = await damage(db, fleet);
    const { lost, twice, open } = verdict;
    // On their way when they ended: what was told then was not obeyed.
    const toldLate = fleet.heard.filter(({ obeyed }) => !obeyed).length;
    return {
      verdict,
      figures: {
        kills: rounds,
        acknowledged: fleet.acknowledged.size,
        lost: lost.length,
        twice,
        open,
        toldLate,
        ...states,
        peakMiB: mebibytes(Math.max(...rigs.map((rig) => rig.peak()))),
        seconds: since(began),
      },
    };
  } finally {
    await fleet.stop();
    await database.stop();
    for (const rig of rigs) await rig.stop();
  }
}

async function damage(db: Db, fleet: Fleet): Promise<{ verdict: Damage; states: Record<string, number> }> {
  const open = await commandsEnded(db);
  const { rows: ended } = await sql<{
    item: string;
    state: string;
  }>`SELECT command_id || '/' || device_id AS item, state FROM command_item`.execute(db);
  const told = new Set(fleet.heard.map(({ commandId, deviceId }) => `${commandId}/${deviceId}`));
  const obeyed = new Set(
    fleet.heard.filter((one) => one.obeyed).map(({ commandId, deviceId }) => `${commandId}/${deviceId}`),
  );
  const of = (wanted: string) => ended.filter(({ state }) => state === wanted).map(({ item }) => item);
  const states: Record<string, number> = {};
  for (const { state } of ended) states[state] = (states[state] ?? 0) + 1;
  return {
    states,
    verdict: {
      ...(await history(db, fleet)),
      open,
      obeyedButExpired: of('expired').filter((item) => told.has(item)),
      confirmedUnheard: of('confirmed').filter((item) => !obeyed.has(item)),
    },
  };
}

/** Waits for the end of every command; how many have none after half a minute. */
async function commandsEnded(db: Db): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const {
      rows: [found],
    } = await sql<{
      open: number;
    }>`SELECT count(*)::int AS open FROM command_item
      WHERE state IN ('waiting', 'queued', 'sent', 'acknowledged')`.execute(db);
    if (found?.open === 0 || tries >= 300) return found?.open ?? -1;
    await sleep(100);
  }
}
