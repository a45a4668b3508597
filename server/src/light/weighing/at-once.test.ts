import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { takeLock } from '../../platform/db/index.ts';
import { lockWaiters, whileKept } from '../../testing/row-locks.ts';
import { exceptionsRoutes } from '../exceptions/index.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { rowsRoutes } from '../rows/rows.routes.ts';
import { createRows } from '../rows/rows.service.ts';
import { createRowWeighing } from './index.ts';

const office = await publishingOffice((parts) => [
  ...exceptionsRoutes(parts),
  ...rowsRoutes(createRows({ ...parts, weigh: createRowWeighing(parts) })),
]);
const { app, db, call, clock, publish } = office;
beforeEach(() => clock.set(new Date(noon)));
const permissions = ['plan.publish', 'plan.exception', 'plan.edit', 'plan.query'];
const other = await app.signIn({ username: 'other', permissions, workAreas: [1] });

const accepted = { acceptedFindings: ['darker', 'unknownHolidays'] };
const exceptions = '/api/v1/plan-exceptions';
const dimming = (lamp: number, level: number) => ({
  scope: { deviceIds: [lamp] },
  ...{ fromDay: '2026-11-23', toDay: '2026-11-25', op: 'set', level },
});
interface Answer {
  readonly id: number;
  readonly code: number;
}
const except = (lamp: number, level: number, query = '') =>
  call<Answer>(`${exceptions}${query}`, {
    token: other.token,
    body: { ...dimming(lamp, level), reason: '夜间施工占道' },
  });

