import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { writtenLog } from '../../testing/written-log.ts';
import { assign, createLampPlans } from '../plans/index.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { exceptionsRoutes } from './index.ts';
import { createExceptionSteps } from './steps.ts';

const { log, lines } = writtenLog('warn');
const office = await publishingOffice((parts) => exceptionsRoutes(parts), log);
const { app, db, call, clock } = office;
const { token } = await app.signIn({ username: 'planner', permissions: ['plan.exception'], workAreas: [1] });
beforeEach(() => clock.set(new Date(noon)));

/** Two lamps, or these, the first of a version of its own, which is broken by the returned function. */
async function givenLamps(of?: readonly number[]) {
  const lamps = of ?? (await office.lamps(2));
  const [lamp = 0] = lamps;
  const schemeId = await office.version('scheme', exampleScheme(40));
  const { rows } = await sql<{ id: number }>`SELECT id FROM scheme_version WHERE scheme_id = ${schemeId}`.execute(db);
  const version = rows[0]?.id ?? 0;
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds: [lamp],
      schemeVersionIds: [version],
      templateVersionIds: [null],
      fromDay: '2026-11-01',
      publicationId: null,
      by: 'test',
      at: clock.now(),
    }),
  );
  return {
    lamps,
    breakOne: () => sql`UPDATE scheme_version SET content = '{}' WHERE id = ${version}`.execute(db),
  };
}

it('a publication tells all lamps but the one whose former plan cannot be made any more', async () => {
  const { lamps, breakOne } = await givenLamps();
  const { body } = await office.publish(lamps);
  await breakOne();
  office.restart();
  await expect(office.turn()).rejects.toThrow(TypeError);
  const { phase, items } = await office.get(body.id);
  expect([phase, items.map(({ state }) => state)]).toEqual(['proving', ['told', 'told']]);
});

it('an exception reaches all lamps but the one whose plan cannot be made any more, and is announced once', async () => {
  const { lamps, breakOne } = await givenLamps();
  const made = await call<{ id: number }>('/api/v1/plan-exceptions', {
    token,
    body: {
      scope: { deviceIds: lamps },
      fromDay: '2026-11-23',
      toDay: '2026-11-24',
      op: 'max',
      level: 90,
      reason: '元宵灯会保障',
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await breakOne();
  const told: number[] = [];
  const stop = app.bus.subscribe('plans.assigned', ({ ids }) => void told.push(...ids));
  const steps = createExceptionSteps({ db, bus: app.bus, clock, plans: createLampPlans(app.bus) });
  await expect(steps.turn()).rejects.toThrow(TypeError);
  expect(told.toSorted()).toEqual(lamps);
  await steps.turn();
  expect(told).toHaveLength(2);
  stop();
});

it('a lamp whose plan cannot be made any more is named as one that cannot, and others are told', async () => {
  const { lamps, breakOne } = await givenLamps();
  const [lamp] = lamps;
  await breakOne();
  office.restart();
  const asked = { scope: { deviceIds: lamps } };
  const unreadable = [{ reason: 'unreadable', count: 1 }];
  // The log says why, once for each judgement.
  const said = () => lines().filter(({ msg }) => msg === 'plans of lamps could not be made; judged without them');
  const before = said().length;
  const preview = await call<{ cannot: object[]; changed: number }>('/api/v1/publications/preview', {
    token: office.publisher.token,
    body: { ...asked, schemeId: office.schemeId },
  });
  expect(preview.body, JSON.stringify(preview.body)).toMatchObject({ cannot: unreadable, changed: 1 });
  expect(said().slice(before)).toMatchObject([
    { level: 'warn', count: 1, reason: expect.stringContaining('undefined') },
  ]);
  const exception = { ...asked, fromDay: '2026-11-23', toDay: '2026-11-24', op: 'max', level: 90 };
  const tried = await call<{ cannot: object[] }>('/api/v1/plan-exceptions/preview', { token, body: exception });
  expect(tried.body.cannot, JSON.stringify(tried.body)).toEqual(unreadable);
  const made = await call<{ id: number }>('/api/v1/plan-exceptions', {
    token,
    body: { ...exception, reason: '元宵灯会保障' },
  });
  const kept = await call<{ lamps: object[] }>(`/api/v1/plan-exceptions/${made.body.id}`, {
    token: (await app.signIn({ username: 'reader', permissions: ['plan.query'], workAreas: [1] })).token,
  });
  expect(kept.body.lamps, JSON.stringify(kept.body)).toContainEqual(
    expect.objectContaining({ deviceId: lamp, cannot: 'unreadable' }),
  );
  const ended = await call(`/api/v1/plan-exceptions/${made.body.id}/cancel`, { token, body: { reason: '提前完工' } });
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  const { body } = await office.publish(lamps);
  // Publications of other tests have lamps that fail each time.
  await office.turn().catch(() => undefined);
  const { items } = await office.get(body.id);
  expect(new Map(items.map(({ deviceId, state, reason }) => [deviceId, [state, reason]]))).toEqual(
    new Map([
      [lamp, ['cannot', 'unreadable']],
      [lamps[1], ['told', null]],
    ]),
  );
});

it('a publication and an exception are judged beside a neighbour whose plan cannot be made any more', async () => {
  const { lamps, breakOne } = await givenLamps(await givenRow(db, 3, 'arterial'));
  const [, next = 0] = lamps;
  await breakOne();
  const body = { scope: { deviceIds: [next] }, fromDay: '2026-11-23', toDay: '2026-11-24', op: 'set', level: 60 };
  const made = await call('/api/v1/plan-exceptions', { token, body: { ...body, reason: '元宵灯会保障' } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const published = await office.publish([next]);
  expect(published.status, JSON.stringify(published.body)).toBe(201);
});
