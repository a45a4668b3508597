import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { usualSchedule, type Schedule } from '../../../../catalogue/lighting/plan/schedule.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { getLampSchedule, previewLampPlaces, previewSchedule } from '../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { minuteMs, noon, publishingOffice, wall, type Answer } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { whyRoutes } from '../why/index.ts';
import { schedulesRoutes } from './index.ts';

const office = await publishingOffice((parts) => [...schedulesRoutes(parts), ...whyRoutes(parts)]);
const { app, db, call, clock, publisher } = office;
beforeEach(() => clock.set(new Date(noon)));

interface Refused {
  readonly code: number;
  readonly params: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
}
const accepted = ['darker', 'floorException'];
const ask = <T = Answer>(scope: object, change: object = {}, more: object = {}, path = '') =>
  call<T>(`/api/v1/schedules${path}`, {
    token: publisher.token,
    body: {
      scope,
      schedule: { ...usualSchedule, ...change },
      ...(path === '' ? { acceptedFindings: accepted, reason: '居民要求' } : {}),
      ...more,
    },
  });
const set = async (deviceIds: readonly number[], change: object = {}, more: object = {}) => {
  const { status, body } = await ask({ deviceIds }, change, more);
  expect(status, JSON.stringify(body)).toBe(201);
  await office.turn();
  return body.id;
};
const viewOf = async (id: number) =>
  (await call<ReplyOf<typeof getLampSchedule>>(`/api/v1/lamps/${id}/schedule`, { token: publisher.token })).body;
const levelOf = async (lamp: number, at = '2026-11-23T23:30') => {
  const plan = (await office.plans.of(db, [lamp], clock.now().getTime())).get(lamp);
  return plan && levelAt(plan, wall(at));
};
const range = (start: string, level: number, alternate = false) => ({ start, level, alternate });
const dim = (level: number): Partial<Schedule> => ({ ranges: [range('on', 100), range('23:00', level)] });
const problemsOf = async (change: object, scope: object = { deviceIds: [1] }) => {
  const { status, body } = await ask<Refused>(scope, change, {}, '/preview');
  return status === 400 ? body.params.map(({ field, rule }) => `${field} ${rule}`).toSorted() : [];
};

describe('every limit, just inside and just outside', () => {
  const { offsetMinutes, lightDelayMinutes, lux, sensitivity, level } = planLimits;
  const numbers = [
    ['sunsetDelayMinutes', offsetMinutes],
    ['sunriseDelayMinutes', offsetMinutes],
    ['onDelayMinutes', lightDelayMinutes],
    ['offDelayMinutes', lightDelayMinutes],
    ['lux', lux],
    ['sensitivity', sensitivity],
  ] as const;
  it.each(numbers)('%s', async (field, { min, max }) => {
    const [lamp] = await office.lamps(1);
    for (const value of [min, max]) expect(await problemsOf({ [field]: value }, { deviceIds: [lamp] })).toEqual([]);
    for (const value of [min - 1, max + 1])
      expect(await problemsOf({ [field]: value })).toEqual([`schedule.${field} range`]);
    expect(await problemsOf({ [field]: min + 0.5 })).toEqual([`schedule.${field} whole`]);
    expect(await problemsOf({ [field]: null })).toEqual([`schedule.${field} complete`]);
  });
  it('the numbers of the labels', () => {
    expect(
      [sensitivity, lightDelayMinutes, lux, planLimits.periods].map(({ min, max, source }) => [min, max, source]),
    ).toEqual([
      [0, 255, 'specified'],
      [0, 30, 'specified'],
      [1, 40, 'specified'],
      [1, 6, 'specified'],
    ]);
    expect(level).toMatchObject({ min: 0, max: 100 });
  });
  it('levels and time ranges', async () => {
    const [lamp] = await office.lamps(1);
    const inside = { deviceIds: [lamp] };
    for (const value of [0, 100]) expect(await problemsOf(dim(value), inside)).toEqual([]);
    for (const value of [-1, 101]) expect(await problemsOf(dim(value))).toEqual(['schedule.ranges.1.level range']);
    const many = (count: number) => [
      range('on', 100),
      ...Array.from({ length: count - 1 }, (_none, index) => range(`2${index % 4}:0${index}`, 90 - index)),
    ];
    expect(await problemsOf({ ranges: many(6) }, inside)).toEqual([]);
    expect(await problemsOf({ ranges: many(7) })).toEqual(['schedule.ranges entries']);
    expect(await problemsOf({ ranges: [] })).toEqual(['schedule.ranges complete']);
    expect(await problemsOf({ control: 'light', ranges: many(2) })).toEqual(['schedule.ranges entries']);
  });
});

