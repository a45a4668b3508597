import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { getException, listExceptions, previewException } from '../../../../contract/light/exceptions.ts';
import type { listPublications } from '../../../../contract/light/publications.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { givenDevice } from '../../testing/devices.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call, clock, publish } = office;
// A road of which no light is asked.
await sql`UPDATE road SET road_class = 'lane'`.execute(db);
const path = '/api/v1/plan-exceptions';
const planner = await app.signIn({
  username: 'planner',
  permissions: ['plan.exception', 'plan.publish', 'plan.query', 'lamp.approve'],
  workAreas: [1],
});
const approver = await app.signIn({
  username: 'second',
  permissions: ['lamp.approve', 'plan.query'],
  workAreas: [1],
});
await sql`INSERT INTO work_area (id, work_code, work_name, latitude, longitude) VALUES (2, 'S', '密区', 30.2, 120.2), (3, 'F', '别处', 30.2, 120.2)`.execute(
  db,
);
await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (900, 2, 'R900', '密路')`.execute(db);
const seen = (id: number) =>
  db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', id).execute();
beforeEach(async () => {
  clock.set(new Date(noon));
  await seen(approver.accountId);
});

interface Made {
  readonly id: number;
  readonly state: string;
  readonly code: number;
  readonly count: number;
  readonly differs: readonly string[];
}
const days = { fromDay: '2026-11-23', toDay: '2026-12-10' } as const;
const hours = { from: '2026-11-23T12:00:00Z', to: '2026-11-23T14:00:00Z' } as const;
const body = (deviceIds: readonly number[], more: object) => ({
  scope: { deviceIds },
  reason: '管线抢修施工',
  ...more,
});
const make = (deviceIds: readonly number[], more: object, token = planner.token) =>
  call<Made>(path, { token, body: body(deviceIds, more) });
const preview = (deviceIds: readonly number[], more: object) =>
  call<ReplyOf<typeof previewException>>(`${path}/preview`, {
    token: planner.token,
    body: body(deviceIds, { ...more, reason: undefined }),
  });
const one = async (id: number, token = planner.token) =>
  (await call<ReplyOf<typeof getException>>(`${path}/${id}`, { token })).body;
const given = async (lamps: readonly number[], schemeId: number) =>
  sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
    SELECT id, (SELECT id FROM scheme_version WHERE scheme_id = ${schemeId}), '2026-11-01', 'x', now()
    FROM unnest(${[...lamps]}::bigint[]) AS x(id)`.execute(db);

describe('what darkens', () => {
  it('is weighed without the exceptions of its lamps: they end, and what is published stays', async () => {
    const lamps = await office.lamps(201);
    expect((await make(lamps, { ...days, op: 'max', level: 100 })).body.state).toBe('inForce');
    const asked = await publish(lamps);
    expect(asked.body.phase, JSON.stringify(asked.body)).toBe('awaitingApproval');
  });

  it('on later days of a calendar counts, one night for each programme', async () => {
    const lamps = await office.lamps(201);
    const programme = exampleProgramme(100);
    const schemeId = await office.version('scheme', {
      ...exampleScheme(),
      programmes: [
        { key: 1, name: '平日', programme },
        { key: 2, name: '春', programme: exampleProgramme(30) },
      ],
      calendar: {
        rules: [
          {
            programme: 2,
            label: '春',
            enabled: true,
            when: [{ kind: 'range', from: '2027-10-01', to: '2027-10-03' }],
          },
        ],
        default: 1,
      },
    });
    const asked = await publish(lamps, { schemeId });
    expect(asked.body.phase, JSON.stringify(asked.body)).toBe('awaitingApproval');
    expect(await office.get(asked.body.id)).toMatchObject({ darkens: 201 });
  });

  it('asks for a second person only when one sees all lamps that are decided about', async () => {
    const both = await app.signIn({
      username: 'both',
      permissions: ['plan.exception', 'plan.publish', 'plan.query'],
      workAreas: [1, 2],
    });
    const lamps = await office.lamps(201);
    // It is off: it is none of the lamps that are darker, but one of those that are decided about.
    const away = await givenDevice(db, { workAreaId: 2, roadId: null, enabled: false });
    const dark = { ...hours, op: 'set', level: 0 };
    const alone = await make([...lamps, away], dark, both.token);
    expect([alone.status, alone.body.code, alone.body.count]).toEqual([400, 4017, 201]);
    const published = await publish([...lamps, away], {}, both.token);
    expect([published.status, published.body.count], JSON.stringify(published.body)).toEqual([400, 201]);
    expect((await make(lamps, dark, both.token)).body.state).toBe('awaitingApproval');
  });
});

