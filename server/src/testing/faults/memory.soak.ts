import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signInAdmin } from '../../../../e2e/fixtures/api.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { mebibytes } from './figures.ts';
import { startFleet } from './fleet.ts';
import { createRig, givenLamps } from './rig.ts';

/** SOAK_MINUTES makes it shorter; the first quarter is for warming up. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 120);
/** What memory may grow by in all the time that is measured, by its trend. */
const mostGrowthMiB = 32;
/** A server that is short of processor puts its collections off: its memory is read after one that it is asked for. */
const collects = new URL('collects.ts', import.meta.url).href;
/** What a collection of the whole memory may take. */
const collectionMs = 2_000;

/** Slope of a line through points at equal distances, in units of the values for each step. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [above, below] = values.reduce(
    ([up, down], value, index) => [up + (index - middle) * (value - mean), down + (index - middle) ** 2],
    [0, 0],
  );
  return below === 0 ? 0 : above / below;
}

test(`memory stays flat in ${minutes} minutes of load`, { timeout: (minutes + 10) * 60_000 }, async () => {
  const rig = await createRig({ NODE_OPTIONS: `--import=${collects}` });
  await rig.start();
  const database = connect({ connectionString: rig.embeddedUrl, max: 2 }, createLog('silent'));
  const members = await givenLamps(database.db, 500);
  await database.stop();
  const fleet = await startFleet({ port: rig.mqttPort, members, pauseMs: 480 });
  try {
    const operator = await signInAdmin({ url: rig.address, initialPassword: () => 'Lantern#7x' }, 'Harbour#42-night');
    const steps: number[] = [];
    const ends = performance.now() + minutes * 60_000;
    for (const stepMs = (minutes * 60_000) / 60; performance.now() < ends;) {
      const stepEnds = performance.now() + stepMs;
      while (performance.now() < stepEnds) {
        for (const path of [
          '/api/v1/home',
          '/api/v1/devices?family=single-lamp-controller',
          `/api/v1/devices/${members[0]?.id}`,
        ])
          await operator.get(path);
        await sleep(500);
      }
      process.kill(rig.pid, 'SIGUSR2');
      await sleep(collectionMs);
      steps.push(mebibytes(rig.memory()));
    }
    const measured = steps.slice(Math.floor(steps.length / 4));
    const growth = slopeOf(measured) * (measured.length - 1);
    process.stdout.write(
      `| memory in ${minutes} minutes | acknowledged ${fleet.acknowledged.size}, MiB ${measured[0]} to ${measured.at(-1)}, growth ${growth.toFixed(1)} (${growth < mostGrowthMiB ? 'flat' : 'NOT flat'}), peak ${mebibytes(rig.peak())} |\n`,
    );
    expect(growth).toBeLessThan(mostGrowthMiB);
  } finally {
    await fleet.stop();
    await rig.stop();
  }
});