describe('texts, word for word', () => {
  const saidOf = async (body: Promise<{ readonly status: number; readonly body: Refused }>) => {
    const { status, body: refused } = await body;
    expect(status).toBe(400);
    return Object.fromEntries(refused.params.map(({ field, message }) => [field, message]));
  };
  it('empty times, incomplete information and no record, all at once', async () => {
    const wrong = { workMode: 'manual', sensitivity: null, ranges: [range('on', 100), range('', 50)] };
    expect(await saidOf(ask<Refused>({ deviceIds: [] }, wrong))).toMatchObject({
      scope: '批量操作请至少选择一条记录',
      'schedule.startTime': '时间不能为空',
      'schedule.endTime': '时间不能为空',
      'schedule.sensitivity': '请检查信息是否完整',
    });
    const { ranges } = wrong;
    expect(await saidOf(ask<Refused>({ deviceIds: [1] }, { ranges }))).toEqual({
      'schedule.ranges.1.start': '时间不能为空',
    });
  });
  it('wrong coordinates', async () => {
    const editor = await app.signIn({ username: 'wrong-place', permissions: ['device.edit'], workAreas: [1] });
    const body = { scope: { deviceIds: [1] }, source: 'given', latitude: 90.01, longitude: 180.01 };
    expect(await saidOf(call<Refused>('/api/v1/lamp-places', { method: 'PUT', token: editor.token, body }))).toEqual({
      latitude: '请输入正确的经纬度',
      longitude: '请输入正确的经纬度',
    });
  });
  it('what contradicts itself', async () => {
    expect(await problemsOf({ workMode: 'manual', startTime: '06:00', endTime: '18:00' })).toEqual([
      'schedule.endTime contradicts',
    ]);
    expect(await problemsOf({ ranges: [range('on', 1), range('23:00', 2), range('23:00', 3)] })).toEqual([
      'schedule.ranges.2.start twice',
    ]);
    expect(await problemsOf({ workMode: 'alternateOne' })).toEqual(['schedule.ranges patternMissing']);
    expect(await problemsOf({ ranges: [range('on', 100, true)] })).toEqual(['schedule.ranges.0.alternate option']);
    expect(await problemsOf({ workMode: 'fast', more: 1 })).toEqual([
      'schedule.more unknown',
      'schedule.workMode option',
    ]);
  });
});

