import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { defaultThresholds } from '../../light/lamps/index.ts';
import { createJudging } from './index.ts';
import { judgedEvening } from './testing/evening.ts';

const site = await judgedEvening();
const { minute, clock, all, periods, db, judging, lamps, pass, device, reading, lit } = site;

describe('faults of a device', () => {
  it('a fault is told with its end; silence neither ends it nor begins it anew', async () => {
    const id = await device('single-lamp-controller', 'faulty');
    const told = async () =>
      (await lamps.get(all, id)).episodes.map(({ kind, fault, beganAt, endedAt }) => [fault ?? kind, beganAt, endedAt]);
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    for (const minutesAgo of [9, 3]) await reading(id, minutesAgo, { ...lit, power: 1 });
    await judging.judge([id]);
    const [began, heard] = [at(site.now - 9 * minute), at(site.now - 3 * minute)];
    expect(await told()).toEqual([['L101', began, null]]);
    await pass(100 * minute);
    await judging.judge([id]);
    expect(await told()).toEqual([
      ['offline', heard, null],
      ['L101', began, null],
    ]);
    const back = at(site.now);
    await reading(id, 0, { ...lit, power: 1 });
    await judging.judge([id]);
    expect(await told()).toEqual([
      ['offline', heard, back],
      ['L101', began, null],
    ]);
    await pass(minute);
    await reading(id, 0.5, lit);
    await reading(id, 0, lit);
    await judging.judge([id]);
    expect(await told()).toEqual([
      ['offline', heard, back],
      ['L101', began, at(site.now)],
    ]);
    await pass(-101 * minute);
    await sql`DELETE FROM device WHERE id = ${id}`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ${id}`.execute(db);
  });

  it('a device keeps all its faults, the worst is shown; each ends by itself, also after a restart', async () => {
    const id = await device('single-lamp-controller', 'several');
    const shown = async (judge = judging) => {
      await judge.judge([id]);
      const state = await db
        .selectFrom('device_state')
        .select('fault')
        .where('device_id', '=', id)
        .executeTakeFirstOrThrow();
      const { episodes } = await lamps.get(all, id);
      const open = episodes.flatMap(({ fault, beganAt, endedAt }) => (endedAt === null ? [[fault, beganAt]] : []));
      return [state.fault, open.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))];
    };
    const at = (minutesAgo: number) => new Date(site.now - minutesAgo * minute).toISOString();
    const high = { ...lit, voltage: 240 };
    for (const minutesAgo of [50, 40, 30]) await reading(id, minutesAgo, high);
    const highSince = at(50);
    expect(await shown()).toEqual(['L105', [['L105', highSince]]]);
    for (const minutesAgo of [25, 10]) await reading(id, minutesAgo, { ...high, power: 1 });
    const darkSince = at(25);
    const both = [
      'L101',
      [
        ['L101', darkSince],
        ['L105', highSince],
      ],
    ];
    expect(await shown(), 'dark at night (L111) is explained by the failed lamp').toEqual(both);
    await pass(200 * minute);
    await reading(id, 2, { ...lit, power: 10, voltage: 233 });
    const restarted = createJudging({
      db,
      clock,
      thresholds: defaultThresholds,
      periods,
      announce: () => undefined,
      onError: (thrown) => {
        throw thrown;
      },
    });
    expect(await shown(restarted), 'between the limits').toEqual(both);
    for (const minutesAgo of [1, 0]) await reading(id, minutesAgo, { ...lit, voltage: 233 });
    expect(await shown(restarted)).toEqual(['L105', [['L105', highSince]]]);
    await pass(minute);
    await reading(id, 0, lit);
    expect(await shown(restarted)).toEqual([null, []]);
    judging.start()();
    await pass(-201 * minute);
    await sql`DELETE FROM device WHERE id = ${id}`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ${id}`.execute(db);
  });

  it('a fault stays through readings and signs of life that do not say that it is over', async () => {
    const lamp = await device('single-lamp-controller', 'status first');
    const cover = await device('manhole-cover', 'sensor lost');
    for (const minutesAgo of [9, 3]) {
      await reading(lamp, minutesAgo, { ...lit, power: 1 });
      await reading(cover, minutesAgo, { gas: 35, battery: 80 });
    }
    await judging.judge([lamp, cover]);
    const since = new Date(site.now - 9 * minute);
    const log = () =>
      db
        .selectFrom('fault_log')
        .select(['fault', 'began_at as since', 'ended_at as until'])
        .where('device_id', 'in', [lamp, cover])
        .orderBy('fault')
        .execute();
    const stay = ['L101', 'P404'].map((fault) => ({ fault, since, until: null }));
    expect(await log()).toEqual(stay);

    await pass(200 * minute);
    await sql`UPDATE device_latest SET heard_at = ${new Date(site.now)} WHERE device_id = ${lamp}`.execute(db);
    await reading(cover, 1, { battery: 79 });
    const restarted = createJudging({
      db,
      clock,
      thresholds: defaultThresholds,
      periods,
      announce: () => undefined,
      onError: (thrown) => {
        throw thrown;
      },
    });
    await restarted.judge([lamp, cover]);
    expect(await log()).toEqual(stay);
    expect(
      await db
        .selectFrom('device_state')
        .select(['state', 'online', 'fault', 'fault_since as since'])
        .where('device_id', 'in', [lamp, cover])
        .orderBy('fault')
        .execute(),
    ).toEqual(['L101', 'P404'].map((fault) => ({ state: 'alarm', online: true, fault, since })));
    await pass(-200 * minute);
    await sql`DELETE FROM device WHERE id = ANY(${[lamp, cover]})`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ANY(${[lamp, cover]})`.execute(db);
  });

  it('a fault that its family does not declare ends when the device is heard, not before', async () => {
    const camera = await device('security-camera', 'no alarms');
    const cover = await device('manhole-cover', 'other alarms');
    for (const id of [camera, cover]) {
      await reading(id, 300, { temperature: 20 });
      await sql`INSERT INTO fault_log (device_id, fault, began_at)
        VALUES (${id}, 'X999', ${new Date(site.now - 400 * minute)})`.execute(db);
    }
    const shown = async () => {
      await judging.judge([camera, cover]);
      const states = await db
        .selectFrom('device_state')
        .select(['state', 'fault'])
        .where('device_id', 'in', [camera, cover])
        .execute();
      const log = await db
        .selectFrom('fault_log')
        .select('ended_at as until')
        .where('device_id', 'in', [camera, cover])
        .execute();
      return [states.map(({ state, fault }) => [state, fault]), log.map(({ until }) => until)];
    };
    const silent = ['offline', 'X999'];
    expect(await shown()).toEqual([
      [silent, silent],
      [null, null],
    ]);
    await sql`UPDATE device_latest SET heard_at = ${new Date(site.now)} WHERE device_id = ANY(${[camera, cover]})`.execute(
      db,
    );
    const sound = ['on', null];
    const ended = new Date(site.now);
    expect(await shown()).toEqual([
      [sound, sound],
      [ended, ended],
    ]);
    await sql`DELETE FROM device WHERE id = ANY(${[camera, cover]})`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ANY(${[camera, cover]})`.execute(db);
  });
});
