import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { placesOf } from '../../register/places/places.store.ts';
import { testDatabase } from '../../testing/database.ts';
import { createHome, createLoadSums, holdOf } from '../../light/home/index.ts';
import { createLamps, defaultThresholds } from '../../light/lamps/index.ts';
import { createJudging } from './index.ts';

// 2026-11-21, Hangzhou: sunset 17:00 +08:00. One hour after it.
const sunset = Date.parse('2026-11-21T08:59:00Z');
let now = sunset + 60 * 60_000;
const minute = 60_000;
const clock: Clock = { now: () => new Date(now), every: () => () => undefined, after: () => () => undefined };
const all = sql<boolean>`true`;
const periods = { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 };

const database = await testDatabase();
const { db } = database;
const announced: number[] = [];
const judging = createJudging({
  db,
  clock,
  thresholds: defaultThresholds,
  periods,
  announce: (ids) => announced.push(...ids),
  onError: (thrown) => {
    throw thrown;
  },
});
const lamps = createLamps({ db, clock, periods });
const home = createHome({ db, clock, thresholds: defaultThresholds, periods });
const loads = createLoadSums({ db, clock, hold: holdOf(periods) });
const admin = { accountId: 1, workAreas: 'all', workAreaId: null } as const;

/** Time goes by while somebody listens. */
async function pass(milliseconds: number): Promise<void> {
  now += milliseconds;
  await sql`INSERT INTO connection_watch (seen_at, counts_from) VALUES (${new Date(now)}, ${new Date(0)})
    ON CONFLICT (single) DO UPDATE SET seen_at = excluded.seen_at`.execute(db);
}

