import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { planFromCompact, type CompactPlan } from '../../../../catalogue/lighting/plan/compact.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import { roadStart } from '../../../../catalogue/lighting/stagger.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice, listen } from '../../testing/devices.ts';
import { createJudging } from '../../watch/presence/index.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { createDeviceAccess, linkBy } from '../../wires/link/index.ts';
import { createLamps, defaultThresholds } from '../lamps/index.ts';
import { assign, createLampPlans, createToldSettings, formerOf, hashOf } from './index.ts';

// Wednesday 25 November 2026, 20:00 in Hangzhou.
const start = Date.parse('2026-11-25T12:00:00Z');
const [wednesday, saturday] = ['2026-11-25', '2026-11-28'];
const hour = 3_600_000;
const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const clock = testClock(new Date(start));
const bus = await startBus(database.connection, log);
const plans = createLampPlans(bus);
const told = createToldSettings(db, plans);
const periods = { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 };
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
});
afterAll(async () => {
  plans.stop();
  await broker.stop();
  await bus.stop();
});

let counted = 0;
async function givenVersion(table: 'scheme' | 'template', content: SchemeContent | TemplateContent): Promise<number> {
  counted += 1;
  const item = table === 'scheme' ? 'scheme' : 'work_parameter_template';
  const { rows } = await sql<{ id: number }>`
    WITH item AS (INSERT INTO ${sql.table(item)} (code, name) VALUES (${`S-${counted}`}, '方案') RETURNING id)
    INSERT INTO ${sql.table(`${table}_version`)} (${sql.ref(`${table}_id`)}, number, content, content_hash, created_by,
      created_at)
    SELECT id, 1, ${JSON.stringify(content)}::jsonb, ${String(counted)}, 'test', ${clock.now()} FROM item
      RETURNING id`.execute(db);
  return rows[0]?.id ?? 0;
}

async function follow(
  deviceIds: readonly number[],
  schemeVersionId: number | null,
  { template = null, fromDay = wednesday }: { template?: number | null; fromDay?: Day } = {},
): Promise<void> {
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds,
      schemeVersionIds: deviceIds.map(() => schemeVersionId),
      templateVersionIds: deviceIds.map(() => template),
      fromDay,
      publicationId: null,
      by: 'test',
      at: clock.now(),
    }),
  );
}
const planOf = async (id: number, at = clock.now().getTime()) =>
  (await plans.of(db, [id], at)).get(id) ?? expect.fail('a plan');
const levelsOf = async (id: number, ...clocks: readonly string[]) => {
  const plan = await planOf(id);
  return clocks.map((wall) => levelAt(plan, Date.parse(`${wall}+08:00`)));
};

it('follows the scheme by its calendar from its first day on, and before it the sun', async () => {
  const lamp = await givenDevice(db);
  await follow([lamp], await givenVersion('scheme', exampleScheme()));
  const late = await levelsOf(lamp, '2026-11-24T23:30', '2026-11-25T22:30', '2026-11-25T23:30', '2026-11-28T23:30');
  expect(late).toEqual([100, 100, 60, 80]);
  expect(await levelsOf(lamp, '2026-11-25T12:00')).toEqual([0]);
});

it('changes with the next version on its first day, not before; a return to nothing is the sun again', async () => {
  const lamp = await givenDevice(db);
  await follow([lamp], await givenVersion('scheme', exampleScheme(60)));
  await follow([lamp], await givenVersion('scheme', exampleScheme(30)), { fromDay: '2026-11-26' });
  await follow([lamp], null, { fromDay: '2026-11-27' });
  const late = await levelsOf(lamp, '2026-11-25T23:30', '2026-11-26T23:30', '2026-11-27T23:30');
  expect(late).toEqual([60, 30, 100]);
});

it('runs tonight what it was given for today, however often tomorrow was given, taken back and given again', async () => {
  const lamp = await givenDevice(db);
  await follow([lamp], await givenVersion('scheme', exampleScheme(60)));
  const [other, last] = [
    await givenVersion('scheme', exampleScheme(30)),
    await givenVersion('scheme', exampleScheme(20)),
  ];
  for (const version of [other, null, other, null, other, last])
    await follow([lamp], version, { fromDay: '2026-11-26' });
  expect(await levelsOf(lamp, '2026-11-25T23:30', '2026-11-26T23:30')).toEqual([60, 20]);
  // What it runs until it is told the last one.
  expect(levelAt(formerOf(await planOf(lamp)), Date.parse('2026-11-26T23:30+08:00'))).toBe(30);
});

