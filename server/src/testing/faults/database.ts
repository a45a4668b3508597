import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startMosquitto, type TestMosquitto } from './broker.ts';
import { makeDisk, type Disk } from './disk.ts';
import { mebibytes, since, type Result } from './figures.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { ownPostgres } from './own-postgres.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { createRig, givenLamps, history, type History, type Rig } from './rig.ts';

export interface Outage {
  readonly rig: Rig;
  readonly fleet: Fleet;
  readonly postgres: TestPostgres;
  readonly disk: Disk;
  stop(): Promise<void>;
}

/**
 * Whose database and whose broker: the program's own (`own`), the site's (`site`), or the site's database and the
 * program's broker (`mixed`).
 */
export type Kind = 'own' | 'mixed' | 'site';

interface Surroundings {
  readonly rig: Rig;
  readonly postgres: TestPostgres;
  readonly mosquitto: TestMosquitto | undefined;
}

async function surround(kind: Kind, disk: Disk): Promise<Surroundings> {
  if (kind === 'own') {
    const dataDir = join(disk.folder, 'data');
    const rig = await createRig({}, dataDir);
    return { rig, postgres: ownPostgres(rig, dataDir), mosquitto: undefined };
  }
  const postgres = await startPostgres(disk.folder);
  const mosquitto = kind === 'site' ? await startMosquitto() : undefined;
  return {
    rig: await createRig({
      DATABASE_URL: postgres.url,
      ...(mosquitto ? { MQTT_URL: mosquitto.url, LEASE_SECONDS: '2' } : {}),
    }),
    postgres,
    mosquitto,
  };
}

/** A server beside a database that can be taken away, and lamps that report without a pause. */
export async function startOutage({
  kind,
  lamps,
  diskMegabytes,
}: {
  readonly kind: Kind;
  readonly lamps: number;
  readonly diskMegabytes: number;
}): Promise<Outage> {
  const disk = makeDisk(diskMegabytes);
  const { rig, postgres, mosquitto } = await surround(kind, disk);
  await rig.start();
  const database = connect({ connectionString: postgres.url, max: 2 }, createLog('silent'));
  const members = await givenLamps(database.db, lamps);
  await database.stop();
  const fleet = await startFleet({ port: mosquitto?.port ?? rig.mqttPort, members, pauseMs: 10 });
  // Of each of them something is stored: the server knows their clocks.
  fleet.more();
  await fleet.quiet();
  fleet.resume();
  return {
    rig,
    fleet,
    postgres,
    disk,
    async stop() {
      await fleet.stop();
      await rig.stop();
      await mosquitto?.kill('SIGTERM');
      mosquitto?.remove();
      await postgres.stop();
      disk.remove();
    },
  };
}

/**
 * Waits until nothing more gets into the history: a broker of the site goes on acknowledging whatever the disk is like.
 */
export async function storesNothing({ postgres }: Outage): Promise<void> {
  const database = connect({ connectionString: postgres.url, max: 1 }, createLog('silent'));
  // One that could not write its log any more has ended.
  const stored = async () =>
    (await sql<{ stored: number }>`SELECT count(*)::int AS stored FROM reading`.execute(database.db).catch(() => null))
      ?.rows[0]?.stored ?? null;
  for (let before = -1; ;) {
    const now = await stored();
    if (now === null || now === before) break;
    before = now;
    await sleep(1000);
  }
  await database.stop();
}

export interface Verdict extends History {
  /**
   * Sent and acknowledged while nothing could be written: by a broker of the site, which keeps it, or against the
   * promise.
   */
  readonly early: number;
  /** Whether the server needed no restart, and its memory stayed within reason. */
  readonly sameProcess: boolean;
  readonly memoryBounded: boolean;
}

const mostMemory = 700 * 2 ** 20;

interface Trial {
  readonly begin: () => void | Promise<void>;
  readonly end: () => void | Promise<void>;
  readonly awayMs: number;
  /** How many readings each lamp sends at once while it is away; 1 unless told. */
  readonly burst?: number;
}

/**
 * Takes the database away by `begin`, waits while lamps go on sending, gives it back by `end`, and says what it did to
 * the readings.
 */
export async function during(
  { rig, fleet, postgres }: Outage,
  { begin, end, awayMs, burst = 1 }: Trial,
): Promise<Result<Verdict>> {
  const began = performance.now();
  const { pid } = rig;
  await begin();
  // What was committed before may still be on its way to the lamps; of what is sent from now on nothing can be.
  const meanwhile = fleet.more(burst);
  await sleep(awayMs);
  const early = meanwhile.filter((key) => fleet.acknowledged.has(key)).length;
  const memory = rig.memory();
  await end();
  const back = performance.now();
  await fleet.further(1);
  const recoverySeconds = since(back);
  await fleet.quiet();
  const database = connect({ connectionString: postgres.url, max: 1 }, createLog('silent'));
  const found = await history(database.db, fleet);
  await database.stop();
  fleet.resume();
  return {
    verdict: { early, ...found, sameProcess: rig.pid === pid, memoryBounded: memory < mostMemory },
    figures: {
      acknowledged: fleet.acknowledged.size,
      meanwhile: meanwhile.length,
      early,
      lost: found.lost.length,
      twice: found.twice,
      recoverySeconds,
      memoryMiB: mebibytes(memory),
      peakMiB: mebibytes(rig.peak()),
      seconds: since(began),
    },
  };
}
