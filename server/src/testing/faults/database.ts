import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { createRig, givenLamps, history, type History, type Rig } from './rig.ts';

export interface Outage {
  readonly rig: Rig;
  readonly fleet: Fleet;
  readonly postgres: TestPostgres;
  readonly disk: Disk;
  stop(): Promise<void>;
}

/** Where the database lies: a file system of its own that can be filled, or a folder whose files can be kept from growing. */
interface Disk {
  readonly folder: string;
  readonly own: boolean;
  fill(postgres: TestPostgres): void;
  empty(postgres: TestPostgres): void;
  remove(): void;
}

/** A server beside a database of its own, and lamps that report without a pause. */
export async function startOutage({ lamps, diskMegabytes }: { readonly lamps: number; readonly diskMegabytes: number }): Promise<Outage> {
  const disk = makeDisk(diskMegabytes);
  const postgres = await startPostgres(disk.folder);
  const rig = await createRig({ DATABASE_URL: postgres.url });
  await rig.start();
  const database = connect({ connectionString: postgres.url, max: 2 }, createLog('silent'));
  const members = await givenLamps(database.db, lamps);
  await database.stop();
  const fleet = await startFleet({ port: rig.mqttPort, members, pauseMs: 10 });
  await fleet.further(lamps);
  return {
    rig, fleet, postgres, disk,
    async stop() {
      await fleet.stop();
      await rig.stop();
      await postgres.stop();
      disk.remove();
    },
  };
}

export interface Verdict extends History {
  /** Sent and acknowledged while nothing could be written. */
  readonly early: number;
  /** Whether the server needed no restart, and its memory stayed within reason. */
  readonly sameProcess: boolean;
  readonly memoryBounded: boolean;
}

const mostMemory = 700 * 2 ** 20;

/**
 * Takes the database away by `begin`, waits while lamps go on sending, gives it back by `end`, and says what it did to the readings.
 */
export async function during({ rig, fleet, postgres }: Outage, { begin, end, awayMs }: { readonly begin: () => void | Promise<void>; readonly end: () => void | Promise<void>; readonly awayMs: number }): Promise<Verdict> {
  const { pid } = rig;
  await begin();
  // What was committed before may still be on its way to the lamps; of what is sent from now on nothing can be.
  const meanwhile = fleet.more();
  await sleep(awayMs);
  const early = meanwhile.filter((key) => fleet.acknowledged.has(key)).length;
  const memory = rig.memory();
  await end();
  await fleet.further(1);
  await fleet.quiet();
  const database = connect({ connectionString: postgres.url, max: 1 }, createLog('silent'));
  const found = await history(database.db, fleet);
  await database.stop();
  fleet.resume();
  return { early, ...found, sameProcess: rig.pid === pid, memoryBounded: memory < mostMemory };
}

/** As root a small file system in memory; else files that may not grow. */
function makeDisk(megabytes: number): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-disk-'));
  chmodSync(folder, 0o755);
  const own = mounted(folder, megabytes);
  const filler = join(folder, 'filler');
  return {
    folder, own,
    fill(postgres) {
      if (!own) return postgres.limitFiles(8192);
      // Block by block until nothing fits any more.
      try {
        for (let part = 0; ; part += 1) writeFileSync(`${filler}-${part}`, Buffer.alloc(2 ** 20));
      } catch {
        // Full: that was wanted.
      }
    },
    empty(postgres) {
      if (!own) return postgres.limitFiles(null);
      for (let part = 0; part < megabytes; part += 1) {
        try {
          truncateSync(`${filler}-${part}`, 0);
        } catch {
          break;
        }
      }
    },
    remove() {
      if (own) execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mounted(folder: string, megabytes: number): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