it('runs as its template bounds it, without a scheme by the programme of the template', async () => {
  const template = await givenVersion('template', {
    ...exampleTemplate(),
    minLevel: 40,
    fallbackProgramme: exampleProgramme(20),
  });
  const [dimmed, alone] = [await givenDevice(db), await givenDevice(db)];
  await follow([dimmed], await givenVersion('scheme', exampleScheme(10)), { template });
  await follow([alone], null, { template });
  expect(await levelsOf(dimmed, '2026-11-25T23:30')).toEqual([40]);
  expect(await levelsOf(alone, '2026-11-25T22:00', '2026-11-25T23:30')).toEqual([100, 40]);
});

it('stands where the lamp stands, to a hundredth of a degree; lamps that follow the same share one plan', async () => {
  const scheme = await givenVersion('scheme', exampleScheme());
  const [first, second, far] = [await givenDevice(db), await givenDevice(db), await givenDevice(db)];
  await sql`UPDATE device SET latitude = 30.2512, longitude = 120.2049 WHERE id IN (${first}, ${second})`.execute(db);
  await sql`UPDATE device SET latitude = 30.9, longitude = 120.9 WHERE id = ${far}`.execute(db);
  await follow([first, second, far], scheme);
  const found = await plans.of(db, [first, second, far], start);
  expect(found.get(first)?.place).toMatchObject({ latitude: 30.25, longitude: 120.2, timeZone: 'Asia/Shanghai' });
  expect(found.get(second)).toBe(found.get(first));
  expect(found.get(far)?.place).toMatchObject({ latitude: 30.9, longitude: 120.9 });
});

it('tells a lamp its plan, from which it makes the same levels; one without a plan is told what it always was', async () => {
  const settings = createDeviceSettings({ db, clock, bus, link: linkBy(broker), plans: told, log });
  const [lamp, other] = [await givenDevice(db), await givenDevice(db)];
  const template = await givenVersion('template', exampleTemplate());
  await follow([lamp], await givenVersion('scheme', exampleScheme()), { template });
  const heardBy = async (id: number) => {
    const client = await connectDevice(`mqtt://127.0.0.1:${broker.port}`, id, await givenCredentials(db, id));
    const heard = listen(client);
    await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: id, viaId: null }), { qos: 1 });
    return heard;
  };
  const [ears, others] = [await heardBy(lamp), await heardBy(other)];
  const stop = settings.start();
  const { message } = await ears.take();
  expect(message).toMatchObject({
    reportSeconds: { lit: 900, unlit: 3600 },
    fallbackMinutes: 15,
    powerUpLevel: 100,
    stagger: 2,
    // It has not said that it knows calendars: this night, as points.
    table: [
      { at: 'sunset', offsetMinutes: -10, level: 100 },
      { at: '23:00', offsetMinutes: 0, level: 60 },
      { at: 'sunrise', offsetMinutes: 5, level: 0 },
    ],
  });
  const plan = await planOf(lamp);
  const own = planFromCompact(message['plan'] as CompactPlan, plan.place);
  for (let at = start; at < start + 14 * 24 * hour; at += hour / 2) expect(levelAt(own, at)).toBe(levelAt(plan, at));
  expect((message['plan'] as CompactPlan).hash).toBe(hashOf(plan, start));
  const plain = (await others.take()).message;
  expect(plain).toMatchObject({ table: defaultTable });
  expect(plain).not.toHaveProperty('plan');

  // Another scheme is told by itself.
  await follow([lamp], await givenVersion('scheme', exampleScheme(30)));
  bus.publish('plans.assigned', { ids: [lamp] });
  expect((await ears.take()).message).toMatchObject({ table: [{}, { at: '23:00', level: 30 }, {}] });
  stop();
});

