import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { usualSchedule, type Schedule } from '../../../../catalogue/lighting/plan/schedule.ts';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay, sunDay } from '../../../../catalogue/lighting/sun.ts';
import type { getLampSchedule } from '../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { readingsOut, statusOut } from '../../../../protocols/mqtt-json/device.ts';
import type { SettingsMessage } from '../../../../protocols/mqtt-json/messages.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { lampSettings } from '../../../../simulator/fleet/settings.ts';
import { firstMemory, Lamp } from '../../../../simulator/lamp/lamp.ts';
import { lampSpec } from '../../../../simulator/lamp/spec.ts';
import { createIngest } from '../../ingest/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { connectDevice, givenCredentials, listen } from '../../testing/devices.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { createDeviceAccess, linkBy } from '../../wires/link/index.ts';
import { createProofs } from '../commands/index.ts';
import { createToldSettings } from '../plans/index.ts';
import { minuteMs, noon, publishingOffice, wall, type Answer } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { schedulesRoutes } from './index.ts';

const office = await publishingOffice(schedulesRoutes);
const { app, db, clock, call, publisher } = office;
const log = createLog('silent');
const ingest = createIngest({
  db,
  bus: app.bus,
  clock,
  log,
  proofs: createProofs({ bus: app.bus }),
  stored: () => undefined,
});
let broker: EmbeddedBroker;

beforeAll(async () => {
  broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log,
    authenticate: createDeviceAccess({ db }),
  });
  await ingest.start(broker);
});
beforeEach(() => clock.set(new Date(noon)));
afterAll(async () => {
  await ingest.stop();
  await broker.stop();
});

type View = ReplyOf<typeof getLampSchedule>;
const viewOf = async (id: number): Promise<View> =>
  (await call<View>(`/api/v1/lamps/${id}/schedule`, { token: publisher.token })).body;

/** A lamp that was set and took it over: what it was sent, and the simulated lamp. */
async function setTo(change: Partial<Schedule>, lamp?: number) {
  const id = lamp ?? (await office.lamps(1))[0] ?? 0;
  const schedule = { ...usualSchedule, ...change };
  const set = await call<Answer>('/api/v1/schedules', {
    token: publisher.token,
    body: {
      scope: { deviceIds: [id] },
      schedule,
      acceptedFindings: ['darker', 'floorException', 'farFromTwilight'],
      reason: '居民要求',
    },
  });
  expect(set.status, JSON.stringify(set.body)).toBe(201);
  await office.turn();
  const settings = createDeviceSettings({
    db,
    clock,
    bus: app.bus,
    link: linkBy(broker),
    plans: createToldSettings(db, office.plans),
    log,
  });
  const client = await connectDevice(`mqtt://127.0.0.1:${broker.port}`, id, await givenCredentials(db, id));
  const heard = listen(client);
  await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: id, viaId: null }), { qos: 1 });
  await settings.publish([id]);
  const message = (await heard.take()).message as SettingsMessage;
  const taken = lampSettings(message, {
    version: 0,
    table: defaultTable,
    litSeconds: 1,
    unlitSeconds: 1,
    place: { latitude: 0, longitude: 0, timeZone: 'UTC', sunOffsetMinutes: 0 },
  });
  const spec = lampSpec({
    citySeed: 1,
    code: 'P-1',
    ratedWatts: 100,
    curve: 'led',
    fault: null,
    linkKind: 'plc',
    loopTapVolts: 0,
    loopDropVolts: 3,
    reach: 0.5,
    ownClock: false,
  });
  const lampAt = (at: number) => new Lamp(spec, taken, firstMemory(spec, at));
  const say = async (at: number) => {
    const lamp = lampAt(at);
    const out = [
      statusOut(id, at, 'test', lamp.settings.version, lamp.ofPlan),
      ...readingsOut({ deviceId: id, viaId: null }, at, [lamp.reading()], lamp.ofPlan),
    ];
    for (const { topic, payload, retain } of out) await client.publishAsync(topic, payload, { qos: 1, retain });
  };
  return { id, publicationId: set.body.id, schedule, message, lampAt, say };
}
type Set = Awaited<ReturnType<typeof setTo>>;

const night = async ({ id }: Set) => {
  const plan = (await office.plans.of(db, [id], noon)).get(id) ?? expect.fail('no plan');
  return {
    ...nightOf(plan, '2026-11-23'),
    sun: sunDay(plan.place, '2026-11-23'),
    next: sunDay(plan.place, '2026-11-24'),
  };
};
const levels = ({ lampAt }: Set, ...times: string[]) => times.map((time) => lampAt(wall(`2026-11-${time}`)).level);
const range = (start: string, level: number, alternate = false) => ({ start, level, alternate });
/** When the simulated lamp is switched next, in whole minutes after an instant. */
const switchedAfter = (lamp: Lamp, at: number) => Math.round((lamp.nextEdge() - at) / minuteMs);

