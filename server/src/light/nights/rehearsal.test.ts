import { sql } from 'kysely';
import type { MqttClient } from 'mqtt';
import { expect, it } from 'vitest';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import { ackOut, hear, readingsOut } from '../../../../protocols/mqtt-json/device.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { firstMemory, Lamp } from '../../../../simulator/lamp/lamp.ts';
import { lampSpec } from '../../../../simulator/lamp/spec.ts';
import { commandOffice } from '../../testing/command-office.ts';
import { connectDevice, givenCredentials, givenDevice } from '../../testing/devices.ts';
import { nightsRoutes } from './nights.routes.ts';
import { nightDesk, wall } from './testing/night-office.ts';

const start = wall('2026-11-23T13:00').getTime();
const office = await commandOffice(start, { alsoRoutes: nightsRoutes });
const { app, db, clock, dispatcher } = office;
const desk = await nightDesk(app, clock);
const { get, lampsOf } = desk;
const minuteMs = 60_000;

/** A lamp of the simulator's model on a line of its own, which answers what it is asked. */
async function play(id: number): Promise<Lamp> {
  const spec = lampSpec({
    ...{ citySeed: 1, code: `L-${id}`, ratedWatts: 100, curve: 'led', fault: null, linkKind: 'cellular' },
    ...{ loopTapVolts: 0, loopDropVolts: 0, reach: 0.5, ownClock: false, obedience: 'plan' },
  } as Parameters<typeof lampSpec>[0]);
  const place = { latitude: 30.25, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
  const settings = { version: 0, place, table: defaultTable, litSeconds: 900, unlitSeconds: 3600 };
  const lamp = new Lamp(spec, settings, firstMemory(spec, office.now()));
  const client: MqttClient = await connectDevice(
    `mqtt://127.0.0.1:${office.broker.port}`,
    id,
    await givenCredentials(db, id),
  );
  const address = { deviceId: id, viaId: null };
  client.on('message', (topic, payload) => {
    const heard = hear(topic, payload);
    if (heard?.kind !== 'command') return;
    const { commandId, command, args, expiresAt, turn } = heard.command;
    lamp.advance(office.now());
    const outcome = lamp.execute({ commandId, command, args, turn, expiresAt: Date.parse(expiresAt), until: null });
    for (const out of [
      ackOut(address, commandId, outcome),
      ...readingsOut(address, office.now(), [lamp.reading()], lamp.ofPlan),
    ])
      void client.publishAsync(out.topic, out.payload, { qos: 1 });
  });
  await client.subscribeAsync(topicOf({ kind: 'commands', ...address }), { qos: 1 });
  return lamp;
}

it('asks every lamp that should be lit an hour before, and lists those that will not 20 minutes before', async () => {
  const version = await desk.version();
  const [well = 0, away = 0, mute = 0, broken = 0, off = 0, local = 0, unfed = 0] = await desk.lamps(7, version);
  const dark = await givenDevice(db, { enabled: false });
  await play(well);
  await connectDevice(`mqtt://127.0.0.1:${office.broker.port}`, mute, await givenCredentials(db, mute));
  const state = (id: number, of: string, isUnpowered = false) =>
    sql`INSERT INTO device_state (device_id, state, online, unpowered, since, judged_at)
      VALUES (${id}, ${of}, false, ${isUnpowered}, ${wall('2026-11-23T09:00')}, ${wall('2026-11-23T09:00')})`.execute(
      db,
    );
  await state(away, 'offline');
  await state(unfed, 'off', true);
  await sql`INSERT INTO fault_log (device_id, fault, began_at) VALUES (${broken}, 'L113', ${wall('2026-11-22T18:00')})`.execute(
    db,
  );
  const { rows } = await sql<{ id: number }>`INSERT INTO command (command, args, actor_name, created_at, until)
    VALUES ('off', '{}', 'x', ${wall('2026-11-23T12:00')}, ${wall('2026-11-23T20:00')}) RETURNING id`.execute(db);
  await sql`INSERT INTO command_item (command_id, device_id, state, expires_at, acknowledged_at, executed_at, until)
    VALUES (${rows[0]?.id}, ${off}, 'confirmed', ${wall('2026-11-23T12:01')}, ${wall('2026-11-23T12:00')},
      ${wall('2026-11-23T12:00')}, ${wall('2026-11-23T20:00')})`.execute(db);

  await desk.at('2026-11-23T13:00');
  const { firstOn } = (await get()).rehearsal;
  const on = Date.parse(firstOn ?? '');
  expect(on).toBeGreaterThan(wall('2026-11-23T16:40').getTime());
  expect(on).toBeLessThan(wall('2026-11-23T17:00').getTime());
  await desk.at(new Date(on - 61 * minuteMs));
  expect((await get()).rehearsal).toMatchObject({ phase: 'planned', lit: 0 });

  await desk.at(new Date(on - 60 * minuteMs));
  const asked = await get();
  expect(asked.rehearsal).toMatchObject({ phase: 'asked', lit: 7, unasked: 1, dark: 0 });
  const commandId = asked.byArea[0]?.commandId ?? 0;
  await dispatcher.send();
  const answered = async () => (await office.detail(commandId)).items.find(({ deviceId }) => deviceId === well)?.state;
  await expect.poll(answered, { timeout: 10_000 }).toBe('confirmed');
  const { items } = await office.detail(commandId);
  expect(items.map(({ deviceId }) => deviceId).toSorted((a, b) => a - b)).toEqual([
    well,
    away,
    mute,
    broken,
    off,
    local,
  ]);
  // Its answer never comes; those of the lamps that are listed for another reason are not waited for.
  clock.set(new Date(on - 50 * minuteMs));
  await dispatcher.endOverdue();
  await sql`UPDATE device_latest SET values = values || '{"reason":"local"}' WHERE device_id = ${local}`.execute(db);
  await sql`INSERT INTO device_latest (device_id, at, received_at, values)
    VALUES (${local}, ${clock.now()}, ${clock.now()}, '{"reason":"local"}') ON CONFLICT DO NOTHING`.execute(db);
  await desk.at(new Date(on - 21 * minuteMs));
  expect((await get()).rehearsal.phase).toBe('asked');

  await desk.at(new Date(on - 20 * minuteMs));
  const listed = await get();
  expect(listed.rehearsal).toMatchObject({ phase: 'listed', dark: 5, listedAt: clock.now().toISOString() });
  const list = async () =>
    (await lampsOf('part=rehearsal')).data.map(({ deviceId, outcome, reason }) => [deviceId, outcome, reason]);
  expect(await list()).toEqual([
    [away, 'dark', 'away'],
    [local, 'dark', 'localControl'],
    [broken, 'dark', 'fault'],
    [off, 'dark', 'manual'],
    [mute, 'dark', 'noAnswer'],
  ]);
  expect(listed.reasons).toContainEqual({ part: 'rehearsal', outcome: 'dark', reason: 'noAnswer', lamps: 1 });
  expect((await lampsOf('part=rehearsal&reason=manual')).data).toMatchObject([
    { detail: String(rows[0]?.id), stepAt: firstOn, expected: 100 },
  ]);
  expect(JSON.stringify(await lampsOf('part=rehearsal'))).not.toContain(`"deviceId":${dark},`);

  // It answers late; the list is one shorter.
  clock.set(new Date(on - 15 * minuteMs));
  await sql`INSERT INTO device_latest (device_id, at, received_at, values) VALUES (${mute}, ${clock.now()}, ${clock.now()}, '{}')
    ON CONFLICT (device_id) DO UPDATE SET received_at = excluded.received_at`.execute(db);
  await desk.at(new Date(on - 14 * minuteMs));
  await desk.at(new Date(on - 12 * minuteMs));
  expect((await list()).map(([id]) => id)).toEqual([away, local, broken, off]);
  await desk.at(new Date(on));
  expect((await get()).rehearsal).toMatchObject({ phase: 'over', dark: 4 });

  // What the question came to is kept; of each lamp it is not.
  clock.set(new Date(on + 25 * minuteMs));
  await dispatcher.endOverdue();
  await dispatcher.keepCounts();
  const { states } = await office.detail(commandId);
  await desk.at(new Date(on + 31 * minuteMs));
  expect(await office.detail(commandId)).toMatchObject({ total: 6, states, items: [] });
});

it('is made once for an area and night, also by another process, and not at all when there is no time for it', async () => {
  const commands = async () =>
    Number(
      (await sql<{ n: number }>`SELECT count(*)::int AS n FROM command WHERE actor_name = 'Lampyris'`.execute(db))
        .rows[0]?.n,
    );
  expect(await commands()).toBe(1);
  desk.restart();
  await desk.at('2026-11-23T22:00');
  expect(await commands()).toBe(1);
  // Begun while lamps burn already.
  await sql`DELETE FROM plan_night`.execute(db);
  await desk.at('2026-11-23T22:01');
  expect((await get()).rehearsal.phase).toBe('skipped');
  expect(await commands()).toBe(1);
});

it('goes on with the lamps that were not asked when the process died', async () => {
  clock.set(wall('2026-11-24T13:00'));
  await desk.at('2026-11-24T13:00');
  const on = Date.parse((await get('2026-11-24')).rehearsal.firstOn ?? '');
  const ids = (await sql<{ id: number }>`SELECT id FROM device WHERE enabled ORDER BY id`.execute(db)).rows.map(
    ({ id }) => id,
  );
  clock.set(new Date(on - 60 * minuteMs));
  // Three lamps are asked; then it died.
  const { rows } = await sql<{ id: number }>`INSERT INTO command (command, args, actor_name, created_at, lane, phase)
    VALUES ('read', '{}', 'Lampyris', ${clock.now()}, 3, 'running') RETURNING id`.execute(db);
  const commandId = rows[0]?.id ?? 0;
  for (const id of ids.slice(0, 3))
    await sql`INSERT INTO command_item (command_id, device_id, state, lane, expires_at)
      VALUES (${commandId}, ${id}, 'waiting', 3, ${new Date(on)})`.execute(db);
  await sql`UPDATE plan_night SET rehearsal = 'asking', rehearsed_to = ${ids[2] ?? 0}, command_id = ${commandId}, lit = 3
    WHERE day = '2026-11-24'`.execute(db);
  desk.restart();
  await desk.at(new Date(on - 60 * minuteMs));
  expect((await get('2026-11-24')).rehearsal).toMatchObject({ phase: 'asked', lit: 7, unasked: 1 });
  const { items } = await office.detail(commandId);
  expect(items.map(({ deviceId }) => deviceId).toSorted((a, b) => a - b)).toEqual(ids.slice(0, 6));
});

it('an area without a lamp to light holds back nobody’s list', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude)
    VALUES (2, 'A2', '空区', 120.2, 30.25)`.execute(db);
  await sql`INSERT INTO plan_night (work_area_id, day) VALUES (2, '2026-11-24')`.execute(db);
  const both = await app.signIn({ username: 'both', permissions: ['plan.query'], workAreas: [1, 2] });
  const { body } = await app.call<Awaited<ReturnType<typeof get>>>('/api/v1/plan-nights/2026-11-24', {
    token: both.token,
  });
  expect(body.rehearsal).toMatchObject({ phase: 'asked', lit: 7 });
  expect(body.byArea.map(({ workAreaId, rehearsal }) => [workAreaId, rehearsal.phase]).toSorted()).toEqual([
    [1, 'asked'],
    [2, 'planned'],
  ]);
});
