import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getConnectionFigures, getDeviceAvailability } from '../../../../contract/wires/connections.ts';
import { defaultThresholds } from '../../light/lamps/index.ts';
import { createJudging } from '../../watch/presence/index.ts';
import { connectionsOffice, type List } from './testing/connections.ts';

const { minute, hour, day, clock, db, call, judging, areas, device, heard, hear, pass, away, of, told, online } =
  await connectionsOffice();

describe('out of reach', () => {
  it('counts from when a device was heard last, is noticed after three periods, and ends when it is heard again', async () => {
    const camera = await device('security-camera');
    await hear(camera);
    const last = clock.now().getTime();
    await pass(15 * minute);
    expect(await told(camera)).toEqual([]);
    await pass(2 * minute);
    const [open] = await of(camera);
    expect(open).toMatchObject({
      kind: 'offline',
      reason: 'silent',
      beganAt: new Date(last).toISOString(),
      endedAt: null,
      seconds: null,
      times: 1,
    });
    expect(Date.parse(open?.noticedAt ?? '') - last).toBeGreaterThan(15 * minute);
    await pass(10 * minute);
    await hear(camera);
    expect(await told(camera)).toEqual([['offline', 'silent', (27 * minute) / 1000, 1]]);
    expect(await online(camera)).toMatchObject({ online: true });
  });

  it('since it was registered, for what was never heard; nothing for what is disabled or reports nothing', async () => {
    const never = await device('wifi', { created_at: clock.now() });
    const disabled = await device('wifi', { enabled: false, created_at: clock.now() });
    const pole = await device('lamp-pole', { created_at: clock.now() });
    await judging.judge([never, disabled, pole]);
    await pass(17 * minute);
    expect(await told(never)).toEqual([['offline', 'neverHeard', null, 1]]);
    expect([await told(disabled), await told(pole)]).toEqual([[], []]);
    await db.updateTable('device').set({ enabled: false }).where('id', '=', never).execute();
    await judging.judge([never]);
    expect((await of(never))[0]?.endedAt).not.toBeNull();
  });

  it('behind a lost gateway is told as that, and left out when asked', async () => {
    const gateway = await device('gateway');
    const behind = [
      await device('trash-can', { gateway_id: gateway }),
      await device('single-lamp-controller', { gateway_id: gateway, rated_watts: 100 }),
    ];
    const quick = await device('wifi', { gateway_id: gateway });
    const byItself = await device('wifi', { gateway_id: gateway });
    await hear(quick);
    await pass(2 * minute);
    await hear(gateway, ...behind, byItself);
    await judging.judge([quick]);
    await pass(20 * minute, byItself);
    const rows = (
      await call<List>('/api/v1/connections?open=true&size=100&family=gateway,wifi,trash-can,single-lamp-controller')
    ).body.data.filter(({ device: { id } }) => [gateway, quick, ...behind, byItself].includes(id));
    expect(Object.fromEntries(rows.map(({ device: { id }, reason, via }) => [id, [reason, via?.id]]))).toEqual({
      [gateway]: ['silent', undefined],
      [behind[0]!]: ['gatewayLost', gateway],
      [behind[1]!]: ['gatewayLost', gateway],
      [quick]: ['gatewayLost', gateway],
    });
    expect(
      (await call<List>(`/api/v1/connections?open=true&behind=false&deviceId=${behind[0]}`)).body.recordsTotal,
    ).toBe(0);
    await hear(gateway);
    expect(await online(behind[0]!), 'a trash can reports every hour: it is in reach as its gateway is').toMatchObject({
      online: true,
    });
    expect((await of(behind[0]!))[0]?.endedAt).toBe(clock.now().toISOString());
    expect(await online(quick)).toMatchObject({ online: false });
  });

  it('nobody is while the server was away: what is silent then has as long as ever, and what was lost before comes back once', async () => {
    const [well, lost, gone] = [await device('wifi'), await device('wifi'), await device('wifi')];
    await hear(well, lost, gone);
    await pass(17 * minute, well, gone);
    expect(await told(lost)).toHaveLength(1);
    away(5 * hour);
    const back = clock.now().getTime();
    await judging.judge([well, lost, gone]);
    await judging.sweep();
    expect([await online(well), await online(lost), await online(gone)].map((state) => state?.online)).toEqual([
      true,
      false,
      true,
    ]);
    expect(await told(lost)).toHaveLength(1);
    await pass(16 * minute, well);
    expect(await told(well)).toEqual([]);
    expect(await of(gone)).toMatchObject([{ reason: 'serverAway', endedAt: null }]);
    const gaps = (
      await call<ReplyOf<typeof getConnectionFigures>>(
        `/api/v1/connections/figures?from=${new Date(back - 6 * hour).toISOString()}&to=${clock.now().toISOString()}`,
      )
    ).body.gaps;
    expect(gaps).toEqual([{ from: new Date(back - 5 * hour).toISOString(), to: new Date(back).toISOString() }]);
  });

  it('nobody is when the clock is set, forward or back', async () => {
    const well = await device('wifi');
    await hear(well);
    away(200 * day);
    await judging.sweep();
    await pass(10 * minute);
    expect(await online(well)).toMatchObject({ online: true });
    await hear(well);
    await judging.sweep();
    const unjudged = await device('wifi', { created_at: clock.now() });
    away(-200 * day);
    await judging.sweep();
    expect(await online(well)).toMatchObject({ online: true });
    expect(await online(unjudged), 'never judged: found by the comparison of everything').toMatchObject({
      state: 'unknown',
    });
    await pass(17 * minute);
    expect(await told(well)).toEqual([['offline', 'silent', null, 1]]);
  });

  it('nobody is while the broker is away', async () => {
    let there = true;
    const deaf = createJudging({
      db,
      clock,
      thresholds: defaultThresholds,
      periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
      listening: () => there,
      announce: () => undefined,
      onError: (thrown) => {
        throw thrown;
      },
    });
    const well = await device('wifi');
    await hear(well);
    there = false;
    for (let minutes = 0; minutes < 40; minutes += 1) {
      away(minute);
      await deaf.sweep();
    }
    there = true;
    await deaf.sweep();
    expect(await online(well)).toMatchObject({ online: true });
    expect(await told(well)).toEqual([]);
  });

  it('one whose judging failed when it spoke again is judged with the next sweep', async () => {
    const errors: unknown[] = [];
    const own = createJudging({
      db,
      clock,
      thresholds: defaultThresholds,
      periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
      announce: () => undefined,
      onError: (thrown) => errors.push(thrown),
    });
    const lost = await device('wifi', { created_at: clock.now() });
    await judging.judge([lost]);
    await pass(17 * minute);
    expect(await online(lost)).toMatchObject({ online: false });
    const stop = own.start();
    await heard(lost);
    own.touch([lost]);
    await sql`ALTER TABLE connection_log RENAME TO connection_log_away`.execute(db);
    await clock.advance(500);
    await expect.poll(() => errors).toHaveLength(1);
    await sql`ALTER TABLE connection_log_away RENAME TO connection_log`.execute(db);
    stop();
    await own.sweep();
    expect(await online(lost)).toMatchObject({ online: true });
  });
});