interface Row {
  readonly label: string;
  readonly change: Partial<Schedule>;
  /** What stands in the one programme of the message. */
  readonly sent: object;
  /** The lamp has two neighbours in a row. */
  readonly inRow?: true;
  readonly effect: (set: Set) => void | Promise<void>;
}
const window = { beforeMinutes: 60, afterMinutes: 60 };
const rows: readonly Row[] = [
  {
    label: '手动模式：开始时间、结束时间',
    change: { workMode: 'manual', startTime: '18:30', endTime: '05:45' },
    sent: { on: { at: '18:30' }, off: { at: '05:45' }, periods: [{ start: 'on', level: 100 }] },
    effect: (set) => expect(levels(set, '23T18:29', '23T18:31', '24T05:44', '24T05:46')).toEqual([0, 100, 100, 0]),
  },
  {
    label: '节能模式、添加时段（6 个）',
    change: {
      ranges: [
        range('on', 100),
        range('20:00', 90),
        range('22:00', 80),
        range('00:00', 70),
        range('02:00', 60),
        range('05:00', 100),
      ],
    },
    sent: { periods: [{ level: 100 }, { start: '20:00' }, {}, {}, { start: '02:00', level: 60 }, { level: 100 }] },
    effect: (set) =>
      expect(levels(set, '23T19:00', '23T21:00', '23T23:00', '24T01:00', '24T03:00', '24T05:30')).toEqual([
        100, 90, 80, 70, 60, 100,
      ]),
  },
  ...(['alternateOne', 'alternateTwo'] as const).map((workMode): Row => ({
    label: workMode === 'alternateOne' ? '隔一亮一' : '隔二亮一',
    change: { workMode, ranges: [range('on', 100), range('23:00', 100, true)] },
    sent: { periods: [{}, { start: '23:00', oneOf: workMode === 'alternateOne' ? 2 : 3 }] },
    inRow: true,
    // The pattern moves along the row by a place a week: at 23:30 the lamp has its turn in one week of two, or three.
    effect: (set) => {
      const weeks = (time: string) =>
        Array.from(
          { length: 6 },
          (_, week) => set.lampAt(wall(`2026-11-23T${time}`) + week * 7 * 1440 * minuteMs).level,
        );
      const cycle = workMode === 'alternateOne' ? 2 : 3;
      const first = weeks('23:30').indexOf(100);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(weeks('23:30')).toEqual([0, 1, 2, 3, 4, 5].map((week) => (week % cycle === first ? 100 : 0)));
      expect(weeks('20:00')).toEqual([100, 100, 100, 100, 100, 100]);
    },
  })),
  {
    label: '日落延时',
    change: { sunsetDelayMinutes: 25 },
    sent: { on: { at: 'sunset', offsetMinutes: 25 }, off: { at: 'sunrise', offsetMinutes: 0 } },
    effect: async (set) => {
      const { sun } = await night(set);
      expect(switchedAfter(set.lampAt(noon), sun.sunset ?? 0)).toBe(25);
    },
  },
  {
    label: '日出延时',
    change: { sunriseDelayMinutes: -30 },
    sent: { off: { at: 'sunrise', offsetMinutes: -30 } },
    effect: async (set) => {
      const { next } = await night(set);
      expect(switchedAfter(set.lampAt(wall('2026-11-24T01:00')), next.sunrise ?? 0)).toBe(-30);
    },
  },
  {
    label: '光控方式：定时',
    change: { control: 'timed' },
    sent: { on: { at: 'sunset', offsetMinutes: 0 } },
    effect: ({ message }) => expect(message.plan?.programmes[0]?.on).not.toHaveProperty('light'),
  },
  {
    label: '光控方式：纯光控，开灯延时、关灯延时、灵敏度、照度',
    change: { control: 'light', onDelayMinutes: 7, offDelayMinutes: 12, sensitivity: 200, lux: 33 },
    sent: {
      on: { light: { ...window, lux: 33, sensitivity: 200, delayMinutes: 7 } },
      off: { light: { ...window, lux: 33, sensitivity: 200, delayMinutes: 12 } },
      periods: [{ start: 'on', level: 100 }],
    },
    // A lamp without a sensor is switched at the anchor.
    effect: async (set) => {
      const { sun } = await night(set);
      expect(switchedAfter(set.lampAt(noon), sun.sunset ?? 0)).toBe(0);
    },
  },
];

it.each(rows)('$label: set, sent, read back, and the lamp does it', async ({ change, sent, inRow, effect }) => {
  const set = await setTo(change, inRow ? (await givenRow(db, 3, 'lane'))[1] : undefined);
  expect(set.message.plan?.programmes).toHaveLength(1);
  expect(set.message.plan?.programmes[0]).toMatchObject(sent);
  await effect(set);
  // Before it has said anything, nobody knows what it runs.
  expect(await viewOf(set.id)).toMatchObject({
    schedule: set.schedule,
    exact: true,
    own: { by: 'publisher', publicationId: set.publicationId, lamps: 1 },
    scheme: null,
    publicationId: set.publicationId,
    told: { planHash: set.message.plan?.hash, at: new Date(noon).toISOString() },
    device: { planHash: null },
    equal: null,
  });
  clock.set(new Date(noon + minuteMs));
  await set.say(noon + minuteMs);
  await expect.poll(async () => (await viewOf(set.id)).equal, { timeout: 10_000 }).toBe(true);
  const { told, device } = await viewOf(set.id);
  expect(device).toEqual({
    planHash: set.message.plan?.hash,
    night: told.night,
    at: new Date(noon + minuteMs).toISOString(),
    knowsPlans: true,
  });
  expect(told.night?.at(-1)?.level).toBe(0);
});

it('a lamp that still runs what it had before says so, with that night', async () => {
  const set = await setTo({ ranges: [range('on', 100), range('23:00', 80)] });
  await set.say(noon);
  await expect.poll(async () => (await viewOf(set.id)).equal, { timeout: 10_000 }).toBe(true);
  const revert = await office.act(set.publicationId, 'revert', { reason: '恢复' });
  expect(revert.status).toBe(200);
  await office.turn();
  const back = await viewOf(set.id);
  expect(back).toMatchObject({
    own: null,
    equal: false,
    told: { planHash: null },
    exact: true,
    schedule: usualSchedule,
  });
  expect(back.device.planHash).toBe(set.message.plan?.hash);
  expect(back.device.night?.map(({ level }) => level)).toEqual([100, 80, 0]);
  expect(lightingDay({ latitude: 30, longitude: 120, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 }, noon).day).toBe(
    back.day,
  );
});