/** Resolves when so many wait for the lock of planned light: they were judged. */
const advisoryWaiters = (count: number) =>
  expect
    .poll(
      async () =>
        (
          await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND wait_event = 'advisory'`.execute(db)
        ).rows.length,
      { timeout: 20_000 },
    )
    .toBe(count);

/** What begins while something else is judged; it goes on when so many wait. */
const whileJudged = async <T>(waiting: number, begin: () => Promise<T>): Promise<T> => {
  const { begun } = await db.transaction().execute(async (tx) => {
    await takeLock(tx, 'plannedLight');
    const work = begin();
    await lockWaiters(db, waiting);
    return { begun: work };
  });
  return begun;
};

describe('two who darken neighbours at the same moment', () => {
  it('by publications: the second is judged beside the first', async () => {
    const [one = 0, two = 0] = await givenRow(db, 3, 'arterial');
    const schemeId = await office.version('scheme', exampleScheme(20));
    const answers = await whileJudged(2, () =>
      Promise.all([publish([one], { schemeId, ...accepted }), publish([two], { schemeId, ...accepted }, other.token)]),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    // Nothing of what was tried is left.
    const { rows } = await sql`SELECT FROM plan_assignment WHERE device_id = ANY(${[one, two]}::bigint[])`.execute(db);
    expect(rows).toEqual([]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.findings).toContainEqual(
      expect.objectContaining({ code: 'belowFloor', params: expect.objectContaining({ level: 46.7 }) }),
    );
  });

  it('by exceptions: the second needs the count', async () => {
    const [three = 0, four = 0] = await givenRow(db, 3, 'arterial');
    const answers = await whileJudged(2, () => Promise.all([except(three, 20), except(four, 20)]));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  });

  it('by the end of an exception and by rows: they wait; what is only tried waits for nobody', async () => {
    const lamps = await givenRow(db, 3, 'arterial');
    const [one = 0] = lamps;
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT ${one}, (SELECT id FROM scheme_version WHERE scheme_id = ${office.schemeId}), '2026-11-01', 'x',
        now()`.execute(db);
    const raising = { ...dimming(one, 100), op: 'max' };
    const made = await call<Answer>(exceptions, { token: other.token, body: { ...raising, reason: '夜间施工占道' } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { rows } = await sql<{ pole: number; road: number }>`SELECT pole_id AS pole, road_id AS road FROM device
      WHERE id = ANY(${lamps}::bigint[]) ORDER BY id`.execute(db);
    const put = (query = '') =>
      call(`/api/v1/rows/${rows[0]?.road}${query}`, {
        ...{ method: 'PUT', token: other.token },
        body: { version: 0, rows: [{ side: 'none', poleIds: rows.map(({ pole }) => pole) }], keep: [] },
      });
    const schemeId = await office.version('scheme', exampleScheme(90));
    const waited = await whileJudged(2, async () => {
      const tried = await Promise.all([
        put('?dryRun=1'),
        except(one, 80, '?dryRun=1'),
        call(`${exceptions}/preview`, { token: other.token, body: dimming(one, 80) }),
        call<{ would: { things: object } }>('/api/v1/publications?dryRun=1', {
          token: other.token,
          body: { schemeId, scope: { deviceIds: [one] }, ...accepted },
        }),
      ]);
      expect(tried.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      // What was written to find out what it would do is none of what it would do.
      expect(Object.keys(tried[3].body.would.things).toSorted()).toEqual(['publicationLamps', 'publications']);
      return Promise.all([
        put(),
        call(`${exceptions}/${made.body.id}/cancel`, { token: other.token, body: { reason: '提前完工' } }),
      ]);
    });
    expect(waited.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('ends of exceptions that darken nobody wait for nobody', async () => {
    const [one = 0] = await givenRow(db, 3, 'arterial');
    const made = await except(one, 90);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const ended = await db.transaction().execute(async (tx) => {
      await takeLock(tx, 'plannedLight');
      return call<Answer>(`${exceptions}/${made.body.id}/cancel`, {
        token: other.token,
        body: { reason: '提前完工' },
      });
    });
    expect([ended.status, ended.body], JSON.stringify(ended.body)).toEqual([
      200,
      { id: made.body.id, state: 'cancelled', lamps: 1, darker: 0 },
    ]);
  });

  it('lamps of another publication are refused at once, and a repeated request has its answer', async () => {
    const [one = 0] = await givenRow(db, 3, 'lane');
    const request = { ...accepted, requestId: '0b5f7d0e-6c1a-4a52-9a8c-0d2f6f3f5a11' };
    const [first, again] = await whileJudged(2, () =>
      Promise.all([publish([one], request, other.token), publish([one], request, other.token)]),
    );
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    await db.transaction().execute(async (tx) => {
      await takeLock(tx, 'plannedLight');
      expect((await publish([one], accepted)).status).toBe(409);
      expect((await publish([one], request, other.token)).body.id).toBe(first.body.id);
    });
  });

  it('what moved between a judgement and its lock is judged again: both were found sound before', async () => {
    const [one = 0, two = 0] = await givenRow(db, 3, 'arterial');
    const schemeId = await office.version('scheme', exampleScheme(20));
    const { work } = await db.transaction().execute(async (tx) => {
      await takeLock(tx, 'plannedLight');
      const first = publish([one], { schemeId, ...accepted });
      await advisoryWaiters(1);
      const second = except(two, 20);
      await advisoryWaiters(2);
      return { work: Promise.all([first, second]) };
    });
    // Each was alone when it was judged, and the lock is given in the order in which it was asked for.
    const [first, second] = await work;
    expect([first.status, second.status, second.body.code]).toEqual([201, 400, 4017]);
    const { rows } = await sql`SELECT FROM plan_exception_item WHERE device_id = ${two}`.execute(db);
    expect(rows).toEqual([]);
  });

  it('who is judged keeps nobody from making something else, of the same rows too', async () => {
    const [one = 0, two = 0] = await givenRow(db, 3, 'lane');
    const [three = 0] = await givenRow(db, 3, 'arterial');
    const { stuck } = await whileKept(db, 'device', one, async () => {
      const judged = publish([one], accepted, other.token);
      await lockWaiters(db, 1);
      expect((await publish([three], accepted)).status).toBe(201);
      expect((await except(two, 90)).status).toBe(201);
      return { stuck: judged };
    });
    expect((await stuck).status).toBe(201);
  });

  it('what nobody disturbed is judged once, before the lock is asked for', async () => {
    const [one = 0] = await givenRow(db, 3, 'arterial');
    const schemeId = await office.version('scheme', exampleScheme(90));
    // To find out what it would do plans are assigned, and making it assigns none: who judged again would wait.
    await db.transaction().execute(async (kept) => {
      const { work } = await db.transaction().execute(async (tx) => {
        await takeLock(tx, 'plannedLight');
        const made = publish([one], { schemeId, ...accepted });
        await advisoryWaiters(1);
        await sql`LOCK TABLE plan_assignment IN SHARE MODE`.execute(kept);
        return { work: made };
      });
      expect((await work).status).toBe(201);
    });
  });

  it('while lamps are judged the account goes on with others', async () => {
    const [one = 0, two = 0] = await givenRow(db, 3, 'lane');
    const doAll = async (lamp: number, query = '') =>
      (
        await Promise.all([
          call<Answer>(`/api/v1/publications${query}`, {
            token: other.token,
            body: { schemeId: office.schemeId, scope: { deviceIds: [lamp] }, ...accepted },
          }),
          except(lamp, 90, query),
        ])
      ).map(({ status }) => status);
    const begun = await whileKept(db, 'device', one, async () => {
      const work = doAll(one);
      // Both are judged, and wait for its row.
      await lockWaiters(db, 2);
      expect(await doAll(two, '?dryRun=1')).toEqual([200, 200]);
      return { work };
    });
    expect(await begun.work).toEqual([201, 201]);
  });
});