async function device(family: string, code: string, parent: number | null = null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO device (family, work_area_id, equipment_code, equipment_name, road_id, parent_id, longitude, latitude,
      rated_watts, created_at)
    VALUES (${family}, 1, ${code}, ${code}, 1, ${parent}, 120.2, 30.25, 100, ${new Date(now - 86_400_000)})
      RETURNING id`.execute(db);
  return rows[0]?.id ?? 0;
}

async function reading(id: number, minutesAgo: number, values: Record<string, number | boolean>): Promise<void> {
  const at = new Date(now - minutesAgo * minute);
  await sql`INSERT INTO reading (at, device_id, received_at, values)
    VALUES (${at}, ${id}, ${at}, ${JSON.stringify(values)}::jsonb)`.execute(db);
  await sql`INSERT INTO device_latest (device_id, at, received_at, values)
    VALUES (${id}, ${at}, ${at}, ${JSON.stringify(values)}::jsonb)
    ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at, values = excluded.values
      WHERE excluded.at > device_latest.at`.execute(db);
}

const lit = { power: 100, level: 100, commandLevel: 100, relay: true, voltage: 226 };
const dark = { power: 0, level: 0, commandLevel: 0, relay: false, voltage: 226 };

async function night(id: number, burning: Record<string, number | boolean>, until = 0): Promise<void> {
  await reading(id, 120, { ...dark, energy: 10 });
  for (const minutesAgo of [60, 45, 30, 15, 1])
    if (minutesAgo >= until) await reading(id, minutesAgo, { ...burning, energy: 10 + (60 - minutesAgo) / 600 });
}

const ids: Record<string, number> = {};
beforeAll(async () => {
  await sql`CREATE TABLE reading_test PARTITION OF reading FOR VALUES FROM ('2026-11-01') TO ('2026-12-01')`.execute(
    db,
  );
  await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude) VALUES (1, 'A1', '滨江新区', 120.2, 30.25)
    ON CONFLICT (id) DO UPDATE SET longitude = 120.2, latitude = 30.25`.execute(db);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (1, 1, 'R1', '滨江大道')`.execute(db);
  ids['controller'] = await device('central-controller', 'CC-1');
  ids['dead'] = await device('central-controller', 'CC-2');
  for (const code of ['P2', 'P10', 'failed', 'silent'])
    ids[code] = await device('single-lamp-controller', code, ids['controller']);
  ids['orphan'] = await device('single-lamp-controller', 'orphan', ids['dead']);
  await night(ids['P2'] ?? 0, lit);
  await night(ids['P10'] ?? 0, { ...lit, level: 60, commandLevel: 60, power: 62 });
  await night(ids['failed'] ?? 0, { ...lit, power: 1 });
  await night(ids['silent'] ?? 0, lit, 50);
  await night(ids['orphan'] ?? 0, lit, 15);
  await reading(ids['controller'] ?? 0, 2, { voltageA: 226 });
  await reading(ids['dead'] ?? 0, 16, { voltageA: 226 });
  await pass(0);
  await judging.sweep();
});

describe('the judged picture in the database', () => {
  it('says one state and one fault for each lamp', async () => {
    const { data, recordsTotal } = await lamps.list(all, {});
    expect(recordsTotal).toBe(5);
    expect(Object.fromEntries(data.map((lamp) => [lamp.code, [lamp.state, lamp.fault, lamp.online]]))).toEqual({
      P2: ['on', null, true],
      P10: ['dimmed', null, true],
      failed: ['alarm', 'L101', true],
      silent: ['offline', 'N301', false],
      orphan: ['offline', 'N302', false],
    });
    expect(data.find((lamp) => lamp.code === 'P2')).toMatchObject({
      roadName: '滨江大道',
      power: 100,
      controllerCode: 'CC-1',
      energyTonight: expect.closeTo(0.098, 3) as number,
    });
  });

  it('is never overwritten by a judge who read before the newest reading', async () => {
    const [held, raced] = [
      await device('single-lamp-controller', 'held', ids['controller'] ?? null),
      await device('single-lamp-controller', 'raced', ids['controller'] ?? null),
    ];
    for (const id of [held, raced]) await reading(id, 5, dark);
    await judging.judge([held, raced]);
    const [blocked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const blocker = db.transaction().execute(async (tx) => {
      await sql`SELECT 1 FROM device_state WHERE device_id = ${held} FOR UPDATE`.execute(tx);
      blocked.resolve();
      await release.promise;
    });
    await blocked.promise;
    const waiting = async () =>
      (
        await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
          AND datname = current_database()`.execute(db)
      ).rows.length;
    // One judge has read both lamps and waits to write the first; meanwhile a reading lights the second, and is judged.
    await reading(held, 2, lit);
    const slow = judging.judge([held, raced]);
    await expect.poll(waiting).toBe(1);
    await reading(raced, 1, lit);
    let done = false;
    const quick = judging.judge([raced]).then(() => {
      done = true;
    });
    await expect.poll(async () => done || (await waiting()) === 2).toBe(true);
    release.resolve();
    await Promise.all([blocker, slow, quick]);
    expect(
      await db.selectFrom('device_state').select('state').where('device_id', '=', raced).executeTakeFirst(),
    ).toEqual({ state: 'on' });
    await sql`DELETE FROM device WHERE id = ANY(${[held, raced]})`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ANY(${[held, raced]})`.execute(db);
  });

  it('goes by what came since: an older sample that comes late neither raises nor clears, and a fault outlasts the hours that are read again after a restart', async () => {
    const id = await device('single-lamp-controller', 'late', ids['controller'] ?? null);
    const inBand = { ...lit, power: 10 };
    const stateAfter = async (judge = judging) => {
      await judge.judge([id]);
      return db
        .selectFrom('device_state')
        .select(['state', 'fault', 'fault_since as since'])
        .where('device_id', '=', id)
        .executeTakeFirst();
    };
    await reading(id, 10, inBand);
    expect(await stateAfter()).toMatchObject({ fault: null });
    for (const minutesAgo of [30, 20]) await reading(id, minutesAgo, { ...lit, power: 1 });
    expect(await stateAfter(), 'late').toMatchObject({ fault: null });
    for (const minutesAgo of [9, 3]) await reading(id, minutesAgo, { ...lit, power: 1 });
    const since = new Date(now - 9 * minute);
    expect(await stateAfter()).toEqual({ state: 'alarm', fault: 'L101', since });
    await pass(200 * minute);
    await reading(id, 1, inBand);
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
    expect(await stateAfter(restarted), 'neither dark nor lit: it is not over').toEqual({
      state: 'alarm',
      fault: 'L101',
      since,
    });
    await reading(id, 0.5, lit);
    await reading(id, 0, lit);
    expect(await stateAfter(restarted)).toMatchObject({ state: 'on', fault: null });
    // The first process judges again, hours later: what it saw last is over, as another one saw.
    judging.start()();
    await pass(200 * minute);
    await reading(id, 0, inBand);
    expect(await stateAfter(), 'judged elsewhere meanwhile').toMatchObject({ fault: null });
    await pass(-400 * minute);
    await sql`DELETE FROM device WHERE id = ${id}`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ${id}`.execute(db);
  });

  it('a fault is told with its end; silence neither ends it nor begins it anew', async () => {
    const id = await device('single-lamp-controller', 'faulty');
    const told = async () =>
      (await lamps.get(all, id)).episodes.map(({ kind, fault, beganAt, endedAt }) => [fault ?? kind, beganAt, endedAt]);
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    for (const minutesAgo of [9, 3]) await reading(id, minutesAgo, { ...lit, power: 1 });
    await judging.judge([id]);
    const [began, heard] = [at(now - 9 * minute), at(now - 3 * minute)];
    expect(await told()).toEqual([['L101', began, null]]);
    await pass(100 * minute);
    await judging.judge([id]);
    expect(await told()).toEqual([
      ['offline', heard, null],
      ['L101', began, null],
    ]);
    const back = at(now);
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
      ['L101', began, at(now)],
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
    const at = (minutesAgo: number) => new Date(now - minutesAgo * minute).toISOString();
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
    const since = new Date(now - 9 * minute);
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
    await sql`UPDATE device_latest SET heard_at = ${new Date(now)} WHERE device_id = ${lamp}`.execute(db);
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
        VALUES (${id}, 'X999', ${new Date(now - 400 * minute)})`.execute(db);
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
    await sql`UPDATE device_latest SET heard_at = ${new Date(now)} WHERE device_id = ANY(${[camera, cover]})`.execute(
      db,
    );
    const sound = ['on', null];
    const ended = new Date(now);
    expect(await shown()).toEqual([
      [sound, sound],
      [ended, ended],
    ]);
    await sql`DELETE FROM device WHERE id = ANY(${[camera, cover]})`.execute(db);
    await sql`DELETE FROM reading WHERE device_id = ANY(${[camera, cover]})`.execute(db);
  });

  it('is judged anew, once, when a manual state ends by itself', async () => {
    const id = ids['P2'] ?? 0;
    const {
      rows: [command],
    } = await sql<{
      id: number;
    }>`INSERT INTO command (command, actor_name, until, created_at)
      VALUES ('on', 'x', ${new Date(now + minute)}, ${new Date(now)}) RETURNING id`.execute(db);
    await sql`INSERT INTO command_item (command_id, device_id, state, until, expires_at, acknowledged_at, executed_at)
      VALUES (${command?.id ?? 0}, ${id}, 'confirmed', ${new Date(now + minute)}, now(), ${new Date(now)},
        ${new Date(now)})`.execute(db);
    const swept = async () => {
      announced.length = 0;
      await judging.sweep();
      return announced.includes(id);
    };
    expect(await swept(), 'still in force').toBe(false);
    now += minute;
    expect(await swept(), 'just ended').toBe(true);
    expect(await swept(), 'judged already').toBe(false);
    now -= minute;
    await sql`DELETE FROM command WHERE id = ${command?.id ?? 0}`.execute(db);
  });

  it('sorts codes naturally, and by severity', async () => {
    const codes = (await lamps.list(all, { sort: 'code,asc' })).data.map((lamp) => lamp.code);
    expect(codes.indexOf('P2')).toBeLessThan(codes.indexOf('P10'));
    expect((await lamps.list(all, { sort: 'state,asc' })).data[0]?.code).toBe('failed');
    await expect(lamps.list(all, { sort: '__proto__,asc' })).rejects.toMatchObject({ code: 'invalidInput' });
  });

  it('filters by state, fault, road and text, and pages', async () => {
    const codes = async (query: Parameters<typeof lamps.list>[1]) =>
      (await lamps.list(all, query)).data.map((lamp) => lamp.code);
    expect(await codes({ states: 'offline' })).toEqual(['orphan', 'silent']);
    expect(await codes({ faults: 'L101' })).toEqual(['failed']);
    expect(await codes({ q: '滨江' })).toHaveLength(5);
    expect(await codes({ q: 'p1' })).toEqual(['P10']);
    expect(await codes({ q: '%' })).toEqual([]);
    expect(await codes({ roadIds: '2' })).toEqual([]);
    expect(await codes({ size: 2, page: 2 })).toHaveLength(2);
    expect(await codes({ lit: 'notLit' })).toEqual(['failed', 'orphan', 'silent']);
  });

  it('draws the map in columns and counts what it draws', async () => {
    const map = await lamps.map(all, {});
    expect(map.ids).toHaveLength(5);
    expect(map.levels[map.codes.indexOf('P10')]).toBe(60);
    expect(await lamps.counts(all, {})).toMatchObject({
      total: 5,
      online: 3,
      states: { on: 1, dimmed: 1, alarm: 1, offline: 2 },
      faults: { L101: 1, N301: 1, N302: 1 },
    });
  });

  it('gives one lamp with its curve, its gap and its plan', async () => {
    const curve = await lamps.curve(all, ids['silent'] ?? 0, {});
    expect(curve.gaps).toEqual([{ from: new Date(now - 60 * minute).toISOString(), to: new Date(now).toISOString() }]);
    expect(curve.power).toEqual([0, 100]);
    const { plan, episodes } = await lamps.get(all, ids['failed'] ?? 0);
    expect(plan.shouldBeLit).toBe(true);
    expect(Math.abs(Date.parse(plan.switches[0]?.at ?? '') - sunset)).toBeLessThan(2 * minute);
    expect(episodes).toMatchObject([{ kind: 'fault', fault: 'L101', endedAt: null, seconds: null }]);
  });

  it('counts the home page from the same rows', async () => {
    const summary = await home.summary(admin);
    expect(summary.litRate).toMatchObject({
      counted: true,
      strict: { numerator: 2, denominator: 5 },
      knownOnly: { numerator: 2, denominator: 3 },
      unknown: 2,
    });
    expect(summary.online).toMatchObject({
      lamps: { numerator: 3, denominator: 5 },
      controllers: { numerator: 1, denominator: 2 },
    });
    expect(summary.faults).toMatchObject({ total: 3, byCode: { L101: 1, N301: 1, N302: 1 } });
    expect(summary.energy.covered).toBe(5);
    expect(summary.stale).toBe(false);
    await loads.turn();
    const curve = await home.curve(admin);
    expect(curve.powerKw.filter((value) => value !== null).length).toBeGreaterThan(3);
    expect(Math.max(...curve.lit.map((value) => value ?? 0))).toBeGreaterThanOrEqual(3);
    const { data } = await home.changes(admin, 10);
    // The lamp behind the lost controller is no line of its own.
    expect(
      data.map((row) => [row.kind, row.fault, row.family, row.code, row.count, row.open, row.endedAt]).toSorted(),
    ).toEqual([
      ['fault', 'L101', 'single-lamp-controller', 'failed', 1, 1, null],
      ['offline', null, 'central-controller', 'CC-2', 1, 1, null],
      ['offline', null, 'single-lamp-controller', 'silent', 1, 1, null],
    ]);
  });

  it('frees the lamps of a controller that comes back, and says so once', async () => {
    await reading(ids['dead'] ?? 0, 0, { voltageA: 226 });
    await judging.judge([ids['dead'] ?? 0]);
    await judging.judge([ids['dead'] ?? 0]);
    expect((await lamps.list(all, { q: 'orphan' })).data[0]).toMatchObject({ state: 'on', fault: null });
    const [latest] = (await createHome({ db, clock, thresholds: defaultThresholds, periods }).changes(admin, 10)).data;
    expect(latest).toMatchObject({
      kind: 'offline',
      code: 'CC-2',
      count: 1,
      open: 0,
      at: new Date(now).toISOString(),
      endedAt: new Date(now).toISOString(),
    });
    expect(latest?.seconds).toBe((now - Date.parse(latest?.beganAt ?? '')) / 1000);
  });

  it('finds by the clock alone the lamps that fell silent, and marks the page stale', async () => {
    await pass(50 * minute);
    await judging.sweep();
    expect((await lamps.counts(all, {})).states).toEqual({ offline: 5 });
    const summary = await home.summary(admin);
    expect(summary.stale).toBe(true);
    expect(summary.litRate.strict).toMatchObject({ numerator: 0, denominator: 5 });
    expect(summary.litRate.knownOnly.value).toBeNull();
  });

  it('hides what is out of scope', async () => {
    expect((await lamps.list(sql<boolean>`false`, {})).recordsTotal).toBe(0);
    await expect(lamps.get(sql<boolean>`false`, ids['P2'] ?? 0)).rejects.toMatchObject({ code: 'foreignWorkArea' });
  });
});

it('judges what only reports by whether it is heard of, each family by its own period', async () => {
  const camera = await device('security-camera', 'CAM-1');
  const cover = await device('manhole-cover', 'MH-1');
  const gateway = await device('gateway', 'GW-1');
  for (const id of [camera, cover, gateway]) await reading(id, 30, { temperature: 20 });
  const states = async () => {
    const { rows } = await sql<{
      id: number;
      state: string;
      online: boolean;
      fault: string | null;
    }>`SELECT device_id AS id, state, online, fault FROM device_state
      WHERE device_id = ANY(${[camera, cover, gateway]}::bigint[]) ORDER BY device_id`.execute(db);
    return rows;
  };
  await judging.judge([camera, cover, gateway]);
  expect(await states()).toEqual([
    { id: camera, state: 'offline', online: false, fault: null },
    { id: cover, state: 'on', online: true, fault: null },
    { id: gateway, state: 'offline', online: false, fault: 'N302' },
  ]);
  await pass(4 * 60 * minute);
  await judging.sweep();
  expect((await states())[1]).toMatchObject({ state: 'offline', online: false });
});

it('an area without coordinates lies in the middle of its lamps, of which very many may have no place: they are not looked through', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (70, 'A70', '新区'), (71, 'A71', '空区')`.execute(
    db,
  );
  await sql`INSERT INTO device (family, work_area_id, equipment_code, latitude, longitude)
    SELECT 'single-lamp-controller', 70, 'N-' || i, CASE WHEN i <= 2 THEN 29 + i END, CASE WHEN i <= 2 THEN 118 + i END
    FROM generate_series(1, 4000) i`.execute(db);
  await sql`ANALYZE device`.execute(db);
  expect([...(await loadPlaces(db, [70, 71]))]).toEqual([
    [70, expect.objectContaining({ latitude: 30.5, longitude: 119.5, timeZone: 'Asia/Shanghai' })],
  ]);
  expect([...(await loadPlaces(db)).keys()]).toContain(70);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN (COSTS OFF) ${placesOf([70])}`.execute(db);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('device_with_place');
});
