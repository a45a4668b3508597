import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { exampleScheme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { whyLamp } from '../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createLampPlans, type LampPlans } from '../plans/index.ts';
import { whyRoutes } from './index.ts';

// 2026-11-24 00:30 in Hangzhou: since 23:00 lamps of the scheme burn at 60 %.
const start = Date.parse('2026-11-23T16:30:00Z');
const minute = 60_000;
const hour = 60 * minute;
const clock = testClock(new Date(start));
let plans!: LampPlans;
const app = await testApp({
  clock,
  routes: ({ db, bus }: { db: Db; bus: Bus }) => {
    plans = createLampPlans(bus);
    return Promise.resolve(whyRoutes({ db, clock, plans }));
  },
});
const { db, call } = app;
type Why = ReplyOf<typeof whyLamp>;
let token: string;
let schemes!: { readonly usual: number; readonly every: number; readonly short: number };
/** Of its version, and its own. */
let [templateId, tableTemplateId] = [0, 0];

const at = (hours: number) => new Date(start + hours * hour);
const idOf = async (query: Promise<{ rows: { id: number }[] }>) => (await query).rows[0]?.id ?? 0;

async function scheme(code: string, content: object): Promise<number> {
  const id = await idOf(
    sql<{ id: number }>`INSERT INTO scheme (code, name) VALUES (${code}, '主干道节能') RETURNING id`.execute(db),
  );
  return idOf(
    sql<{ id: number }>`INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
      VALUES (${id}, 3, ${JSON.stringify(content)}::jsonb, ${code.padEnd(16, 'a')}, 'x', now()) RETURNING id`.execute(
      db,
    ),
  );
}

beforeAll(async () => {
  await givenArea(db);
  ({ token } = await app.signIn({ username: 'duty', permissions: ['lamp.monitor'], workAreas: [1] }));
  await sql`UPDATE work_area SET latitude = 30.2, longitude = 120.2`.execute(db);
  await sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`.execute(db);
  // A scheme or template has no number that one of their versions has.
  await sql`SELECT setval(pg_get_serial_sequence('scheme', 'id'), 5000),
    setval(pg_get_serial_sequence('work_parameter_template', 'id'), 7000)`.execute(db);
  const usual = exampleScheme();
  const [first] = usual.programmes;
  if (!first) throw new Error('a scheme has programmes');
  const of = (periods: (typeof first.programme)['periods'], more = {}) => ({
    ...usual,
    programmes: usual.programmes.map((one) => ({ ...one, programme: { ...one.programme, ...more, periods } })),
  });
  const on = { start: 'on', level: 100, rampSeconds: 0 } as const;
  schemes = {
    usual: await scheme('JN-03', usual),
    every: await scheme('GD-01', of([{ ...on, pattern: 'alternateOne' }])),
    // Dark from 20:00 on, but for the last minutes of the night.
    short: await scheme(
      'DD-01',
      of(
        [
          { ...on, pattern: 'all' },
          { start: { at: '20:00', offsetMinutes: 0 }, level: 0, pattern: 'all', rampSeconds: 0 },
          { start: { at: 'sunrise', offsetMinutes: -30 }, level: 100, pattern: 'all', rampSeconds: 0 },
        ],
        { minimumMinutes: 60 },
      ),
    ),
  };
  const id = await idOf(
    sql<{
      id: number;
    }>`INSERT INTO work_parameter_template (code, name) VALUES ('MB-1', '模板') RETURNING id`.execute(db),
  );
  tableTemplateId = id;
  templateId = await idOf(
    sql<{
      id: number;
    }>`INSERT INTO template_version (template_id, number, content, content_hash, created_by, created_at)
      VALUES (${id}, 1, ${JSON.stringify({ ...exampleTemplate(), minLevel: 50 })}::jsonb, 'bbbbbbbbbbbbbbbb', 'x', now())
      RETURNING id`.execute(db),
  );
});

const schemeOf = (version: number) =>
  idOf(sql<{ id: number }>`SELECT scheme_id AS id FROM scheme_version WHERE id = ${version}`.execute(db));

async function lamp(schemeVersion: number | null = schemes.usual, template: number | null = null): Promise<number> {
  const id = await givenDevice(db);
  await sql`UPDATE device SET created_at = ${at(-240)} WHERE id = ${id}`.execute(db);
  if (schemeVersion !== null || template !== null)
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, template_version_id, from_day, assigned_by, at)
      VALUES (${id}, ${schemeVersion}, ${template}, '2026-11-01', '张工', now())`.execute(db);
  return id;
}
const read = (id: number, hours: number, level: number, more: object = {}) =>
  sql`INSERT INTO reading (at, device_id, received_at, values) VALUES (${at(hours)}, ${id}, ${at(hours)},
    ${JSON.stringify({ level, relay: level > 0, power: level, ...more })}::jsonb)`.execute(db);
async function commanded(
  id: number,
  given: { command: string; args?: object; lane?: number; from: number; until: number | null },
): Promise<number> {
  const { command, args = {}, lane = 1, from, until } = given;
  const end = until === null ? null : at(until);
  const commandId = await idOf(
    sql<{ id: number }>`INSERT INTO command (command, args, lane, actor_name, reason, created_at, until)
      VALUES (${command}, ${JSON.stringify(args)}::jsonb, ${lane}, '李值班', '接到投诉', ${at(from)}, ${end}) RETURNING id`.execute(
      db,
    ),
  );
  await sql`INSERT INTO command_item (command_id, device_id, state, lane, until, expires_at, acknowledged_at, executed_at)
    VALUES (${commandId}, ${id}, 'confirmed', ${lane}, ${end}, ${at(from + 1)}, ${at(from)}, ${at(from)})`.execute(db);
  return commandId;
}
const why = async (id: number, hours?: number, language?: string) => {
  const query = hours === undefined ? '' : `?at=${encodeURIComponent(at(hours).toISOString())}`;
  const reply = await call<Why>(`/api/v1/lamps/${id}/why${query}`, {
    token,
    ...(language ? { headers: { 'accept-language': language } } : {}),
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};
const codes = ({ suspicions }: Why) => suspicions.map(({ code }) => code);
const suspicion = (answer: Why, code: string) => answer.suspicions.find((one) => one.code === code);

describe('why a lamp is as it is', () => {
  it('names the scheme, its version, who gave it, since when and until when, and the next change', async () => {
    const id = await lamp();
    await read(id, -0.1, 60);
    const answer = await why(id);
    expect(answer).toMatchObject({
      expected: { level: 60, layer: 'scheme' },
      agrees: true,
      suspicions: [],
      observed: { level: 60, power: 60, relay: true, ageSeconds: 360 },
      next: { level: 0, layer: 'scheme' },
      missing: [],
      supply: { powered: null },
    });
    expect(answer.layers).toEqual([
      {
        layer: 'scheme',
        applies: true,
        decides: true,
        op: 'set',
        value: 60,
        level: 60,
        ref: { type: 'scheme', id: await schemeOf(schemes.usual), label: 'JN-03 主干道节能', version: 3 },
        by: '张工',
        approvedBy: null,
        since: '2026-11-23T15:00:00.000Z',
        until: answer.next?.at,
        reason: null,
      },
    ]);
    expect(answer.sentence).toMatch(
      /2026年11月24日 00:30：实际亮度为 60%；按节能方案“JN-03 主干道节能”第 3 版应为 60%，由 张工 设定/,
    );
  });

  it('names the template of a lamp without a scheme, and the setting of its own, by their own numbers', async () => {
    const { layers } = await why(await lamp(null, templateId));
    expect(layers).toMatchObject([
      { layer: 'default', ref: { type: 'template', id: tableTemplateId, label: 'MB-1', version: 1 }, by: '张工' },
    ]);
    const own = await scheme('OWN-1', exampleScheme());
    const id = await schemeOf(own);
    await sql`UPDATE scheme SET schedule = true WHERE id = ${id}`.execute(db);
    expect((await why(await lamp(own))).layers).toMatchObject([
      { layer: 'scheme', ref: { type: 'schedule', id, label: '主干道节能', version: null }, by: '张工' },
    ]);
  });

  it('says the same in six languages, each with its own words', async () => {
    const id = await lamp();
    await read(id, -0.1, 100);
    const sentences = await Promise.all(
      languages.map(async (language) => (await why(id, undefined, language)).sentence),
    );
    expect(new Set(sentences).size).toBe(6);
    for (const sentence of sentences) {
      expect(sentence).toContain('JN-03');
      expect(sentence).not.toMatch(/\{|sentence\.|layer\.|suspicion\./);
    }
    expect(sentences[2]).toContain('no cause was found');
  });

  it('says what the class of the road asks for where the plan dims the lamp, and nowhere else', async () => {
    const id = await lamp();
    await sql`WITH r AS (INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
        VALUES (90, 1, 'WHY-1', '滨江大道', 'arterial') RETURNING id)
      UPDATE device SET road_id = (SELECT id FROM r) WHERE id = ${id}`.execute(db);
    await read(id, -4, 100);
    await read(id, -0.1, 60);
    const said = '所在道路为主干路，平均亮度下限为 50%。';
    const dimmed = await why(id);
    expect(dimmed).toMatchObject({ lamp: expect.any(String), floor: { roadClass: 'arterial', level: 50 } });
    expect(dimmed.sentence).toContain(said);
    expect((await why(id, undefined, 'fr-FR')).sentence).toContain('(Artère principale) garde un niveau moyen');
    expect((await why(id, -3.9)).sentence).not.toContain(said);
    const lone = await lamp();
    expect(await why(lone)).toMatchObject({ floor: { roadClass: 'branch', level: 30 } });
    await sql`UPDATE device SET road_id = NULL WHERE id = ${lone}`.execute(db);
    expect(await why(lone)).toMatchObject({ floor: null });
  });

  it('answers for any instant that has been, by what held then', async () => {
    const id = await lamp();
    await read(id, -4, 100);
    await read(id, -0.1, 60);
    expect(await why(id, -3.9)).toMatchObject({ expected: { level: 100, layer: 'scheme' }, agrees: true });
    const long = await why(id, -24 * 20);
    // Before it was created too: the plan of the area holds for it.
    expect(long).toMatchObject({ observed: null, agrees: null, missing: ['readings'] });
    expect(await call(`/api/v1/lamps/${id}/why?at=${at(1).toISOString()}`, { token })).toMatchObject({
      status: 400,
      body: { params: [{ field: 'at', rule: 'maximum', message: `不能大于 ${at(0).toISOString()}` }] },
    });
  });

  it('expects what the plan of the lamp says, with exceptions, at every hour', async () => {
    const id = await lamp();
    const exception = await idOf(
      sql<{
        id: number;
      }>`INSERT INTO plan_exception (scope, from_at, to_at, op, level, reason, state, holds_from, total,
          actor_id, actor_name, created_at, announced)
        VALUES ('{}', ${at(-2)}, ${at(-0.5)}, 'max', 90, '夜间施工照明', 'ended', ${at(-3)}, 1, 1, '王工', ${at(-3)}, true)
        RETURNING id`.execute(db),
    );
    await sql`INSERT INTO plan_exception_item (exception_id, device_id) VALUES (${exception}, ${id})`.execute(db);
    for (let hours = -30; hours <= 0; hours += 1.25) {
      const plan = (await plans.of(db, [id], at(hours).getTime())).get(id);
      expect((await why(id, hours)).expected.level).toBe(plan && levelAt(plan, at(hours).getTime()));
    }
    const answer = await why(id, -1);
    expect(answer.expected).toEqual({ level: 90, layer: 'exception' });
    expect(answer.layers[0]).toMatchObject({
      by: '王工',
      reason: '夜间施工照明',
      ref: { type: 'exception', id: exception },
    });
    expect(answer.sentence).toContain('夜间施工照明');
  });

  it('knows no plan of a lamp of which nobody knows where it stands, and still its commands', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (88, 'N', '无坐标')`.execute(db);
    const id = await lamp(null);
    await sql`UPDATE device SET work_area_id = 88, latitude = NULL, longitude = NULL WHERE id = ${id}`.execute(db);
    const { token: chief } = await app.signIn({ username: 'chief', level: 0, permissions: ['lamp.monitor'] });
    const answer = (await call<Why>(`/api/v1/lamps/${id}/why`, { token: chief })).body;
    expect(answer).toMatchObject({ missing: ['readings', 'plan'], agrees: null, layers: [] });
    expect((await call(`/api/v1/lamps/${id}/why`, { token })).status).toBe(403);
  });
});

describe('what may account for it', () => {
  it('is a command that has not ended: who gave it, and until when', async () => {
    const id = await lamp();
    const commandId = await commanded(id, { command: 'off', from: -1, until: 2 });
    await read(id, -0.1, 0);
    const answer = await why(id);
    expect(answer).toMatchObject({ expected: { level: 0, layer: 'manual' }, agrees: true });
    expect(answer.suspicions).toEqual([
      {
        code: 'manual',
        weight: 'certain',
        evidence: { commandId, level: 0, by: '李值班', until: at(2).toISOString(), reason: '接到投诉' },
      },
    ]);
    expect(answer.next).toMatchObject({ at: at(2).toISOString(), level: 60, layer: 'scheme' });
    expect(answer.lastCommands).toMatchObject([{ id: commandId, command: 'off', level: 0, lane: 'manual' }]);
    // Before it was given, the scheme alone.
    expect((await why(id, -1.2)).expected).toEqual({ level: 60, layer: 'scheme' });
  });

  it('is an emergency above a command', async () => {
    const id = await lamp();
    await commanded(id, { command: 'on', lane: 0, from: -0.5, until: 3 });
    await read(id, -0.1, 100);
    const answer = await why(id);
    expect(answer.expected).toEqual({ level: 100, layer: 'emergency' });
    expect(codes(answer)).toEqual(['emergency']);
  });

  it('is a loop without power by its contactor, and one by its plan', async () => {
    const id = await lamp();
    const box = await givenDevice(db, { family: 'control-box' });
    const controller = await givenDevice(db, { family: 'central-controller' });
    const loop = await idOf(
      sql<{
        id: number;
      }>`INSERT INTO loop (work_area_id, control_box_id, loop_code, loop_name, loop_number, lighting)
        VALUES (1, ${box}, 'L1', '北侧', 1, 'half_night') RETURNING id`.execute(db),
    );
    await sql`UPDATE device SET box_id = ${box} WHERE id = ${controller}`.execute(db);
    await sql`UPDATE device SET loop_id = ${loop} WHERE id = ${id}`.execute(db);
    const early = await why(id);
    expect(early.supply).toMatchObject({ loop: '北侧', powered: false, by: 'plan' });
    expect(suspicion(early, 'noPower')?.evidence).toMatchObject({ by: 'plan', loop: '北侧' });
    await read(controller, -0.05, 0, { loop1Contactor: true, selector: 'manual' });
    const closed = await why(id);
    expect(closed.supply).toMatchObject({ powered: true, by: 'contactor', contactor: true });
    // The selector of the cabinet is on manual: nobody knows what it asks.
    expect(suspicion(closed, 'localControl')?.weight).toBe('certain');
    expect(closed).toMatchObject({ expected: { layer: 'local' }, agrees: null });
    await sql`DELETE FROM reading WHERE device_id = ${controller}`.execute(db);
    await read(controller, -0.04, 0, { loop1Contactor: false, selector: 'auto' });
    expect(suspicion(await why(id), 'noPower')?.evidence).toMatchObject({ by: 'contactor' });
  });

  it('is another plan than it was told, and a clock that is wrong', async () => {
    const id = await lamp();
    await read(id, -0.1, 100);
    await sql`INSERT INTO plan_report (device_id, plan_hash, reported_at) VALUES (${id}, '0123456789ab', ${at(-1)})`.execute(
      db,
    );
    await sql`INSERT INTO device_latest (device_id, clock_offset_ms, clock_wrong_since)
      VALUES (${id}, -95000, ${at(-5)})`.execute(db);
    const answer = await why(id);
    expect(codes(answer)).toEqual(['otherPlan', 'clockWrong']);
    expect(suspicion(answer, 'otherPlan')).toMatchObject({ weight: 'likely', evidence: { runs: '0123456789ab' } });
    expect(suspicion(answer, 'clockWrong')?.evidence).toMatchObject({ seconds: 95 });
    expect(answer.agrees).toBe(false);
  });

  it('is an outage, with what the device does meanwhile, and a reading that is too old', async () => {
    const id = await lamp(schemes.usual, templateId);
    await read(id, -3, 100);
    await sql`INSERT INTO connection_log (device_id, kind, reason, began_at, noticed_at, last_at)
      VALUES (${id}, 'offline', 'silent', ${at(-3)}, ${at(-2)}, ${at(-3)})`.execute(db);
    const answer = await why(id);
    expect(codes(answer)).toEqual(['away', 'oldReading']);
    expect(suspicion(answer, 'away')?.evidence).toEqual({
      since: at(-3).toISOString(),
      reason: 'silent',
      fallbackMinutes: 15,
    });
    expect(answer.layers.map(({ layer, applies }) => [layer, applies])).toEqual([
      ['scheme', true],
      ['fallback', true],
    ]);
    expect(answer.agrees).toBeNull();
  });

  it('is that it never came: it has no memory, and no old reading', async () => {
    const id = await lamp(schemes.usual, templateId);
    await sql`INSERT INTO connection_log (device_id, kind, reason, began_at, noticed_at, last_at)
      VALUES (${id}, 'offline', 'neverHeard', ${at(-3)}, ${at(-2)}, ${at(-3)})`.execute(db);
    const answer = await why(id);
    expect(codes(answer)).toEqual(['neverHeard']);
    expect(answer.layers.map(({ layer }) => layer)).not.toContain('fallback');
    expect(answer).toMatchObject({ observed: null, agrees: null, missing: ['readings'] });
  });

  it('is the pattern of its row', async () => {
    const ids = await Promise.all([3, 4].map(() => lamp(schemes.every)));
    for (const [index, id] of ids.entries()) {
      const pole = await givenDevice(db, { family: 'lamp-pole' });
      await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${id}`.execute(db);
      await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
        VALUES (${pole}, 1, 'left', ${3 + index}, 9, 'auto')`.execute(db);
    }
    const answers = await Promise.all(ids.map((id) => why(id)));
    const dark = answers.filter(({ expected }) => expected.level === 0);
    expect(dark).toHaveLength(1);
    expect(dark[0]?.suspicions[0]).toMatchObject({
      code: 'plannedDark',
      evidence: { rowLength: 9, rotation: 'weekly' },
    });
  });

  it('is a light that would be too short, or a level that the driver does not hold', async () => {
    const short = await lamp(schemes.short);
    // 06:15: half an hour before the off-time.
    const morning = await why(short, -18.25);
    expect(morning.expected.level).toBe(0);
    expect(morning.suspicions[0]).toEqual({ code: 'minimumBurning', weight: 'certain', evidence: { minutes: 60 } });
    const raised = await lamp(await scheme('DI-01', exampleScheme(30)), templateId);
    const answer = await why(raised);
    expect(answer.expected.level).toBe(50);
    expect(suspicion(answer, 'floorRaised')?.evidence).toEqual({ asked: 30, minLevel: 50 });
  });

  it('is a fault, or nothing that anybody knows', async () => {
    const [faulty, strange] = [await lamp(), await lamp()];
    await read(faulty, -0.1, 0);
    await read(strange, -0.1, 0);
    await sql`INSERT INTO fault_log (device_id, fault, began_at) VALUES (${faulty}, 'L112', ${at(-1)})`.execute(db);
    const answer = await why(faulty);
    expect(answer.suspicions).toEqual([{ code: 'fault', weight: 'likely', evidence: { codes: 'L112' } }]);
    expect(codes(await why(faulty, -2))).not.toContain('fault');
    expect(await why(strange)).toMatchObject({ agrees: false, suspicions: [{ code: 'unknown' }] });
  });
});