describe('an exception that a device cannot hold', () => {
  it('beside eight programmes says so before and after it is made', async () => {
    const [full = 0, plain = 0] = await office.lamps(2);
    const programmes = Array.from({ length: 8 }, (_none, index) => ({
      key: index + 1,
      name: `方案 ${index + 1}`,
      programme: exampleProgramme(50 + index),
    }));
    await given(
      [full],
      await office.version('scheme', { ...exampleScheme(), programmes, calendar: { rules: [], default: 1 } }),
    );
    const asked = { ...days, op: 'max', level: 90 };
    expect((await preview([full, plain], asked)).body.cannot).toEqual([{ reason: 'periods', count: 1 }]);
    const { body: made } = await make([full, plain], asked);
    expect((await one(made.id)).lamps.map(({ deviceId, cannot }) => [deviceId, cannot])).toEqual([
      [full, 'periods'],
      [plain, null],
    ]);
    expect((await make([full], asked)).status).toBe(400);
  });

  it('is the thirty-first of a lamp; the thirtieth holds', async () => {
    const [lamp = 0] = await office.lamps(1);
    const nth = (n: number) => ({
      fromDay: addDays('2026-11-24', n),
      toDay: addDays('2026-11-24', n),
      op: 'min',
      level: 50,
    });
    for (let n = 1; n <= 30; n += 1) {
      const { status, body: made } = await make([lamp], nth(n));
      expect([n, status], JSON.stringify(made)).toEqual([n, 201]);
    }
    expect((await preview([lamp], nth(31))).body.cannot).toEqual([{ reason: 'periods', count: 1 }]);
    expect((await make([lamp], nth(31))).status).toBe(400);
  });
});

describe('a scope that names what the caller does not see', () => {
  it.each([['roadIds', [900]] as const, ['workAreaId', 2] as const])(
    '%s is refused without its name',
    async (key, value) => {
      const scope = { [key]: value };
      const schemeId = office.schemeId;
      for (const [call_, asked] of [
        [path, { ...hours, op: 'set', level: 50, scope, reason: '管线抢修施工' }],
        [`${path}/preview`, { ...hours, op: 'set', level: 50, scope }],
        ['/api/v1/publications', { schemeId, scope }],
        ['/api/v1/publications/preview', { schemeId, scope }],
      ] as const) {
        const answer = await call<object>(call_, { token: planner.token, body: asked });
        expect([call_, answer.status]).toEqual([call_, 403]);
        expect(JSON.stringify(answer.body)).not.toMatch(/密/);
      }
    },
  );
});