it('tells lamps when their road begins a step, those that begin together by one object', async () => {
  const window = 30;
  const template = await givenVersion('template', { ...exampleTemplate(), staggerSeconds: window });
  const { rows } = await sql<{ id: number }>`INSERT INTO road (id, work_area_id, road_code, road_name)
    SELECT 100 + n, 1, 'S-' || n, '路' || n FROM generate_series(1, 100) AS n RETURNING id`.execute(db);
  const lamps = await Promise.all(rows.flatMap(({ id }) => [1, 2].map(() => givenDevice(db, { roadId: id }))));
  const homeless = await givenDevice(db, { roadId: null });
  await follow([...lamps, homeless], null, { template });
  const settings = await told.of([...lamps, homeless], start);
  for (const [place, { id }] of rows.entries()) {
    const [one, other] = [settings.get(lamps[place * 2] ?? 0), settings.get(lamps[place * 2 + 1] ?? 0)];
    expect(one).toMatchObject({ stagger: window, staggerFrom: roadStart(id, window) });
    expect(other).toBe(one);
  }
  // A lamp of no road stays in the whole window, as every one did.
  expect(settings.get(homeless)).toMatchObject({ stagger: window });
  expect(settings.get(homeless)).not.toHaveProperty('staggerFrom');
  expect(new Set(settings.values()).size).toBeLessThanOrEqual(window);
  // What one road takes leaves no time for a second one.
  const short = await givenVersion('template', { ...exampleTemplate(), staggerSeconds: 2 });
  await follow(lamps, null, { template: short });
  const few = await told.of(lamps, start);
  expect(new Set(few.values()).size).toBe(1);
  expect([...few.values()][0]).not.toHaveProperty('staggerFrom');
});

it('tells a device without a calendar the table of the coming night from half past eleven on', async () => {
  const lamp = await givenDevice(db);
  await follow([lamp], await givenVersion('scheme', exampleScheme()));
  const pointAt = async (wall: string) =>
    (await told.of([lamp], Date.parse(`${saturday}T${wall}:00+08:00`))).get(lamp)?.table.at(1)?.level;
  expect([await pointAt('11:29'), await pointAt('11:30')]).toEqual([60, 80]);
  // One that chooses by itself is told the usual programme, which stays the same.
  await sql`INSERT INTO plan_report (device_id, capabilities)
    VALUES (${lamp}, '{"plan":{"periods":6,"calendar":true,"light":false,"cycle":true}}')`.execute(db);
  expect([await pointAt('11:29'), await pointAt('11:30')]).toEqual([60, 60]);
});

it('judges a lamp by its own plan, and shows it', async () => {
  clock.set(new Date(Date.parse('2026-11-25T23:40:00+08:00')));
  const now = clock.now();
  await sql`CREATE TABLE reading_plans PARTITION OF reading FOR VALUES FROM ('2026-11-20') TO ('2026-12-01')`.execute(
    db,
  );
  await sql`INSERT INTO connection_watch (seen_at, counts_from) VALUES (${now}, ${new Date(0)})`.execute(db);
  const [half, dark, plain] = [await givenDevice(db), await givenDevice(db), await givenDevice(db)];
  const off = { ...exampleProgramme(0), minimumMinutes: 0 };
  await follow([half], await givenVersion('scheme', exampleScheme(50)));
  await follow(
    [dark],
    await givenVersion('scheme', {
      ...exampleScheme(),
      programmes: [{ key: 1, name: '半夜', programme: off }],
      calendar: { rules: [], default: 1 },
    }),
  );
  const say = async (id: number, level: number) => {
    for (const minutes of [30, 15, 1]) {
      const at = new Date(now.getTime() - minutes * 60_000);
      const values = { power: level, level, commandLevel: level, relay: level > 0, voltage: 226 };
      await sql`INSERT INTO reading (at, device_id, received_at, values)
        VALUES (${at}, ${id}, ${at}, ${JSON.stringify(values)}::jsonb)`.execute(db);
      await sql`INSERT INTO device_latest (device_id, at, received_at, values)
        VALUES (${id}, ${at}, ${at}, ${JSON.stringify(values)}::jsonb)
        ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at,
          values = excluded.values`.execute(db);
    }
  };
  await say(half, 50);
  await say(dark, 0);
  await say(plain, 0);
  const judging = createJudging({
    db,
    clock,
    thresholds: defaultThresholds,
    periods,
    plans,
    announce: () => undefined,
    onError: (thrown) => {
      throw thrown;
    },
  });
  await judging.judge([half, dark, plain]);
  const { rows } = await sql`SELECT device_id AS id, should_be_lit AS should, fault FROM device_state
    WHERE device_id IN (${half}, ${dark}, ${plain}) ORDER BY 1`.execute(db);
  expect(rows).toEqual([
    { id: half, should: true, fault: null },
    { id: dark, should: false, fault: null },
    { id: plain, should: true, fault: 'L111' },
  ]);
  const { plan } = await createLamps({ db, clock, plans, periods }).get(sql<boolean>`true`, half);
  expect(plan.shouldBeLit).toBe(true);
});
