import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { mebibytes, since, type Result } from './figures.ts';
import { startFleet } from './fleet.ts';
import { createRig, givenLamps, history, type History } from './rig.ts';

/** Debian's libfaketime, where it is installed. */
export const libfaketime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib']
  .map((folder) => join(folder, 'faketime/libfaketimeMT.so.1'))
  .find((file) => existsSync(file));

export interface ClockVerdict extends History {
  readonly sameProcess: boolean;
  readonly usable: boolean;
  /** Whether the server believed the jumps: what it received stands in the future. */
  readonly jumped: boolean;
}

/** A server whose wall clock jumps, in seconds from the true time, while lamps with right clocks report. */
export async function jumpingClock({
  env,
  brokerPort,
  lamps,
  jumps,
}: {
  readonly env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
  readonly brokerPort?: number;
  readonly lamps: number;
  readonly jumps: readonly string[];
}): Promise<Result<ClockVerdict>> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-clock-'));
  const file = join(folder, 'time');
  const jump = (seconds: string) => writeFileSync(file, `${seconds}\n`);
  jump('+0');
  const rig = await createRig({
    ...env,
    LD_PRELOAD: libfaketime ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  await rig.start();
  const database = connect({ connectionString: env.DATABASE_URL, max: 2 }, createLog('silent'));
  const fleet = await startFleet({
    port: brokerPort ?? rig.mqttPort,
    members: await givenLamps(database.db, lamps),
    pauseMs: 50,
  });
  const { pid } = rig;
  try {
    await fleet.further(lamps);
    for (const seconds of jumps) {
      jump(seconds);
      await fleet.further(lamps * 5);
    }
    await fleet.quiet();
    const usable = (await fetch(`${rig.address}/readyz`)).ok;
    const found = await history(database.db, fleet);
    const {
      rows: [latest],
    } = await sql<{
      ahead: boolean;
    }>`SELECT max(received_at) > now() + interval '12 hours' AS ahead FROM reading`.execute(database.db);
    return {
      verdict: { ...found, sameProcess: rig.pid === pid, usable, jumped: latest?.ahead ?? false },
      figures: {
        jumps: jumps.join(' '),
        acknowledged: fleet.acknowledged.size,
        lost: found.lost.length,
        twice: found.twice,
        peakMiB: mebibytes(rig.peak()),
        seconds: since(began),
      },
    };
  } finally {
    await fleet.stop();
    await database.stop();
    await rig.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