describe('settings of lamps', () => {
  it('are run by the table where a lamp says that it cannot follow them, and then no plan is missing', async () => {
    const [lamp = 0] = await office.lamps(1);
    const capabilities = { plan: { periods: 1, calendar: false, light: false, cycle: false } };
    await sql`INSERT INTO plan_report (device_id, plan_hash, capabilities, reported_at)
      VALUES (${lamp}, NULL, ${JSON.stringify(capabilities)}::jsonb, ${clock.now()})`.execute(db);
    await set([lamp], dim(70), { acceptedFindings: [...accepted, 'byTable'] });
    expect(await viewOf(lamp)).toMatchObject({
      told: { planHash: null },
      device: { planHash: null, knowsPlans: true },
      equal: true,
    });
  });
  it('stand in no list of schemes, and are the name of what the lamp follows', async () => {
    const [lamp = 0] = await office.lamps(1);
    const id = await set([lamp], dim(70));
    const { scheme } = await office.get(id);
    expect(scheme).toMatchObject({ name: '2026-11-23 publisher', number: 1, schedule: true });
    const reader = await app.signIn({
      username: 'reader',
      permissions: ['plan.query', 'lamp.monitor'],
      workAreas: [1],
    });
    const { rows } = await sql<{ id: number }>`SELECT id FROM scheme WHERE schedule`.execute(db);
    const { body } = await call<{ data: { id: number }[] }>('/api/v1/schemes?size=200', { token: reader.token });
    const listed = new Set(body.data.map((one) => one.id));
    expect(rows.filter((one) => listed.has(one.id))).toEqual([]);
    expect((await call(`/api/v1/schemes/${rows[0]?.id}`, { token: reader.token })).status).toBe(404);
    expect((await office.publish(await office.lamps(1), { schemeId: rows[0]?.id })).status).toBe(404);
    const why = await call<{ sentence: string; layers: { decides: boolean; ref: object | null; by: string }[] }>(
      `/api/v1/lamps/${lamp}/why`,
      { token: reader.token },
    );
    expect(why.body.layers.find(({ decides }) => decides)).toMatchObject({
      ref: { type: 'schedule', label: '2026-11-23 publisher', version: null },
      by: 'publisher',
    });
    expect(why.body.sentence).toContain('单独的时间表设置（2026-11-23 publisher）');
  });

  it('are replaced by a scheme that is published later, and end with a return', async () => {
    const [lamp = 0] = await office.lamps(1);
    const before = await office.publish([lamp]);
    await office.turn();
    expect(before.status).toBe(201);
    await office.act(before.body.id, 'halt', { reason: 'x' });
    await office.act(before.body.id, 'resume');
    await db.transaction().execute((tx) => sql`UPDATE publication_item SET open = false`.execute(tx));
    const id = await set([lamp], dim(80));
    expect([await levelOf(lamp), (await viewOf(lamp)).scheme]).toEqual([80, expect.objectContaining({ number: 1 })]);
    expect((await office.act(id, 'revert', { reason: '回到方案' })).status).toBe(200);
    await office.turn();
    const { own, schedule, exact } = await viewOf(lamp);
    expect([await levelOf(lamp), own, schedule.ranges.map(({ level }) => level), exact]).toEqual([
      60,
      null,
      [100, 60],
      true,
    ]);
  });

  it('reach the lamps of a group, and those that are away are told when they come back', async () => {
    const lamps = await office.lamps(3);
    await sql`INSERT INTO equipment_group (id, work_area_id, group_name, group_code) VALUES (7, 1, '一组', 'G7')`.execute(
      db,
    );
    await sql`UPDATE device SET group_id = 7 WHERE id = ANY(${lamps}::bigint[])`.execute(db);
    const { status, body } = await ask({ groupIds: [7] }, dim(75));
    expect([status, body.total], JSON.stringify(body)).toEqual([201, 3]);
    await office.turn();
    for (const lamp of lamps) expect([await levelOf(lamp), (await viewOf(lamp)).own?.lamps]).toEqual([75, 3]);
    // Nobody was heard: after its first planned step each is away, and still gets its settings by its retained message.
    clock.set(new Date(wall('2026-11-24T01:00')));
    for (let turns = 0; turns < 3; turns += 1) await office.turn();
    expect(await office.get(body.id)).toMatchObject({ phase: 'done', states: { away: 3 } });
  });

  it('are made once for one request', async () => {
    const [lamp = 0] = await office.lamps(1);
    const requestId = crypto.randomUUID();
    const id = await set([lamp], dim(70), { requestId });
    expect((await ask({ deviceIds: [lamp] }, dim(70), { requestId })).body.id).toBe(id);
    expect((await ask({ deviceIds: [lamp] }, dim(71), { requestId })).status).toBe(409);
  });

  it('below the floor of a road need a reason, and many that are darker a second person', async () => {
    const lamps = await office.lamps(2);
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
      VALUES (9, 1, 'R9', '主干道', 'arterial')`.execute(db);
    await sql`UPDATE device SET road_id = 9 WHERE id = ANY(${lamps}::bigint[])`.execute(db);
    const scope = { deviceIds: lamps };
    const refused = await ask(scope, dim(30));
    expect([refused.status, refused.body.findings.map(({ code }) => code)]).toEqual([
      400,
      expect.arrayContaining(['belowFloor']),
    ]);
    const preview = await ask<ReplyOf<typeof previewSchedule>>(
      scope,
      dim(30),
      { floorReason: '深夜无人通行' },
      '/preview',
    );
    expect(preview.body).toMatchObject({ lamps: 2, changed: 2, darkens: 2, findings: expect.any(Array) });
    const alone = await ask(scope, dim(30), { floorReason: '深夜无人通行' });
    expect([alone.status, alone.body.count]).toEqual([400, 2]);
    // A preview leaves nothing behind.
    expect(
      (
        await sql`SELECT FROM scheme s JOIN scheme_version v ON v.scheme_id = s.id
      WHERE v.content #>> '{programmes,0,programme,periods,1,level}' = '30'`.execute(db)
      ).rows,
    ).toEqual([]);
  });

  it('above the floor beside neighbours that are dark are agreed to by their reason, and excepted from no more', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'lane');
    await set([first, last], dim(30));
    await sql`UPDATE road SET road_class = 'arterial' WHERE id = (SELECT road_id FROM device
      WHERE id = ${middle})`.execute(db);
    const scope = { deviceIds: [middle] };
    // 30, 60 and 30.
    const refused = await ask(scope, dim(60));
    expect([refused.status, refused.body.findings.map(({ code }) => code)]).toEqual([
      400,
      expect.arrayContaining(['belowFloor']),
    ]);
    const because = { floorReason: '深夜无人通行' };
    const alone = await ask(scope, dim(60), because);
    expect([alone.status, alone.body.count]).toEqual([400, 1]);
    const made = await ask(scope, dim(60), { ...because, confirmCount: 1 });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const exceptions = async (id: number) =>
      (
        await sql<{ said: unknown }>`SELECT v.content->'floorExceptions' AS said FROM publication p
          JOIN scheme_version v ON v.id = p.scheme_version_id WHERE p.id = ${id}`.execute(db)
      ).rows[0]?.said;
    expect(await exceptions(made.body.id)).toEqual([{ roadClass: 'arterial', reason: because.floorReason }]);
    // A reason where none was needed excepts nothing that nobody agreed to.
    const bright = await ask({ deviceIds: await givenRow(db, 3, 'arterial') }, dim(60), because);
    expect([bright.status, await exceptions(bright.body.id)]).toEqual([201, []]);
  });

  it('are refused while another publication speaks to a lamp', async () => {
    const [lamp = 0] = await office.lamps(1);
    const first = await set([lamp], dim(70));
    const second = await ask({ deviceIds: [lamp] }, dim(90));
    expect([second.status, second.body.code, second.body.detail.includes(String(first))]).toEqual([409, 4303, true]);
  });
});

