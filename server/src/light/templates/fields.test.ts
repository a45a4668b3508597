import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleProgramme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { resolveNight } from '../../../../catalogue/lighting/plan/night.ts';
import type { Period, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import type { getTemplate } from '../../../../contract/light/templates.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { readingsOut, statusOut } from '../../../../protocols/mqtt-json/device.ts';
import type { SettingsMessage } from '../../../../protocols/mqtt-json/messages.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import type { Outgoing } from '../../../../protocols/wire.ts';
import { lampSettings } from '../../../../simulator/fleet/settings.ts';
import { firstMemory, Lamp } from '../../../../simulator/lamp/lamp.ts';
import { lampSpec } from '../../../../simulator/lamp/spec.ts';
import { createIngest } from '../../ingest/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice, listen } from '../../testing/devices.ts';
import { createJudging } from '../../watch/presence/index.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { createDeviceAccess, linkBy } from '../../wires/link/index.ts';
import { createProofs } from '../commands/index.ts';
import { createLamps, defaultThresholds, reportPeriods } from '../lamps/index.ts';
import { assign, createLampPlans, createToldSettings } from '../plans/index.ts';
import { templatesRoutes } from './index.ts';
import { keepAlivesOf } from './testing/keep-alives.ts';

// Wednesday 25 November 2026, 20:00 in Hangzhou: the lamps burn.
const now = Date.parse('2026-11-25T20:00:00+08:00');
const local = (text: string) => Date.parse(`2026-11-${text}+08:00`);
const minute = 60_000;
const clock = testClock(new Date(now));
const app = await testApp({ clock, routes: templatesRoutes });
const { db, bus } = app;
const log = createLog('silent');
const plans = createLampPlans(bus);
const views = createLamps({ db, clock, plans, periods: reportPeriods() });
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
let broker: EmbeddedBroker;

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
});
afterAll(async () => {
  plans.stop();
  await ingest.stop();
  await broker.stop();
});

const path = '/api/v1/work-parameter-templates';
type Template = ReplyOf<typeof getTemplate>;
let count = 0;

/** A template made, drafted and frozen by calls; the id of its version. */
async function givenTemplate(content: TemplateContent): Promise<number> {
  count += 1;
  const made = (await app.call<Template>(path, { body: { code: `T-${count}`, name: '参数模板', workAreaId: 1 } })).body;
  const saved = await app.call<Template>(`${path}/${made.id}/draft`, {
    method: 'PUT',
    body: { version: made.version, content },
  });
  expect(saved.body.content).toEqual(content);
  await app.call(`${path}/${made.id}/versions`, { body: { version: saved.body.version } });
  const { rows } = await sql<{ id: number }>`SELECT id FROM template_version WHERE template_id = ${made.id}`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
}

async function givenLamp(change: Partial<TemplateContent>, roadId: number | null = null): Promise<number> {
  const version = await givenTemplate({ ...exampleTemplate(), ...change });
  const id = await givenDevice(db, { roadId });
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds: [id],
      schemeVersionIds: [null],
      templateVersionIds: [version],
      fromDay: '2026-11-25',
      publicationId: null,
      by: 'test',
      at: clock.now(),
    }),
  );
  return id;
}

/** A lamp that was sent a template: what it was sent, and a lamp of the simulator that took it over. */
interface Sent {
  readonly message: SettingsMessage;
  /** The lamp at an instant; those of other codes have another share of the stagger. */
  readonly lampAt: (at: number, code?: string) => Lamp;
  readonly say: (out: readonly Outgoing[]) => Promise<void>;
  readonly id: number;
}