describe('planned power', () => {
  it('a lamp whose loop is off by plan is no fault; one that stays away when the power is back is, from then on', async () => {
    clock.set(new Date('2026-12-01T22:00:00Z'));
    await judging.sweep();
    const box = await device('control-box');
    const { id: loop } = await db
      .insertInto('loop')
      .values({
        control_box_id: box,
        work_area_id: areas.north,
        loop_code: 'L1',
        loop_name: '一路',
        lighting: 'all_night',
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    const [fed, own] = [
      await device('single-lamp-controller', { loop_id: loop, rated_watts: 100 }),
      await device('single-lamp-controller', { rated_watts: 100 }),
    ];
    await hear(fed, own);
    // Six in the morning; the sun rises at 6:40, the lamps say nothing any more.
    await pass(4 * hour);
    expect(await online(fed)).toEqual({ online: false, state: 'off', unpowered: true });
    expect(await told(fed)).toEqual([['unpowered', 'plan', null, 1]]);
    expect(await online(own)).toMatchObject({ online: false, state: 'offline' });
    const from = new Date(clock.now().getTime() - hour).toISOString();
    const share = async () =>
      (
        await call<ReplyOf<typeof getDeviceAvailability>>(
          `/api/v1/devices/${fed}/availability?from=${from}&to=${clock.now().toISOString()}`,
        )
      ).body;
    expect((await share()).span).toMatchObject({ due: 0, unpowered: 3600 });
    // The sun sets at 17:00; 45 minutes later it should have been heard of.
    clock.set(new Date('2026-12-02T08:00:00Z'));
    await db.updateTable('connection_watch').set({ seen_at: clock.now() }).execute();
    await pass(100 * minute);
    expect(await online(fed)).toEqual({ online: false, state: 'off', unpowered: true });
    await pass(10 * minute);
    expect(await online(fed)).toMatchObject({ state: 'offline', unpowered: false });
    const [offline, dark] = await of(fed);
    expect([offline?.reason, offline?.beganAt, dark?.kind]).toEqual(['silent', dark?.endedAt, 'unpowered']);
    await hear(fed);
    expect(await online(fed)).toMatchObject({ online: true });
    expect(
      (
        await call<ReplyOf<typeof getConnectionFigures>>(
          `/api/v1/connections/figures?from=${from}&to=${clock.now().toISOString()}&family=single-lamp-controller`,
        )
      ).body.now,
    ).toMatchObject({ unpowered: 0 });
  });
});
