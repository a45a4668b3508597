import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../e2e/fixtures/free-port.ts';
import type { Db } from '../../platform/db/index.ts';
import { mebibytes, since, type Result } from './figures.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { createRig, givenLamps, history, type History, type Rig } from './rig.ts';

/** Whether Debian's Mosquitto is there. */
export const hasMosquitto = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].some((file) =>
  existsSync(file),
);

/** A Mosquitto of a test's own that lets everybody in and forgets nothing when it is stopped in order. */
export interface TestMosquitto {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  remove(): void;
}

export async function startMosquitto(): Promise<TestMosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-broker-'));
  const port = await freePort();
  chmodSync(folder, 0o777);
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(
    file,
    [
      `listener ${port} 127.0.0.1`,
      'max_inflight_messages 1000',
      'max_queued_messages 0',
      'allow_anonymous true',
      'persistence true',
      `persistence_location ${folder}/`,
      '',
    ].join('\n'),
  );
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
    for (;;) {
      const socket = connect(port, '127.0.0.1');
      const up = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false);
      socket.destroy();
      if (up) return;
      if (child.exitCode !== null) throw new Error('mosquitto did not start');
      await sleep(20);
    }
  }
  await start();
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    start,
    async kill(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface LoadVerdict extends History {
  readonly sameProcess: boolean;
}

/** A server with a Mosquitto, and lamps that report without a pause. */
export interface Load {
  readonly rig: Rig;
  readonly mosquitto: TestMosquitto;
  readonly fleet: Fleet;
  /** Whether everything that was acknowledged is in the history once, and the server is the one it was at the start. */
  verdict(): Promise<LoadVerdict>;
  stop(): Promise<void>;
}

export async function startLoad({
  db,
  url,
  lamps,
}: {
  readonly db: Db;
  readonly url: string;
  readonly lamps: number;
}): Promise<Load> {
  const mosquitto = await startMosquitto();
  const rig = await createRig({ DATABASE_URL: url, MQTT_URL: mosquitto.url, LEASE_SECONDS: '2' });
  await rig.start();
  const fleet = await startFleet({ port: mosquitto.port, members: await givenLamps(db, lamps), pauseMs: 20 });
  const { pid } = rig;
  await fleet.further(lamps);
  return {
    rig,
    mosquitto,
    fleet,
    async verdict() {
      await fleet.quiet();
      const found = await history(db, fleet);
      fleet.resume();
      return { ...found, sameProcess: rig.pid === pid };
    },
    async stop() {
      await fleet.stop();
      await rig.stop();
      await mosquitto.kill('SIGTERM');
      mosquitto.remove();
    },
  };
}

/**
 * Stops and starts the broker under load and says what became of what it acknowledged: it keeps for the server what
 * that has not taken yet.
 */
export async function brokerRestarts({
  db,
  url,
  lamps,
  rounds,
}: {
  readonly db: Db;
  readonly url: string;
  readonly lamps: number;
  readonly rounds: number;
}): Promise<Result<LoadVerdict>> {
  const began = performance.now();
  const { rig, mosquitto, fleet, ...load } = await startLoad({ db, url, lamps });
  try {
    for (let round = 0; round < rounds; round += 1) {
      await mosquitto.kill('SIGTERM');
      await mosquitto.start();
      await fleet.further(lamps);
    }
    const verdict = await load.verdict();
    return {
      verdict,
      figures: {
        devices: lamps,
        restarts: rounds,
        acknowledged: fleet.acknowledged.size,
        lost: verdict.lost.length,
        twice: verdict.twice,
        peakMiB: mebibytes(rig.peak()),
        seconds: since(began),
      },
    };
  } finally {
    await load.stop();
  }
}
