import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { lampPlanBounds, type getLampPlan } from '../../../../contract/light/lamp-plan.ts';
import type { whyLamp } from '../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { exceptionsRoutes } from '../exceptions/index.ts';
import { noon, publishingOffice, wall } from '../publications/testing/office.ts';
import { whyRoutes } from './index.ts';

const office = await publishingOffice((parts) => [...exceptionsRoutes(parts), ...whyRoutes(parts)]);
const { app, db, call, clock, publish, say, publisher } = office;
beforeEach(() => clock.set(new Date(noon)));
const duty = await app.signIn({
  username: 'duty',
  permissions: ['lamp.monitor', 'plan.exception', 'plan.query'],
  workAreas: [1],
});

type Plan = ReplyOf<typeof getLampPlan>;
const ask = (id: number, query = '', token = duty.token) =>
  call<Plan & { readonly code: number; readonly params: unknown[] }>(`/api/v1/lamps/${id}/plan${query}`, { token });
const planOf = async (id: number, day?: string): Promise<Plan> => {
  const { status, body } = await ask(id, day === undefined ? '' : `?day=${day}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const levels = (stretches: Plan['lit']) => stretches.map(({ level, decides }) => [level, decides?.layer]);
const givenLamp = async (): Promise<number> => (await office.lamps(1))[0] ?? 0;
async function publishedLamp(): Promise<{ id: number; publicationId: number }> {
  const id = await givenLamp();
  const { status, body } = await publish([id]);
  expect(status, JSON.stringify(body)).toBe(201);
  await office.turn();
  return { id, publicationId: body.id };
}
const except = (id: number, more: object) =>
  call<{ id: number }>('/api/v1/plan-exceptions', {
    token: duty.token,
    body: { scope: { deviceIds: [id] }, reason: '跨年活动照明', ...more },
  });

describe('the night of a lamp by its plan', () => {
  it('of tonight: scheme and version, stretches with level and reason, hash, and how far its publication came', async () => {
    const { id, publicationId } = await publishedLamp();
    const plan = await planOf(id);
    expect(plan).toMatchObject({
      ...{ id, day: '2026-11-23', current: '2026-11-23', timeZone: 'Asia/Shanghai' },
      ...{ from: '2026-11-23T04:00:00.000Z', to: '2026-11-24T04:00:00.000Z', layers: ['scheme'] },
      scheme: { id: office.schemeId, number: 1, versionHash: 'aaaaaaaaaaaa', own: false },
      ...{ template: null, programme: { key: 1, name: '平日' }, followedFrom: '2026-11-23', by: 'publisher' },
      ...{ dark: [], warnings: [], exceptionsLeftOut: [] },
      publication: { id: publicationId, state: 'told', toldAt: new Date(noon).toISOString(), provenAt: null },
    });
    expect(levels(plan.lit)).toEqual([
      [100, 'scheme'],
      [60, 'scheme'],
    ]);
    expect(plan.lit.map(({ period, pattern }) => [period, pattern])).toEqual([
      [0, 'all'],
      [1, 'all'],
    ]);
    expect(plan.lit[1]).toMatchObject({
      from: new Date(wall('2026-11-23T23:00:00')).toISOString(),
      decides: { by: 'publisher', ref: { type: 'scheme', id: office.schemeId, version: 1 } },
    });
    expect([plan.on, plan.off]).toEqual([plan.lit[0]?.from, plan.lit[1]?.to]);
    // The plan on the wire and the version have hashes of their own.
    expect(plan.planHash).toMatch(/^[0-9a-f]{12}$/);
    expect(plan.planHash).toBe(plan.publication?.planHash);
    expect(plan.planHash).not.toBe(plan.scheme?.versionHash);
    await say(id, plan.planHash);
    await office.turn();
    expect(await planOf(id)).toMatchObject({
      device: { planHash: plan.planHash, sent: 'plan', cannot: [], periodsBeyond: 0 },
    });
  });

  it('agrees with "why" at every beginning of its stretches', async () => {
    const { id } = await publishedLamp();
    await except(id, { fromDay: '2026-11-23', toDay: '2026-11-23', op: 'max', level: 80 });
    const { lit } = await planOf(id);
    expect(levels(lit)).toEqual([
      [100, 'scheme'],
      [80, 'exception'],
    ]);
    for (const { from, level, decides } of lit) {
      clock.set(new Date(from));
      const { body } = await call<ReplyOf<typeof whyLamp>>(`/api/v1/lamps/${id}/why`, { token: duty.token });
      expect(body.expected).toEqual({ level, layer: decides?.layer });
      expect(body.layers.find((layer) => layer.decides)).toEqual(decides);
    }
  });

  it('of another day: the programme of its calendar, and an exception that takes all light', async () => {
    const { id } = await publishedLamp();
    const saturday = await planOf(id, '2026-11-28');
    expect(saturday).toMatchObject({
      ...{ day: '2026-11-28', current: '2026-11-23', programme: { key: 2, name: '周末' }, publication: null },
    });
    expect(levels(saturday.lit)).toEqual([
      [100, 'scheme'],
      [80, 'scheme'],
    ]);
    const made = await except(id, { fromDay: '2026-11-28', toDay: '2026-11-28', op: 'set', level: 0, confirmCount: 1 });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const dark = await planOf(id, '2026-11-28');
    expect(dark).toMatchObject({ on: null, off: null, lit: [] });
    expect(dark.layers).toContain('exception');
    expect(dark.dark).toMatchObject([
      {
        level: 0,
        decides: { layer: 'exception', ref: { type: 'exception', id: made.body.id }, reason: '跨年活动照明' },
      },
    ]);
    // The day before is as it was.
    expect(levels((await planOf(id, '2026-11-27')).lit)).toEqual(levels((await planOf(id)).lit));
    // Before it was given, its area's sun.
    expect(await planOf(id, '2026-11-20')).toMatchObject({ scheme: null, layers: ['default'], followedFrom: null });
  });

  it('in a zone of its own, over a change of the clocks', async () => {
    const { id } = await publishedLamp();
    await sql`UPDATE work_area SET time_zone = 'America/New_York', latitude = 40.7, longitude = -74
      WHERE id = 1`.execute(db);
    app.bus.publish('settings.changed', { workAreaId: null });
    try {
      await sql`UPDATE device SET latitude = 40.7, longitude = -74 WHERE id = ${id}`.execute(db);
      await sql`UPDATE plan_assignment SET latitude = 40.7, longitude = -74 WHERE device_id = ${id}`.execute(db);
      const plan = await planOf(id, '2027-03-13');
      // Clocks go on by an hour in that night: noon to noon is 23 hours.
      expect([plan.timeZone, plan.from, plan.to]).toEqual([
        'America/New_York',
        '2027-03-13T17:00:00.000Z',
        '2027-03-14T16:00:00.000Z',
      ]);
    } finally {
      await sql`UPDATE work_area SET time_zone = 'Asia/Shanghai', latitude = 30.2, longitude = 120.2
        WHERE id = 1`.execute(db);
      app.bus.publish('settings.changed', { workAreaId: null });
    }
  });

  it('what the device cannot hold of it: periods beyond those that it knows, and the table instead', async () => {
    const { id } = await publishedLamp();
    await sql`INSERT INTO plan_report (device_id, capabilities, reported_at)
      VALUES (${id}, '{"plan":{"periods":1,"calendar":false,"light":false,"cycle":true}}', now())`.execute(db);
    const plan = await planOf(id);
    expect(plan.planHash).toBeNull();
    expect(plan.device).toMatchObject({
      abilities: { periods: 1, calendar: false, light: false, cycle: true },
      needs: { periods: 2, calendar: true, cycle: false, dimming: true },
      ...{ cannot: ['periods', 'calendar'], periodsBeyond: 1, sent: 'table' },
    });
  });

  it('names periods and warnings of the programme in a night with an exception', async () => {
    const scheme = exampleScheme();
    const periods = [
      { start: 'on' as const, level: 100, pattern: 'all' as const, rampSeconds: 0 },
      { start: { at: '23:00', offsetMinutes: 0 }, level: 60, pattern: 'all' as const, rampSeconds: 0 },
      { start: { at: 'sunrise' as const, offsetMinutes: 90 }, level: 30, pattern: 'all' as const, rampSeconds: 0 },
    ];
    const schemeId = await office.version('scheme', {
      ...scheme,
      programmes: scheme.programmes.map((one) => ({ ...one, programme: { ...one.programme, periods } })),
    });
    const id = await givenLamp();
    const published = await publish([id], {
      schemeId,
      acceptedFindings: ['darker', 'unknownHolidays', 'periodNeverReached'],
    });
    expect(published.status, JSON.stringify(published.body)).toBe(201);
    await office.turn();
    const warnings = [{ code: 'periodUnused', period: 2 }];
    expect(await planOf(id)).toMatchObject({ warnings });
    const made = await except(id, {
      from: new Date(wall('2026-11-23T23:30')).toISOString(),
      to: new Date(wall('2026-11-24T00:30')).toISOString(),
      ...{ op: 'max', level: 80 },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const plan = await planOf(id);
    expect(plan.lit.map(({ level, decides, period, pattern }) => [level, decides?.layer, period, pattern])).toEqual([
      [100, 'scheme', 0, 'all'],
      [60, 'scheme', 1, 'all'],
      [80, 'exception', null, null],
      [60, 'scheme', 1, 'all'],
    ]);
    expect(plan.warnings).toEqual(warnings);
  });

  it('names people, number and reason of commands to those who see the states of lamps', async () => {
    const { id } = await publishedLamp();
    const given = async (lane: number, by: string, from: number, to: string) => {
      const until = new Date(wall(to));
      const { rows } = await sql<{ id: number }>`INSERT INTO command (command, args, lane, actor_name, reason,
          created_at, until, approval)
        VALUES (${lane === 0 ? 'on' : 'off'}, '{}', ${lane}, ${by}, '接到投诉', ${new Date(from)}, ${until},
          '{"by":"王主任","approved":true}') RETURNING id`.execute(db);
      const commandId = rows[0]?.id ?? 0;
      await sql`INSERT INTO command_item (command_id, device_id, state, lane, until, expires_at, acknowledged_at,
          executed_at)
        VALUES (${commandId}, ${id}, 'confirmed', ${lane}, ${until}, ${until}, ${new Date(from)}, ${new Date(from)})`.execute(
        db,
      );
      return commandId;
    };
    const off = await given(1, '李值班', noon, '2026-11-23T20:00');
    const emergency = await given(0, '赵值班', wall('2026-11-23T23:30'), '2026-11-24T00:30');
    const decided = ({ lit, dark }: Plan) =>
      [...dark, ...lit].flatMap(({ decides }) =>
        decides && decides.layer !== 'scheme'
          ? [[decides.layer, decides.ref?.id, decides.by, decides.approvedBy, decides.reason]]
          : [],
      );
    expect(decided(await planOf(id))).toEqual([
      ['manual', off, '李值班', '王主任', '接到投诉'],
      ['emergency', emergency, '赵值班', '王主任', '接到投诉'],
    ]);
    const reader = await app.signIn({ username: 'reader', permissions: ['plan.query'], workAreas: [1] });
    for (const { token } of [reader, publisher]) {
      const { status, body } = await ask(id, '', token);
      expect(status).toBe(200);
      expect(decided(body)).toEqual([
        ['manual', undefined, null, null, null],
        ['emergency', undefined, null, null, null],
      ]);
      expect(body.lit.at(-1)?.decides).toMatchObject({
        layer: 'scheme',
        by: 'publisher',
        ref: { id: office.schemeId },
      });
    }
  });

  it('names the pattern that leaves the lamp dark', async () => {
    const scheme = exampleScheme();
    const periods = [
      { start: 'on' as const, level: 100, pattern: 'all' as const, rampSeconds: 0 },
      { start: { at: '23:00', offsetMinutes: 0 }, level: 100, pattern: 'alternateOne' as const, rampSeconds: 0 },
    ];
    const schemeId = await office.version('scheme', {
      ...scheme,
      rotation: 'fixed',
      programmes: scheme.programmes.map((one) => ({ ...one, programme: { ...one.programme, periods } })),
    });
    const lamp = await givenLamp();
    const pole = await givenLamp();
    await sql`WITH r AS (INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
        VALUES (990, 1, 'R990', '路', 'lane') RETURNING id),
      p AS (UPDATE device SET family = 'lamp-pole', road_id = (SELECT id FROM r) WHERE id = ${pole})
      UPDATE device SET road_id = (SELECT id FROM r), pole_id = ${pole} WHERE id = ${lamp}`.execute(db);
    await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
      VALUES (${pole}, 990, 'none', 1, 4, 'hand')`.execute(db);
    const made = await publish([lamp], { schemeId });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await office.turn();
    const plan = await planOf(lamp);
    expect(levels(plan.lit)).toEqual([[100, 'scheme']]);
    const byPattern = { level: 0, darkByPattern: true, pattern: 'alternateOne', period: 1 };
    expect(plan.dark).toMatchObject([byPattern]);
    // With light in between the pattern is the reason before and after it.
    await except(lamp, {
      from: new Date(wall('2026-11-24T01:00')).toISOString(),
      to: new Date(wall('2026-11-24T02:00')).toISOString(),
      ...{ op: 'max', level: 100 },
    });
    const lightened = await planOf(lamp);
    expect(levels(lightened.lit)).toEqual([
      [100, 'scheme'],
      [100, 'exception'],
    ]);
    expect(lightened.dark).toMatchObject([byPattern, byPattern]);
    // Of a night that an exception leaves dark it is not.
    const off = { fromDay: '2026-11-25', toDay: '2026-11-25', op: 'set', level: 0 };
    expect((await except(lamp, { ...off, confirmCount: 1 })).status).toBe(201);
    expect((await planOf(lamp, '2026-11-25')).dark).toMatchObject([
      { level: 0, decides: { layer: 'exception' }, darkByPattern: false, pattern: null, period: null },
    ]);
  });

  it('refuses days that are none or too far, unknown lamps and lamps of others, and reads without a plan', async () => {
    const id = await givenLamp();
    expect(await planOf(id)).toMatchObject({
      ...{ scheme: null, template: null, planHash: null, layers: ['default'], publication: null },
      device: { abilities: null, needs: null, cannot: [], sent: null },
    });
    const rules = async (day: string) => {
      const { status, body } = await ask(id, `?day=${day}`);
      expect(status).toBe(400);
      return body.params;
    };
    expect(await rules('2026-02-30')).toMatchObject([{ field: 'day', rule: 'format' }]);
    expect(await rules('tonight')).toMatchObject([{ field: 'day' }]);
    expect(await rules('2020-01-01')).toMatchObject([{ field: 'day', rule: 'minimum' }]);
    expect(await rules('2031-01-01')).toMatchObject([{ field: 'day', rule: 'maximum' }]);
    const last = new Date(noon + lampPlanBounds.daysAhead * 86_400_000).toISOString().slice(0, 10);
    expect((await planOf(id, last)).day).toBe(last);
    expect((await ask(999_999_999)).status).toBe(404);
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '萧山')`.execute(db);
    const stranger = await app.signIn({ username: 'stranger', permissions: ['lamp.monitor'], workAreas: [2] });
    expect((await ask(id, '', stranger.token)).status).toBe(403);
    const nobody = await app.signIn({ username: 'nobody', permissions: ['device.query'], workAreas: [1] });
    expect((await ask(id, '', nobody.token)).status).toBe(403);
    expect((await ask(id, '', publisher.token)).status).toBe(200);
  });
});
