import { sql } from 'kysely';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { startMosquitto } from '../../../../../e2e/fixtures/mosquitto.ts';
import { defaultTable } from '../../../../../catalogue/lighting/plan/table.ts';
import { hear, readingsOut, statusOut } from '../../../../../protocols/mqtt-json/device.ts';
import type { SaidOfPlan } from '../../../../../protocols/wire.ts';
import { clientIdOf, topicOf } from '../../../../../protocols/mqtt-json/topics.ts';
import type { Obedience } from '../../../../../simulator/city/types.ts';
import { lampSettings } from '../../../../../simulator/fleet/settings.ts';
import { firstMemory, history, Lamp } from '../../../../../simulator/lamp/lamp.ts';
import { lampSpec } from '../../../../../simulator/lamp/spec.ts';
import { createIngest, type Ingest } from '../../../ingest/index.ts';
import { createLog } from '../../../platform/log.ts';
import { startEmbeddedBroker, startExternalBroker, type Broker } from '../../../platform/mqtt/index.ts';
import { holdAlone } from '../../../testing/alone.ts';
import { connectDevice, givenCredentials } from '../../../testing/devices.ts';
import { createDeviceSettings, type DeviceSettings } from '../../../wires/device-settings/index.ts';
import { brokerWire, createDeviceAccess, linkBy, provisionOn } from '../../../wires/link/index.ts';
import { createProofs } from '../../commands/index.ts';
import { createToldSettings } from '../../plans/index.ts';
import { noon, type publishingOffice } from './office.ts';

type Office = Awaited<ReturnType<typeof publishingOffice>>;
const log = createLog('silent');

export interface Line {
  readonly broker: Broker;
  readonly url: string;
  stop(): Promise<void>;
}
export const embedded = async ({ db }: Office): Promise<Line> => {
  const authenticate = createDeviceAccess({ db });
  const broker = await startEmbeddedBroker({ host: '127.0.0.1', port: 0, tlsPort: null, tls: null, log, authenticate });
  return { broker, url: `mqtt://127.0.0.1:${broker.port}`, stop: () => broker.stop() };
};
export const ofTheSite = async (): Promise<Line> => siteWith([]);
/** For anybody, with these lines in its configuration. */
export const siteOf =
  (...more: readonly string[]) =>
  (): Promise<Line> =>
    siteWith(more);
async function siteWith(more: readonly string[]): Promise<Line> {
  const mosquitto = await startMosquitto({ open: more.length > 0, more });
  const broker = await startExternalBroker({
    url: mosquitto.url,
    filters: [...brokerWire.filters.devices],
    orderedFilters: brokerWire.filters.ordered,
    prefix: brokerWire.prefix,
    slots: { count: 1, retired: [], hold: holdAlone },
    log,
  });
  return {
    broker,
    url: `mqtt://127.0.0.1:${mosquitto.port}`,
    async stop() {
      await broker.stop();
      await mosquitto.stop();
    },
  };
}