describe('the same request', () => {
  const requestId = (n: number) => `0f8fad5b-d9cb-469f-a165-7086772895${String(n).padStart(2, '0')}`;

  it('twice at once makes one exception, and is answered alike', async () => {
    const lamps = await office.lamps(2);
    const asked = { ...hours, op: 'set', level: 50, requestId: requestId(1) };
    const answers = await Promise.all([make(lamps, asked), make(lamps, asked), make(lamps, asked)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const { rows } = await sql`SELECT 1 FROM plan_exception WHERE request_id = ${requestId(1)}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it('with another content is refused by the fields that differ', async () => {
    const lamps = await office.lamps(2);
    const asked = { ...hours, op: 'set', level: 50, requestId: requestId(2) };
    expect((await make(lamps, asked)).status).toBe(201);
    const other = await make(lamps.slice(1), { ...asked, level: 40 });
    expect([other.status, other.body.code, other.body.differs]).toEqual([409, 4010, ['level', 'scope']]);
    expect((await make(lamps, { ...asked, reason: '另一个原因' })).body.differs).toEqual(['reason']);
  });

  it('twice at once makes one publication, and is answered alike; another content is refused', async () => {
    const lamps = await office.lamps(2);
    const asked = { requestId: requestId(3) };
    const answers = await Promise.all([publish(lamps, asked), publish(lamps, asked), publish(lamps, asked)]);
    expect(
      answers.map(({ status }) => status),
      JSON.stringify(answers.map((one_) => one_.body)),
    ).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const other = await publish(lamps, { ...asked, canary: { count: 1 } });
    expect([other.status, other.body.code]).toEqual([409, 4010]);
    expect(other.body).toMatchObject({ differs: ['canary'] });
  });
});

describe('a list', () => {
  const exceptions = async (token: string) => (await call<ReplyOf<typeof listExceptions>>(path, { token })).body.data;
  const publications = async (token: string) =>
    (await call<ReplyOf<typeof listPublications>>('/api/v1/publications', { token })).body.data;

  it('says whether the caller sees every lamp, also after a lamp was deleted', async () => {
    const far = await givenDevice(db, { workAreaId: 2, roadId: null });
    const [lamp = 0, gone = 0] = await office.lamps(2);
    const both = await app.signIn({
      username: 'wide',
      permissions: ['plan.exception', 'plan.publish', 'plan.query'],
      workAreas: [1, 2],
    });
    const { body: excepted } = await make([lamp, gone, far], { ...hours, op: 'max', level: 50 }, both.token);
    const { body: published } = await publish([lamp, gone, far], {}, both.token);
    const shown = async (token: string) => [
      (await exceptions(token)).find(({ id }) => id === excepted.id),
      (await publications(token)).find(({ id }) => id === published.id),
    ];
    expect(await shown(both.token)).toMatchObject([
      { whole: true, total: 3 },
      { whole: true, states: { pending: 3 } },
    ]);
    expect(await shown(planner.token)).toMatchObject([{ whole: false }, { whole: false, states: { pending: 2 } }]);
    await sql`DELETE FROM device WHERE id = ${gone}`.execute(db);
    expect(await shown(both.token)).toMatchObject([{ whole: true }, { whole: true, states: { pending: 2 } }]);
    expect(await one(excepted.id, both.token)).toMatchObject({ whole: true });
    expect((await office.act(published.id, 'halt', { reason: 'x' }, both.token)).status).toBe(200);
  });

  it('tells what has ended from kept counts, as each caller sees it', async () => {
    const far = await givenDevice(db, { workAreaId: 2, roadId: null });
    const lamps = await office.lamps(2);
    const both = await app.signIn({ username: 'kept', permissions: ['plan.publish', 'plan.query'], workAreas: [1, 2] });
    const { id } = (await publish([...lamps, far], {}, both.token)).body;
    await office.act(id, 'cancel', { reason: 'x' }, both.token);
    await office.turn();
    // What lists say does not come from the lamps any more.
    await sql`UPDATE publication_item SET state = 'proven' WHERE publication_id = ${id}`.execute(db);
    const shown = async (token: string) => (await publications(token)).find((row) => row.id === id);
    expect(await shown(both.token)).toMatchObject({ whole: true, states: { superseded: 3 } });
    expect(await shown(planner.token)).toMatchObject({ whole: false, states: { superseded: 2 } });
    expect((await office.get(id)).states).toEqual({ proven: 2 });
    const stranger = await app.signIn({ username: 'far', permissions: ['plan.query'], workAreas: [3] });
    expect(await shown(stranger.token)).toBeUndefined();
  });

  it('names the roads and areas that were chosen', async () => {
    const lamps = await office.lamps(1);
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (901, 1, 'R901', '解放路')`.execute(db);
    await sql`UPDATE device SET road_id = 901 WHERE id = ${lamps[0]}`.execute(db);
    const { body: made } = await publish([], { scope: { roadIds: [901] } });
    expect((await office.get(made.id)).scope).toEqual({ roadIds: [901], names: ['解放路'] });
  });

  it('names no places to one who does not see every lamp', async () => {
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (902, 1, 'R902', '近路')`.execute(db);
    const [lamp = 0, named = 0] = await office.lamps(2);
    await sql`UPDATE device SET road_id = 902 WHERE id = ${lamp}`.execute(db);
    await givenDevice(db, { workAreaId: 2, roadId: 900 });
    const both = await app.signIn({
      username: 'names',
      permissions: ['plan.exception', 'plan.publish', 'plan.query'],
      workAreas: [1, 2],
    });
    const scope = { roadIds: [900, 902], deviceIds: [named] };
    const whole = { roadIds: [900, 902], devices: 1, names: expect.arrayContaining(['密路', '近路']) };
    const { body: published } = await publish([], { scope }, both.token);
    const { body: excepted } = await call<Made>(path, {
      token: both.token,
      body: { ...body([], { ...hours, op: 'max', level: 50 }), scope },
    });
    const scopesOf = async (token: string) => [
      (await publications(token)).find(({ id }) => id === published.id)?.scope,
      (await call<{ scope: object }>(`/api/v1/publications/${published.id}`, { token })).body.scope,
      (await exceptions(token)).find(({ id }) => id === excepted.id)?.scope,
      (await one(excepted.id, token)).scope,
    ];
    expect(await scopesOf(both.token)).toEqual([whole, whole, whole, whole]);
    const part = { devices: 1 };
    expect(await scopesOf(planner.token)).toEqual([part, part, part, part]);
  });
});
