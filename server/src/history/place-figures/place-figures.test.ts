import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { listPlaceFigures } from '../../../../contract/history/place-figures.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { createProofs } from '../../light/commands/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createRoller } from '../readings/index.ts';
import { createPlaceFigures, placeFiguresRoutes } from './index.ts';

type Answer = ReplyOf<typeof listPlaceFigures>;
const hour = 3_600_000;
const minute = 60_000;
/** In the area 22 o'clock of the first of December: its lighting day began 10 hours before. */
const now = Date.parse('2026-12-01T14:00:00Z');
const clock = testClock(new Date(now));
const { db, log, bus, call, signIn } = await testApp({
  clock,
  logLevel: 'silent',
  routes: ({ db: database }) => placeFiguresRoutes(createPlaceFigures({ db: database, clock })),
});
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
const lamps: number[] = [];
let box = 0;
/** Asked before any hour was counted. */
let early: Answer;

const ask = async (place: string, ids: string, token?: string): Promise<Answer> => {
  const { status, body } = await call<Answer>(
    `/api/v1/place-figures/${place}?ids=${ids}`,
    token === undefined ? {} : { token },
  );
  expect(status).toBe(200);
  return body;
};
const judged = (id: number, state: string, lit: boolean | null, fault: string | null = null) =>
  sql`INSERT INTO device_state (device_id, state, lit, fault, online, since, judged_at)
    VALUES (${id}, ${state}, ${lit}, ${fault}, ${state !== 'offline'}, ${new Date(now)}, ${new Date(now)})
    ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, lit = excluded.lit, fault = excluded.fault`.execute(
    db,
  );
/** A counter of 1000 kWh that rises by 0.1 kWh an hour, from 30 hours ago on. */
const tell = (deviceId: number) =>
  ingest.take({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(
      JSON.stringify({
        sentAt: timeText(now),
        readings: Array.from({ length: 31 }, (_, i) => ({
          at: timeText(now - (30 - i) * hour),
          values: { energy: Number((1000 + i * 0.1).toFixed(3)), level: 60 },
        })),
      }),
    ),
  });

beforeAll(async () => {
  await givenArea(db);
  await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude) VALUES (2, 'A2', '城北', 120.2, 30.25)`.execute(
    db,
  );
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (2, 1, 'R2', '青年路'), (3, 2, 'R3', '北路')`.execute(
    db,
  );
  await sql`INSERT INTO equipment_group (id, work_area_id, group_code, group_name) VALUES (1, 1, 'G1', '半夜灯')`.execute(
    db,
  );
  for (let i = 0; i < 4; i += 1) lamps.push(await givenDevice(db));
  const pole = await givenDevice(db, { family: 'lamp-pole' });
  box = await givenDevice(db, { family: 'control-box', roadId: null });
  await sql`INSERT INTO loop (id, control_box_id, work_area_id, loop_code, loop_name) VALUES (1, ${box}, 1, 'L1', '北侧')`.execute(
    db,
  );
  const [first = 0, second = 0, third = 0, fourth = 0] = lamps;
  await sql`UPDATE device SET loop_id = 1 WHERE id IN (${first}, ${pole})`.execute(db);
  await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${second}`.execute(db);
  await sql`UPDATE device SET group_id = 1 WHERE id IN (${first}, ${third}, ${pole})`.execute(db);
  await judged(first, 'on', true);
  await judged(second, 'alarm', false, 'A001');
  await judged(third, 'offline', null);
  await judged(fourth, 'dimmed', true);
  for (const id of [first, second]) await tell(id);
  early = await ask('road', '2,1');
  await createRoller({ db, clock, log }).roll();
});
afterAll(() => ingest.stop());

describe('figures of places', () => {
  it('say how far the energy is counted that they tell, in whichever order they are asked for', async () => {
    expect(early.countedTo).toBeNull();
    const kept = await ask('road', '1,2');
    expect(kept.countedTo).toBeNull();
    expect(kept.data.map(({ id, kwh }) => [id, kwh])).toEqual([
      [1, null],
      [2, null],
    ]);
    clock.set(new Date(now + 6 * minute));
  });

  it('count lamps, their light, faults and the energy since noon of roads', async () => {
    const { countedTo, data } = await ask('road', '1,2');
    expect(countedTo).toBe('2026-12-01T13:00:00.000Z');
    const [one, other] = data;
    // Eight hours of two lamps are stored: the last one waits for the reading after it.
    expect(one).toEqual({
      id: 1,
      members: 5,
      lamps: 4,
      lit: 2,
      known: 3,
      alarms: 1,
      offline: 1,
      kwh: expect.closeTo(1.6, 3) as number,
      counted: 2,
    });
    expect(other).toEqual({
      id: 2,
      members: 0,
      lamps: 0,
      lit: 0,
      known: 0,
      alarms: 0,
      offline: 0,
      kwh: null,
      counted: 0,
    });
  });

  it('begin the lighting day at the noon of the sun of the project, where that is moved', async () => {
    const kwhWith = async (sunOffsetMinutes: number) => {
      await sql`UPDATE work_area SET sun_offset_minutes = ${sunOffsetMinutes} WHERE id = 1`.execute(db);
      clock.set(new Date(clock.now().getTime() + 6 * minute));
      return (await ask('road', '1')).data[0]?.kwh;
    };
    // Noon at 15 o'clock: five hours of two lamps.
    expect(await kwhWith(180)).toBeCloseTo(1, 3);
    // At 23 o'clock, of the day before.
    expect(await kwhWith(660)).toBeCloseTo(4.2, 3);
    // At 9 o'clock.
    expect(await kwhWith(-180)).toBeCloseTo(2.2, 3);
    expect(await kwhWith(0)).toBeCloseTo(1.6, 3);
  });

  it('count members of groups, and what hangs on loops and boxes, also by way of a pole', async () => {
    expect((await ask('group', '1')).data).toMatchObject([{ members: 3, lamps: 2, lit: 1, known: 1, offline: 1 }]);
    const hanging = { members: null, lamps: 2, lit: 1, known: 2, alarms: 1, counted: 2 };
    expect((await ask('loop', '1')).data).toMatchObject([{ id: 1, ...hanging }]);
    expect((await ask('box', String(box))).data).toMatchObject([{ id: box, ...hanging }]);
    // A lamp is no box.
    expect((await ask('box', String(lamps[0]))).data).toEqual([]);
  });

  it('leave out places that the caller does not see', async () => {
    const { token } = await signIn({ username: 'north', permissions: ['device.query'], workAreas: [2] });
    expect((await ask('road', '1,3', token)).data).toMatchObject([{ id: 3, lamps: 0 }]);
    expect((await ask('box', String(box), token)).data).toEqual([]);
  });
});