/** The office on a broker, with lamps of the simulator's model. Call it in a `describe`. */
export function onLine(office: Office, start: (office: Office) => Promise<Line>) {
  const { db, app, clock } = office;
  const now = () => clock.now().getTime();
  const newestOf = async (id: number): Promise<Date | null | undefined> =>
    (await sql<{ at: Date | null }>`SELECT max(at) AS at FROM reading WHERE device_id = ${id}`.execute(db)).rows[0]?.at;
  let line!: Line;
  let ingest!: Ingest;
  let settings!: DeviceSettings;
  let stop: () => void = () => undefined;
  beforeAll(async () => {
    // Before the job begins: its next sweep is a minute after that, and tests begin at noon.
    clock.set(new Date(noon));
    line = await start(office);
    ingest = createIngest({
      db,
      bus: app.bus,
      clock,
      log,
      proofs: createProofs({ bus: app.bus }),
      stored: () => undefined,
      plansReported: (ids) => app.bus.publish('plans.reported', { ids }),
      settingsReported: (ids) => app.bus.publish('settings.reported', { ids }),
    });
    await ingest.start(line.broker);
    await vi.waitFor(() => expect(line.broker.problem()).toBeNull(), { timeout: 10_000 });
    office.takes(line.broker.limits().packetBytes);
    begin();
  });
  afterAll(async () => {
    stop();
    await line.stop();
    await ingest.stop();
  });
  /** The job that tells devices, of this process or of the next one. */
  function begin(): void {
    stop();
    settings = createDeviceSettings({
      ...{ db, clock, bus: app.bus, link: linkBy(line.broker), log },
      plans: createToldSettings(db, office.plans),
    });
    stop = settings.start();
  }
  beforeEach(() => clock.set(new Date(noon)));

  /**
   * A lamp of the simulator's model, on a line of its own; `saying`: what it says of its plan instead of the truth;
   * `most`: bytes of the largest message that it does not drop without a word, at that moment.
   */
  async function play(
    id: number,
    obedience: Obedience,
    saying = (truth: SaidOfPlan): SaidOfPlan => truth,
    most = () => Number.POSITIVE_INFINITY,
  ) {
    const password = await givenCredentials(db, id);
    const clientId = clientIdOf(id);
    await provisionOn(line.broker)([{ deviceId: id, clientId, username: clientId, password }]);
    const spec = lampSpec({
      ...{ citySeed: 1, code: `L-${id}`, ratedWatts: 100, curve: 'led', fault: null, linkKind: 'cellular' },
      ...{ loopTapVolts: 0, loopDropVolts: 0, reach: 0.5, ownClock: false, obedience },
    } as Parameters<typeof lampSpec>[0]);
    const place = { latitude: 30.25, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
    const lamp = new Lamp(
      spec,
      { version: 0, place, table: defaultTable, litSeconds: 900, unlitSeconds: 3600 },
      firstMemory(spec, now()),
    );
    const client: MqttClient = await connectDevice(line.url, id, password);
    const say = ({ topic, payload, retain }: { topic: string; payload: Buffer; retain: boolean }) =>
      client.publishAsync(topic, payload, { qos: 1, retain: retain && line.broker.limits().keeps });
    const bytes: number[] = [];
    const dropped: number[] = [];
    client.on('message', (topic, payload) => {
      const heard = hear(topic, payload);
      if (heard?.kind !== 'settings') return;
      if (payload.length > most()) return void dropped.push(payload.length);
      lamp.adopt(lampSettings(heard.settings, lamp.settings));
      bytes.push(payload.length);
      // The test may be over, and its connection.
      say(statusOut(id, now(), 'sim', lamp.settings.version, saying(lamp.ofPlan))).catch(() => undefined);
    });
    const first = lamp.settings;
    await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: id, viaId: null }), { qos: 1 });
    const announce = (of: object = {}) =>
      say(statusOut(id, now(), 'sim', lamp.settings.version || null, { ...saying(lamp.ofPlan), ...of }));
    await announce();
    return {
      id,
      lamp,
      /** Of the settings that it was sent. */
      bytes,
      /** Of those that it left. */
      dropped,
      announce,
      /** That it has its newest settings is stored. */
      isHeard: async () =>
        (await sql<{ v: number }>`SELECT settings_version AS v FROM device_latest WHERE device_id = ${id}`.execute(db))
          .rows[0]?.v === lamp.settings.version,
      /** That it was heard of by now is stored. */
      isHeardNow: async () =>
        (
          await sql<{
            at: Date | null;
          }>`SELECT greatest(received_at, heard_at) AS at FROM device_latest WHERE device_id = ${id}`.execute(db)
        ).rows[0]?.at?.getTime() === now(),
      /** It loses what it was told, and says so. */
      async forget() {
        const { plan: _plan, ...empty } = first;
        lamp.adopt(empty);
        await say(statusOut(id, now(), 'sim', 0, saying(lamp.ofPlan)));
      },
      /** Burns up to now, and tells everything that it measured. */
      async live() {
        const readings = [...history(lamp, now())];
        for (const out of readingsOut({ deviceId: id, viaId: null }, now(), readings, saying(lamp.ofPlan)))
          await say(out);
        // A broker of the site acknowledges before anything is stored.
        await expect
          .poll(async () => (await newestOf(id))?.getTime() ?? 0, { timeout: 10_000 })
          .toBeGreaterThanOrEqual(readings.at(-1)?.at ?? 0);
      },
    };
  }
  return {
    play,
    begin,
    get broker() {
      return line.broker;
    },
    get counts() {
      return settings.counts;
    },
  };
}
