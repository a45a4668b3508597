import { afterAll, beforeAll, expect, it } from 'vitest';
import { compactPlan } from '../../catalogue/lighting/plan/compact.ts';
import { noRole } from '../../catalogue/lighting/plan/programme.ts';
import { defaultTable } from '../../catalogue/lighting/plan/table.ts';
import { mqttJson } from '../../protocols/mqtt-json/wire.ts';
import type { Outgoing, Said, SettingsOut, Unsupported } from '../../protocols/wire.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../server/src/platform/mqtt/index.ts';
import { playDevice } from './play.ts';

const id = 7;
const lamp = { deviceId: id, viaId: null };
const said: Said[] = [];
let broker: EmbeddedBroker;
let stop: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log: createLog('silent'),
    authenticate: () => Promise.resolve(mqttJson.rightsOf(id, false)),
  });
  broker.onMessage(
    ({ topic, payload }) => {
      const heard = mqttJson.hear(topic, payload);
      if (heard.ok) said.push(heard.message);
      return Promise.resolve();
    },
    () => undefined,
  );
});
afterAll(async () => {
  await stop();
  await broker.stop();
});

const tell = async (out: Outgoing | Unsupported) => {
  if ('unsupported' in out) throw new Error(out.unsupported);
  await broker.publish(out.topic, out.payload, { retain: out.retain });
};
const unbounded = { notBefore: null, notAfter: null, light: null };
/** From noon to noon at one level: right at whatever hour the test runs. */
const settings = (version: number, level: number | null): SettingsOut => ({
  version,
  serverTime: Date.now(),
  timeZone: 'Asia/Shanghai',
  latitude: 30.2,
  longitude: 120.2,
  sunOffsetMinutes: 0,
  table: defaultTable.map((point) => ({ ...point })),
  reportSeconds: { lit: 900, unlit: 3600 },
  ...(level === null
    ? {}
    : {
        plan: compactPlan(
          {
            scheme: 'JN-03',
            version,
            from: '2026-01-01',
            programmes: [
              {
                key: 1,
                programme: {
                  on: { at: '12:00', offsetMinutes: 0, ...unbounded },
                  off: { at: '11:59', offsetMinutes: 1, ...unbounded },
                  minimumMinutes: 0,
                  periods: [{ start: 'on', level, pattern: 'all', rampSeconds: 0 }],
                },
              },
            ],
            default: 1,
            days: [],
            role: noRole,
          },
          () => String(version).repeat(12),
        ),
      }),
});
const last = <K extends Said['kind']>(kind: K) =>
  said.findLast((message): message is Extract<Said, { kind: K }> => message.kind === kind);
const lastValues = () => last('readings')?.readings.at(-1)?.values;

it('one device alone follows the plan of its settings, and says so', async () => {
  await tell(mqttJson.set(lamp, settings(3, 30)));
  stop = playDevice(
    {
      broker: `mqtt://127.0.0.1:${broker.port}`,
      user: `lampyris-${id}`,
      password: 'secret',
      family: 'single-lamp-controller',
      newcomer: null,
      everyMs: 200,
    },
    () => undefined,
  );
  await expect
    .poll(lastValues, { timeout: 20_000 })
    .toMatchObject({ level: 30, commandLevel: 30, reason: 'programme' });
  expect(last('readings')).toMatchObject({ planHash: '333333333333' });
  expect(last('status')).toMatchObject({
    planHash: '333333333333',
    settingsVersion: 3,
    capabilities: { plan: { periods: 6, calendar: true, light: false, cycle: true } },
  });

  const command = {
    ...lamp,
    issuedAt: Date.now(),
    expiresAt: Date.now() + 60_000,
    clockOffsetMs: 0,
    args: { level: 80 },
  };
  await tell(mqttJson.say({ ...command, commandId: 1, command: 'dim', until: Date.now() + 3000, turn: 1 }));
  await expect.poll(lastValues, { timeout: 20_000 }).toMatchObject({ level: 80, reason: 'manual' });
  await expect.poll(lastValues, { timeout: 20_000 }).toMatchObject({ level: 30, reason: 'programme' });
  await tell(mqttJson.say({ ...command, commandId: 2, command: 'readPlan', args: {}, until: null, turn: 2 }));
  await expect.poll(() => last('ack'), { timeout: 20_000 }).toMatchObject({ commandId: 2, accepted: true });

  await tell(mqttJson.set(lamp, settings(4, 55)));
  await expect.poll(lastValues, { timeout: 20_000 }).toMatchObject({ level: 55 });
  await tell(mqttJson.set(lamp, settings(5, null)));
  await expect.poll(() => last('readings')?.planHash, { timeout: 20_000 }).toBeNull();
});