async function sentTo(change: Partial<TemplateContent>, roadId: number | null = null): Promise<Sent> {
  const id = await givenLamp(change, roadId);
  const settings = createDeviceSettings({
    db,
    clock,
    bus,
    link: linkBy(broker),
    plans: createToldSettings(db, plans),
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
  return {
    id,
    message,
    lampAt: (at, code = 'P-1') => {
      const spec = lampSpec({
        citySeed: 1,
        code,
        ratedWatts: 100,
        curve: 'led',
        fault: null,
        linkKind: 'plc',
        loopTapVolts: 0,
        loopDropVolts: 3,
        reach: 0.5,
        ownClock: false,
      });
      return new Lamp(spec, taken, firstMemory(spec, at));
    },
    say: async (out) => {
      for (const { topic, payload, retain } of out) await client.publishAsync(topic, payload, { qos: 1, retain });
    },
  };
}

const period = (start: string, level: number, offsetMinutes = 0): Period => ({
  start: start === 'on' ? start : { at: start, offsetMinutes },
  level,
  pattern: 'all',
  rampSeconds: 0,
});
const programme = (...periods: Period[]): Programme => ({ ...exampleProgramme(), periods });
const levelAt = ({ lampAt }: Sent, at: number): number => lampAt(at).level;
const harbin = { latitude: 45.8, longitude: 126.53 };
const sensing = { lux: 20, sensitivity: null, beforeMinutes: 30, afterMinutes: 30, delayMinutes: 5 };
const onAt = ({ message: { latitude, longitude } }: Sent): number =>
  resolveNight(
    exampleProgramme(),
    { latitude: latitude ?? 0, longitude: longitude ?? 0, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 },
    '2026-11-26',
  ).on ?? 0;

interface Row {
  readonly field: string;
  readonly change: Partial<TemplateContent>;
  /** What stands in the message of a lamp with it, and not in that of another. */
  readonly sent: object;
  readonly effect: (sent: Sent) => void | Promise<void>;
}

const rows: readonly Row[] = [
  {
    field: 'reportLitSeconds',
    change: { reportLitSeconds: 120 },
    sent: { reportSeconds: { lit: 120 } },
    effect: ({ lampAt }) => expect(lampAt(now).nextReport() - now).toBeLessThanOrEqual(120_000),
  },
  {
    field: 'reportUnlitSeconds',
    change: { reportUnlitSeconds: 7200 },
    sent: { reportSeconds: { unlit: 7200 } },
    effect: ({ lampAt }) => expect(lampAt(local('25T13:00:00')).reportSeconds).toBe(7200),
  },
  {
    field: 'heartbeatSeconds',
    change: { heartbeatSeconds: 120 },
    sent: { heartbeatSeconds: 120 },
    effect: async (sent) => expect(await keepAlivesOf(sent, { db, port: broker.port, at: now })).toEqual([150, 120]),
  },
  {
    field: 'powerUpLevel',
    change: { powerUpLevel: 40 },
    sent: { powerUpLevel: 40 },
    effect: ({ lampAt }) => {
      const lamp = lampAt(local('25T13:00:00'));
      lamp.supply('waking');
      lamp.advance(local('25T13:01:00'));
      expect(lamp.reading().values).toMatchObject({ commandLevel: 40, level: 40, reason: 'powerUp' });
      lamp.supply('on');
      expect(lamp.reading().values).toMatchObject({ commandLevel: 0, level: 0, reason: 'programme' });
    },
  },
  {
    field: 'fallbackMinutes',
    change: { fallbackMinutes: 30 },
    sent: { fallbackMinutes: 30 },
    effect: ({ lampAt }) => {
      const reason = (minutes: number) => lampAt(now).reading(minutes * minute).values['reason'];
      expect([reason(29), reason(30)]).toEqual(['programme', 'fallback']);
    },
  },
  {
    field: 'fallbackProgramme',
    change: { fallbackProgramme: programme(period('on', 100), period('22:00', 35)) },
    sent: { plan: { programmes: [{ periods: [{ level: 100 }, { start: '22:00', level: 35 }] }] } },
    effect: (sent) => expect([levelAt(sent, now), levelAt(sent, local('25T23:00:00'))]).toEqual([100, 35]),
  },
  {
    field: 'minimumMinutes',
    // The last stretch has half an hour and five minutes.
    change: {
      minimumMinutes: 60,
      fallbackProgramme: programme(period('on', 100), period('23:00', 0), period('sunrise', 80, -30)),
    },
    sent: { plan: { programmes: [{ minimumMinutes: 60 }] } },
    effect: (sent) => expect([levelAt(sent, now), levelAt(sent, local('26T06:25:00'))]).toEqual([100, 0]),
  },
  {
    field: 'rampSeconds',
    change: {
      rampSeconds: 120,
      staggerSeconds: 0,
      fallbackProgramme: programme(period('on', 100), period('23:00', 60)),
    },
    sent: { plan: { programmes: [{ periods: [{ ramp: 120 }, { ramp: 120 }] }] } },
    effect: ({ lampAt }) => {
      const lamp = lampAt(local('25T22:59:59'));
      const levels = ['23:00:00', '23:00:30', '23:01:00', '23:02:00'].map((at) => {
        lamp.advance(local(`25T${at}`));
        return [lamp.commandLevel, lamp.level];
      });
      expect(levels).toEqual([
        [60, 100],
        [60, 90],
        [60, 80],
        [60, 60],
      ]);
    },
  },
  {
    field: 'staggerSeconds',
    change: { staggerSeconds: 30 },
    sent: { stagger: 30 },
    // It is of no road.
    effect: (sent) => {
      expect(sent.message).not.toHaveProperty('staggerFrom');
      const delays = ['P-1', 'P-2', 'P-3', 'P-4'].map(
        (code) => sent.lampAt(local('26T13:00:00'), code).nextEdge() - onAt(sent),
      );
      for (const delay of delays) expect(delay >= 0 && delay <= 30_000).toBe(true);
      expect(new Set(delays).size).toBe(4);
    },
  },
  {
    field: 'minLevel',
    change: { minLevel: 30, fallbackProgramme: programme(period('on', 100), period('22:00', 5), period('23:00', 0)) },
    sent: { plan: { minLevel: 30 } },
    effect: (sent) =>
      expect([levelAt(sent, local('25T22:30:00')), levelAt(sent, local('25T23:30:00'))]).toEqual([30, 0]),
  },
  {
    field: 'light',
    change: {
      light: { lux: 33, sensitivity: 200, delayMinutes: 7 },
      fallbackProgramme: { ...exampleProgramme(), on: { ...exampleProgramme().on, light: sensing } },
    },
    sent: {
      light: { lux: 33, sensitivity: 200, delayMinutes: 7 },
      plan: { programmes: [{ on: { light: { lux: 20, sensitivity: 200, delayMinutes: 5 } } }] },
    },
    // A lamp without a sensor switches at the anchor.
    effect: (sent) =>
      expect(Math.floor((sent.lampAt(local('26T13:00:00')).nextEdge() - onAt(sent)) / 1000)).toBeLessThanOrEqual(2),
  },
  {
    field: 'latitude and longitude',
    change: { ...harbin, staggerSeconds: 0 },
    sent: harbin,
    effect: (sent) => expect(sent.lampAt(local('26T13:00:00')).nextEdge()).toBe(onAt(sent)),
  },
];

it.each(rows)('$field is sent, taken over and reported, and the lamp does it', async ({ change, sent, effect }) => {
  const other = await sentTo({});
  expect(other.message).not.toMatchObject(sent);
  const lamp = await sentTo(change);
  expect(lamp.message).toMatchObject(sent);
  await effect(lamp);
  // What the device says of it is what the server knows.
  const { ofPlan, settings } = lamp.lampAt(now);
  await lamp.say([statusOut(lamp.id, now, 'test', settings.version, ofPlan)]);
  const reported = async () =>
    (
      await sql<{ version: number; hash: string }>`SELECT l.settings_version AS version, r.plan_hash AS hash
        FROM device_latest l JOIN plan_report r ON r.device_id = l.device_id WHERE l.device_id = ${lamp.id}`.execute(db)
    ).rows;
  await expect
    .poll(reported, { timeout: 10_000 })
    .toEqual([{ version: lamp.message.version, hash: lamp.message.plan?.hash }]);
});

it('stagger: lamps of a road switch within two seconds of each other, those of another road at another time', async () => {
  const roads = await sql<{ id: number }>`INSERT INTO road (id, work_area_id, road_code, road_name)
    VALUES (101, 1, 'S-1', '甲路'), (102, 1, 'S-2', '乙路') RETURNING id`.execute(db);
  const delaysOn = async (roadId: number) => {
    const sent = await sentTo({ staggerSeconds: 30 }, roadId);
    const lamps = Array.from({ length: 10 }, (_, n) => sent.lampAt(local('26T13:00:00'), `S-${roadId}-${n}`));
    return lamps.map((lamp) => lamp.nextEdge() - onAt(sent));
  };
  const delays = await Promise.all(roads.rows.map(({ id }) => delaysOn(id)));
  for (const some of delays) {
    const [from, to] = [Math.min(...some), Math.max(...some)];
    expect([from >= 0, to <= 30_000, to > from, to - from <= 2000]).toEqual([true, true, true, true]);
  }
  expect(Math.abs(Math.min(...(delays[0] ?? [])) - Math.min(...(delays[1] ?? [])))).toBeGreaterThan(2000);
});

it('readPlan is answered by a full reading with the hash of the plan that the template makes', async () => {
  const { id, lampAt, message, say } = await sentTo({ powerUpLevel: 55 });
  const lamp = lampAt(now);
  const asked = { commandId: '7', command: 'readPlan', args: {}, expiresAt: now + minute, until: null };
  expect(lamp.execute(asked)).toEqual({ executedAt: now });
  await say(readingsOut({ deviceId: id, viaId: null }, now, [lamp.reading()], lamp.ofPlan));
  const reported = async () =>
    (await sql<{ hash: string }>`SELECT plan_hash AS hash FROM plan_report WHERE device_id = ${id}`.execute(db)).rows;
  await expect.poll(reported, { timeout: 10_000 }).toEqual([{ hash: message.plan?.hash }]);
});

const judging = createJudging({
  db,
  clock,
  thresholds: defaultThresholds,
  periods: reportPeriods(),
  plans,
  announce: () => undefined,
  onError: (thrown) => {
    throw thrown;
  },
});
/** State and fault of lamps, the first and the second of two. */
async function judged(ids: readonly number[]): Promise<unknown[]> {
  await judging.judge(ids);
  const { rows: found } = await sql<{ state: string; fault: string | null }>`SELECT state, fault FROM device_state
    WHERE device_id = ANY(${[...ids]}::bigint[]) ORDER BY device_id`.execute(db);
  return found.map(({ fault }) => fault);
}
async function report(id: number, at: number, voltage: number): Promise<void> {
  const values = { power: 100, level: 100, commandLevel: 100, relay: true, voltage };
  await sql`INSERT INTO reading (at, device_id, received_at, values)
    VALUES (${new Date(at)}, ${id}, ${new Date(at)}, ${JSON.stringify(values)}::jsonb)`.execute(db);
  await sql`INSERT INTO device_latest (device_id, at, received_at, values)
    VALUES (${id}, ${new Date(at)}, ${new Date(at)}, ${JSON.stringify(values)}::jsonb)
    ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at,
      values = excluded.values`.execute(db);
}

it('thresholds: the lamp is judged by the limits of its template, and by those of the catalogue without one', async () => {
  const [usual, high, low] = [
    await givenLamp({ thresholds: {} }),
    await givenLamp({ thresholds: { L105: 253 } }),
    await givenLamp({ thresholds: { L106: 215 } }),
  ];
  const ids = [usual, high, low];
  await sql`INSERT INTO connection_watch (seen_at, counts_from) VALUES (${clock.now()}, ${new Date(0)})
    ON CONFLICT DO NOTHING`.execute(db);
  const reportAll = async (minutes: number, voltage: number) => {
    for (const id of ids) await report(id, now - minutes * minute, voltage);
    return judged(ids);
  };
  await reportAll(40, 240);
  await reportAll(38, 240);
  expect(await reportAll(36, 240)).toEqual(['L105', null, 'L105']);
  // The limit that clears keeps its distance: 253 − 4.4.
  for (const minutes of [34, 32, 30]) await reportAll(minutes, 254);
  expect(await judged(ids)).toEqual(['L105', 'L105', 'L105']);
  expect(await reportAll(28, 249)).toEqual(['L105', 'L105', 'L105']);
  expect(await reportAll(26, 248)).toEqual(['L105', null, 'L105']);
  expect(await reportAll(24, 210)).toEqual([null, null, null]);
  await reportAll(22, 210);
  expect(await reportAll(20, 210)).toEqual([null, null, 'L106']);
});

it('silence and gaps are judged by the periods that a lamp is set to', async () => {
  const [usual, slow] = [await givenLamp({}), await givenLamp({ reportLitSeconds: 3600, reportUnlitSeconds: 3600 })];
  for (const id of [usual, slow]) for (const minutes of [160, 100]) await report(id, now - minutes * minute, 226);
  // On since 16:47: three periods of 15 minutes are over, of an hour not.
  expect(await judged([usual, slow])).toEqual(['N301', null]);
  const gapsOf = async (id: number) => (await views.curve(sql<boolean>`true`, id, {})).gaps.length;
  expect([await gapsOf(usual), await gapsOf(slow)]).toEqual([2, 0]);
});

it('a lamp is shown its whole night, and that its pattern keeps it dark', async () => {
  const alternate = { ...period('23:00', 60), pattern: 'alternateOne' as const };
  const change = { fallbackProgramme: programme(period('on', 100), alternate, period('05:00', 80)) };
  const lamps = [await givenLamp(change), await givenLamp(change)];
  for (const [index, id] of lamps.entries()) {
    const pole = await givenDevice(db, { family: 'lamp-pole' });
    await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${id}`.execute(db);
    await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source, updated_at)
      VALUES (${pole}, 1, 'left', ${2 + index}, 9, 'auto', ${clock.now()})`.execute(db);
  }
  const nights = await Promise.all(
    lamps.map(async (id) => (await views.get(sql<boolean>`true`, id)).plan.night ?? expect.fail('a night')),
  );
  const told = nights.map(({ day, steps }) => {
    expect([day, Date.parse(steps[1]?.at ?? '')]).toEqual(['2026-11-25', local('25T23:00:00')]);
    return steps.map(({ level, byPattern }) => `${level}${byPattern ? ' by pattern' : ''}`).join(', ');
  });
  expect(told.toSorted()).toEqual(['100, 0 by pattern, 80, 0', '100, 60, 80, 0']);
});