describe('latitude and longitude', async () => {
  const editor = await app.signIn({ username: 'editor', permissions: ['device.edit'], workAreas: [1] });
  const send = <T>(scope: object, more: object, path = '') =>
    call<T>(`/api/v1/lamp-places${path}`, {
      ...(path === '' ? { method: 'PUT' as const } : {}),
      token: editor.token,
      body: { scope, ...more },
    });
  const recordOf = async (id: number) =>
    (
      await sql<{
        latitude: number;
        longitude: number;
        version: number;
      }>`SELECT latitude, longitude, version FROM device
      WHERE id = ${id}`.execute(db)
    ).rows[0];

  it('are set, with what changes in the times of tonight shown before', async () => {
    const [lamp = 0, other = 0] = await office.lamps(2);
    await set([lamp]);
    const asked = { source: 'given', latitude: 30.25, longitude: 120.7 };
    const { body } = await send<ReplyOf<typeof previewLampPlaces>>({ deviceIds: [lamp, other] }, asked, '/preview');
    expect(body).toMatchObject({ lamps: 2, changed: 2, without: 0 });
    const [first, second] = body.moved;
    expect(first).toMatchObject({
      deviceId: lamp,
      before: { latitude: 30.25, longitude: 120.2 },
      after: { latitude: 30.25, longitude: 120.7 },
    });
    const minutesOf = ({ tonightBefore, tonightAfter }: NonNullable<typeof first>) =>
      (Date.parse(tonightAfter.on ?? '') - Date.parse(tonightBefore.on ?? '')) / minuteMs;
    expect(first && minutesOf(first)).toBeLessThan(-1);
    expect(first && minutesOf(first)).toBeGreaterThan(-3);
    // A lamp that was given no plan goes by the sun of its area.
    expect(second && minutesOf(second)).toBe(0);
    expect(await recordOf(lamp)).toMatchObject({ longitude: 120.2 });
    const version = (await recordOf(lamp))?.version ?? 0;
    expect((await send({ deviceIds: [lamp] }, asked)).body).toEqual({ lamps: 1, changed: 1, without: 0 });
    expect(await recordOf(lamp)).toEqual({ latitude: 30.25, longitude: 120.7, version: version + 1 });
    expect((await viewOf(lamp)).place).toMatchObject({ source: 'lamp', used: { latitude: 30.25, longitude: 120.7 } });
    const { rows } = await sql<{ fields: { field: string }[] }>`SELECT fields FROM device_change
      WHERE device_id = ${lamp}`.execute(db);
    expect(rows.flatMap(({ fields }) => fields.map(({ field }) => field))).toEqual(['longitude']);
  });

  it('are refused for all lamps when they are far from one: its night would move', async () => {
    const [lamp = 0, other = 0] = await office.lamps(2);
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code, longitude, latitude)
      VALUES ('lamp-pole', 1, 'POLE-8', 121, 31) RETURNING id`.execute(db);
    await sql`UPDATE device SET pole_id = ${rows[0]?.id} WHERE id = ${other}`.execute(db);
    const refused = async (deviceIds: readonly number[], latitude: number, longitude: number, path = '') => {
      const { status, body } = await send<Refused>({ deviceIds }, { source: 'given', latitude, longitude }, path);
      return status === 400 ? body.params.map(({ field, rule, message }) => [field, rule, message]) : [];
    };
    for (const path of ['/preview', ''])
      expect(await refused([lamp], 30.25, -60, path)).toEqual([
        ['latitude', 'coordinatesFar', expect.stringMatching(/[\d ,]+ 公里，不得超过 50 公里/)],
        ['longitude', 'coordinatesFar', expect.stringContaining('请输入正确的经纬度')],
      ]);
    // A degree of latitude is 111.2 km: just outside, just inside.
    expect(await refused([lamp], 30.25 + 0.451, 120.2)).toHaveLength(2);
    // One has a pole elsewhere.
    expect(await refused([lamp, other], 30.25, 120.3)).toHaveLength(2);
    expect(await recordOf(lamp)).toMatchObject({ latitude: 30.25, longitude: 120.2 });
    expect(await refused([lamp], 30.25 + 0.449, 120.2)).toEqual([]);
    expect(await refused([other], 31, 121.1)).toEqual([]);
    expect(await recordOf(other)).toMatchObject({ latitude: 31, longitude: 121.1 });
    // Nobody knows where the area is.
    await sql`UPDATE work_area SET latitude = NULL, longitude = NULL WHERE id = 1`.execute(db);
    expect(await refused([lamp], 45.8, 126.53)).toEqual([]);
    await sql`UPDATE work_area SET latitude = 30.25, longitude = 120.2 WHERE id = 1`.execute(db);
  });

  it('are taken over from the pole and from the area', async () => {
    const [lamp = 0, bare = 0] = await office.lamps(2);
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code, longitude, latitude)
      VALUES ('lamp-pole', 1, 'POLE-9', 120.5, 30.5) RETURNING id`.execute(db);
    await sql`UPDATE device SET pole_id = ${rows[0]?.id} WHERE id = ${lamp}`.execute(db);
    await set([lamp]);
    expect((await send({ deviceIds: [lamp, bare] }, { source: 'pole' })).body).toEqual({
      lamps: 2,
      changed: 1,
      without: 1,
    });
    expect(await recordOf(lamp)).toMatchObject({ latitude: null, longitude: null });
    expect((await viewOf(lamp)).place).toMatchObject({
      source: 'pole',
      away: null,
      used: { latitude: 30.5, longitude: 120.5 },
    });
    expect((await send({ deviceIds: [lamp] }, { source: 'area' })).body).toMatchObject({ changed: 1 });
    expect(await recordOf(lamp)).toMatchObject({ latitude: 30.25, longitude: 120.2 });
  });

  it('of a pole far away are taken over, and hold with the next publication: until then the time table says so', async () => {
    const [lamp = 0] = await office.lamps(1);
    await set([lamp]);
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code, longitude, latitude)
      VALUES ('lamp-pole', 1, 'POLE-10', 121, 31) RETURNING id`.execute(db);
    await sql`UPDATE device SET pole_id = ${rows[0]?.id} WHERE id = ${lamp}`.execute(db);
    expect((await send({ deviceIds: [lamp] }, { source: 'pole' })).body).toMatchObject({ changed: 1 });
    const here = { latitude: 30.25, longitude: 120.2 };
    expect((await viewOf(lamp)).place).toMatchObject({ source: 'published', away: 114, used: here });
    // The publication before is over.
    await sql`UPDATE publication_item SET open = false WHERE device_id = ${lamp}`.execute(db);
    await set([lamp]);
    expect((await viewOf(lamp)).place).toMatchObject({
      source: 'pole',
      away: null,
      used: { latitude: 31, longitude: 121 },
    });
  });
});
