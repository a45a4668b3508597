import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { livePath } from '../../../../contract/live.ts';
import { encode, timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { createProofs } from '../../light/commands/index.ts';
import { defaultThresholds, reportPeriods } from '../../light/lamps/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { createLive, type Live } from '../../platform/live/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { createDevices, devicesRoutes } from '../../register/devices/index.ts';
import { createLiveTopics } from '../../shell/live/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice } from '../../testing/devices.ts';
import { hints } from '../../testing/hints.ts';
import { liveReaders } from '../../testing/live-readers.ts';
import { createDeviceAccess } from '../../wires/link/index.ts';
import { createJudging } from '../presence/index.ts';

// Noon.
const clock = testClock(new Date('2026-11-21T04:00:00Z'));
/** The live line gathers every 250 ms: its clock does not run through hours. */
const liveClock = testClock(clock.now());
const folder = mkdtempSync(join(tmpdir(), 'lampyris-alarms-'));
const keys = openKeys(join(folder, 'secret.key'));
const app = await testApp({ clock, routes: (parts) => devicesRoutes(createDevices({ ...parts, keys })) });
const { db, bus, sessions, call } = app;
const log = createLog('silent');
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
const startJudge = () =>
  createJudging({
    db,
    clock,
    thresholds: defaultThresholds,
    periods: reportPeriods(),
    announce: (ids) => bus.publish('lamps.judged', { ids }),
    onError: (thrown) => {
      throw thrown;
    },
  });
let judging = startJudge();
let broker: EmbeddedBroker;
let live: Live;
let stopTopics: () => void;
let liveUrl = '';
const sockets: WebSocket[] = [];

beforeAll(async () => {
  await givenArea(db);
  broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log,
    authenticate: createDeviceAccess({ db }),
  });
  await ingest.start(broker);
  const topics = createLiveTopics({ db, bus, clock: liveClock, log, hints });
  stopTopics = topics.start();
  live = createLive({
    topics: topics.topics,
    authenticate: (token) => sessions.authenticate(token, { background: true }),
    callers: (ids) => sessions.callers(ids),
    allowedOrigins: [],
    clock: liveClock,
    bus,
    log,
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  live.attach(app.app.server);
  const address = app.app.server.address();
  liveUrl = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${livePath}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  stopTopics();
  await live.stop();
  await ingest.stop();
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
});

const minute = 60_000;
const iso = (at: Date) => at.toISOString();

interface Shown {
  readonly id: number;
  readonly state: string;
  readonly fault: string | null;
  readonly faults: readonly { readonly code: string; readonly level: number; readonly since: string }[];
}

it('gas in a manhole is raised, shown and cleared by what the cover reports over MQTT', async () => {
  const cover = await givenDevice(db, { family: 'manhole-cover' });
  const client = await connectDevice(`mqtt://127.0.0.1:${broker.port}`, cover, await givenCredentials(db, cover));
  const reader = await liveReaders(() => liveUrl, sockets).watching(app.adminToken, ['devices:manhole-cover']);

  /** The cover reports, and is judged. */
  async function report(gas: number): Promise<Shown> {
    const at = timeText(clock.now().getTime());
    await client.publishAsync(
      topicOf({ kind: 'readings', deviceId: cover, viaId: null }),
      encode({ sentAt: at, readings: [{ at, values: { gas, tilt: 1 } }] }),
      { qos: 1 },
    );
    await judging.judge([cover]);
    const detail = (await call<Shown>(`/api/v1/devices/${cover}`)).body;
    const list = (await call<{ data: Shown[] }>('/api/v1/devices?family=manhole-cover')).body.data;
    const { state, fault, faults } = detail;
    expect(list, 'the list shows what the page shows').toMatchObject([{ state, fault, faults }]);
    return detail;
  }
  let next = reader.take();
  /** What the live line says of the fault next. */
  async function heard(): Promise<{ state: string | null | undefined; fault: string | null }> {
    for (;;) {
      const said = await Promise.race([next, liveClock.advance(250).then(() => null)]);
      if (said === null) continue;
      next = reader.take();
      const [device] = said.type === 'devices' ? said.devices : [];
      if (device?.fault !== undefined) return { state: device.state, fault: device.fault };
    }
  }

  expect(await report(0)).toMatchObject({ state: 'on', fault: null, faults: [] });
  expect(await heard()).toEqual({ state: 'on', fault: null });

  await clock.advance(minute);
  const since = iso(clock.now());
  expect(await report(35), 'one reading proves nothing').toMatchObject({ state: 'on', faults: [] });
  await clock.advance(minute);
  const raised = { state: 'alarm', fault: 'P404', faults: [{ code: 'P404', level: 1, since }] };
  expect(await report(35)).toMatchObject(raised);
  expect(await heard()).toEqual({ state: 'alarm', fault: 'P404' });

  for (let i = 0; i < 3; i += 1) {
    await clock.advance(minute);
    expect(await report(15), 'between the limits').toMatchObject(raised);
  }
  judging = startJudge();
  await clock.advance(200 * minute);
  await judging.judge([cover]);
  expect((await call<Shown>(`/api/v1/devices/${cover}`)).body, 'silent').toMatchObject({ ...raised, state: 'offline' });
  expect(await report(15), 'heard again, by a judge that was started since').toMatchObject(raised);

  await clock.advance(minute);
  expect(await report(3), 'one good reading is not enough').toMatchObject(raised);
  await clock.advance(minute);
  expect(await report(2)).toMatchObject({ state: 'on', fault: null, faults: [] });
  expect(await heard()).toEqual({ state: 'on', fault: null });
});
