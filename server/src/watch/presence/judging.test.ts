import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { loadPlaces } from '../../register/places/index.ts';
import { placesOf } from '../../register/places/places.store.ts';
import { createHome } from '../../light/home/index.ts';
import { defaultThresholds } from '../../light/lamps/index.ts';
import { createJudging } from './index.ts';
import { judgedEvening } from './testing/evening.ts';

const site = await judgedEvening();
const {
  sunset,
  minute,
  clock,
  all,
  periods,
  db,
  announced,
  judging,
  lamps,
  home,
  loads,
  admin,
  pass,
  device,
  reading,
  lit,
  dark,
  ids,
} = site;

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
    const since = new Date(site.now - 9 * minute);
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

  it('is judged anew, once, when a manual state ends by itself', async () => {
    const id = ids['P2'] ?? 0;
    const {
      rows: [command],
    } = await sql<{
      id: number;
    }>`INSERT INTO command (command, actor_name, until, created_at)
      VALUES ('on', 'x', ${new Date(site.now + minute)}, ${new Date(site.now)}) RETURNING id`.execute(db);
    await sql`INSERT INTO command_item (command_id, device_id, state, until, expires_at, acknowledged_at, executed_at)
      VALUES (${command?.id ?? 0}, ${id}, 'confirmed', ${new Date(site.now + minute)}, now(), ${new Date(site.now)},
        ${new Date(site.now)})`.execute(db);
    const swept = async () => {
      announced.length = 0;
      await judging.sweep();
      return announced.includes(id);
    };
    expect(await swept(), 'still in force').toBe(false);
    site.now += minute;
    expect(await swept(), 'just ended').toBe(true);
    expect(await swept(), 'judged already').toBe(false);
    site.now -= minute;
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
    expect(curve.gaps).toEqual([
      { from: new Date(site.now - 60 * minute).toISOString(), to: new Date(site.now).toISOString() },
    ]);
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
    const { data } = (await home.changes(admin, 10)).open;
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
    const [latest] = (await createHome({ db, clock, thresholds: defaultThresholds, periods }).changes(admin, 10)).ended
      .data;
    expect(latest).toMatchObject({
      kind: 'offline',
      code: 'CC-2',
      count: 1,
      open: 0,
      at: new Date(site.now).toISOString(),
      endedAt: new Date(site.now).toISOString(),
    });
    expect(latest?.seconds).toBe((site.now - Date.parse(latest?.beganAt ?? '')) / 1000);
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
