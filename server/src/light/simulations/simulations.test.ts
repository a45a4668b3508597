import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exampleScheme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import { levelsBetween } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import type { listFindingLamps, Simulation } from '../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Static } from 'typebox';
import { assign } from '../plans/index.ts';
import { simulationOffice } from './testing/simulation-office.ts';

const office = await simulationOffice();
const { app, call, lampAt, scheme, freeze, road, row, simulate, ended, file } = office;
const { db } = app;
type Answer = Static<typeof Simulation>;

const hangzhou = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const [from, to] = ['2026-12-01', '2027-01-31'];
const days = 62;
/** All night at this level from 23:00 on, every day. */
const flat = (level: number, more: Partial<SchemeContent> = {}): SchemeContent => {
  const { programmes, ...rest } = exampleScheme(level);
  return { ...rest, programmes: programmes.slice(0, 1), calendar: { rules: [], default: 1 }, ...more };
};

const result = (answer: Answer) => answer.result ?? expect.fail('a result');
const bytes = (levels: string) => Uint8Array.from(Buffer.from(levels, 'base64'));
const said = (answer: Answer, side: 'a' | 'b' = 'b') =>
  result(answer).findings.flatMap((one) => (one.side === side ? [`${one.severity} ${one.code} ${one.lamps}`] : []));
const lampsOf = async (answer: Answer, code: string, query = '') => {
  const { place } = result(answer).findings.find((one) => one.side === 'b' && one.code === code) ?? expect.fail(code);
  const found = await call<ReplyOf<typeof listFindingLamps>>(
    `/api/v1/plan-simulations/${answer.id}/findings/${place}/lamps${query}`,
  );
  return found.body;
};

describe('the difference of two plans', () => {
  let roadId: number;
  let lamps: number[];
  beforeAll(async () => {
    roadId = await road('arterial');
    lamps = await Promise.all([0, 1, 2].map((index) => lampAt({ roadId, watts: 100, code: `A-${index}` })));
  });

  it('is that of what lamps follow now and a draft, as the kernel counts it', async () => {
    const id = await scheme(flat(60));
    const answer = await ended(await simulate({ scope: { roadIds: [roadId] }, from, to, b: { schemeId: id } }));
    expect(answer).toMatchObject({ a: null, b: { schemeId: id, number: null }, task: { state: 'done' } });
    const { months, total, levels, watts, testNights, ...rest } = result(answer);
    expect(rest).toMatchObject({ lamps: 3, withoutPlace: 0, days });
    expect(watts).toEqual({ learned: 0, nameplate: 3, unknown: 0 });
    const plan = defaultPlan(hangzhou);
    const stretches = levelsBetween(plan, lightingDayOf(hangzhou, from).from, lightingDayOf(hangzhou, to).to);
    const hours = stretches.reduce((sum, one) => sum + (one.level > 0 ? one.to - one.from : 0), 0) / 3_600_000;
    expect(total.a.hours).toBeCloseTo(3 * hours, 3);
    expect(total.a.kwh).toBeCloseTo((3 * hours * learnedWatts(100, 100, null)) / 1000, 3);
    expect(total.a.switches).toBe(3 * days);
    expect(total.b.kwh).toBeLessThan(total.a.kwh);
    expect(months.map(({ month, nights }) => `${month} ${nights}`)).toEqual(['2026-12 31', '2027-01 31']);
    const [a, b] = [bytes(levels.a), bytes(levels.b)];
    // 01:00 is thirteen hours after noon.
    expect([a.length, a[13 * 6], b[13 * 6], b[0]]).toEqual([days * 144, 200, 120, 0]);
    expect(testNights.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['juneSolstice', 'decemberSolstice', 'leapDay', 'yearEnd']),
    );
    const longest = testNights.find(({ kind }) => kind === 'decemberSolstice');
    expect([longest?.a.map(({ level }) => level), longest?.b.map(({ level }) => level)]).toEqual([
      [100, 0],
      [100, 60, 0],
    ]);
    expect(longest?.b[1]?.at).toBe('23:00');
  });

  it('costs what the price and the factor say, and nothing is said without them', async () => {
    const id = await scheme(flat(60));
    const asked = { scope: { roadIds: [roadId] }, from, to, b: { schemeId: id } };
    const { total } = result(await ended(await simulate({ ...asked, pricePerKwh: 0.8, kgCo2PerKwh: 0.5 })));
    expect(total.b.cost).toBeCloseTo(total.b.kwh * 0.8, 6);
    expect(total.b.kgCo2).toBeCloseTo(total.b.kwh * 0.5, 6);
    expect(result(await ended(await simulate(asked))).total.b).toMatchObject({ cost: null, kgCo2: null });
  });

  it('of what lamps follow takes their assignments from their days on', async () => {
    const id = await scheme(flat(60));
    await freeze(id);
    const versionId = (
      await db.selectFrom('scheme_version').select('id').where('scheme_id', '=', id).executeTakeFirstOrThrow()
    ).id;
    const own = await road('branch');
    const lamp = await lampAt({ roadId: own, watts: 100 });
    await follow([lamp], versionId, '2026-12-11');
    const answer = await ended(
      await simulate({ scope: { roadIds: [own] }, from, to: '2026-12-20', b: { schemeId: id, number: 1 } }),
    );
    const [a, b] = [bytes(result(answer).levels.a), bytes(result(answer).levels.b)];
    const at = (levels: Uint8Array, day: number) => levels[day * 144 + 13 * 6];
    expect([at(a, 9), at(a, 10), at(b, 9), at(b, 10)]).toEqual([200, 120, 120, 120]);
    expect(answer.b.number).toBe(1);
    // The same version on both sides is no difference.
    const same = { schemeId: id, number: 1 };
    const none = result(await ended(await simulate({ scope: { deviceIds: [lamp] }, from, to, a: same, b: same })));
    expect([none.levels.a, none.total.a]).toEqual([none.levels.b, none.total.b]);
  });

  it('bounds programmes by the template that lamps have', async () => {
    const id = await scheme(flat(5));
    const own = await road('branch');
    const lamp = await lampAt({ roadId: own, watts: 100 });
    await follow([lamp], null, '2026-11-01', { ...exampleTemplate(), minLevel: 10 });
    const answer = await ended(await simulate({ scope: { deviceIds: [lamp] }, from, to, b: { schemeId: id } }));
    expect(bytes(result(answer).levels.b)[13 * 6]).toBe(20);
  });

  it('of the same lamps, plans and days is computed once', async () => {
    const id = await scheme(flat(45));
    const asked = { scope: { roadIds: [roadId] }, from, to, b: { schemeId: id } };
    const count = async () => (await db.selectFrom('plan_simulation_result').select('id').execute()).length;
    const first = await ended(await simulate(asked));
    const before = await count();
    const second = await ended(await simulate({ ...asked, scope: { deviceIds: lamps } }));
    expect([await count(), second.result]).toEqual([before, first.result]);
    // Another lamp is another result.
    await ended(await simulate({ ...asked, scope: { deviceIds: lamps.slice(1) } }));
    expect(await count()).toBe(before + 1);
  });

  it('is kept for seven days', async () => {
    const id = await scheme(flat(46));
    const asked = { scope: { roadIds: [roadId] }, from, to, b: { schemeId: id } };
    const old = await ended(await simulate(asked));
    await app.clock.advance(8 * 86_400_000);
    await ended(await simulate({ ...asked, scope: { deviceIds: lamps.slice(0, 1) } }));
    expect((await call(`/api/v1/plan-simulations/${old.id}`)).status).toBe(404);
    const kept = await db.selectFrom('plan_simulation_result').select('id').execute();
    expect(kept).toHaveLength(1);
  });
});

async function follow(
  deviceIds: readonly number[],
  schemeVersionId: number | null,
  fromDay: string,
  template?: TemplateContent,
): Promise<void> {
  const templateId = template ? await office.template(template) : null;
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds,
      schemeVersionIds: deviceIds.map(() => schemeVersionId),
      templateVersionIds: deviceIds.map(() => templateId),
      ...{ fromDay, publicationId: null, by: 'test', at: app.clock.now() },
    }),
  );
}

describe('findings', () => {
  it('name their lamps, page by page, in the order of their codes', async () => {
    const arterial = await road('arterial');
    await Promise.all([10, 9, 2].map((index) => lampAt({ roadId: arterial, code: `F-${index}` })));
    const id = await scheme(flat(40));
    const answer = await ended(await simulate({ scope: { roadIds: [arterial] }, from, to, b: { schemeId: id } }));
    expect(said(answer)).toEqual(['error belowFloor 3']);
    expect(result(answer).findings[0]).toMatchObject({
      roadClass: 'arterial',
      programme: '平日',
      period: 1,
      nights: days,
      of: days,
      first: from,
      plan: expect.stringMatching(/^S-/) as string,
    });
    const first = await lampsOf(answer, 'belowFloor', '?size=2');
    expect([first.recordsTotal, first.data.map(({ code }) => code)]).toEqual([3, ['F-2', 'F-9']]);
    const second = await lampsOf(answer, 'belowFloor', '?size=2&page=1');
    expect(second.data.map(({ code }) => code)).toEqual(['F-10']);
    const place = result(answer).findings.length;
    expect((await call(`/api/v1/plan-simulations/${answer.id}/findings/${place}/lamps`)).status).toBe(404);
  });

  it('an exception of the scheme makes it a warning', async () => {
    const arterial = await road('arterial');
    await lampAt({ roadId: arterial });
    const id = await scheme(flat(40, { floorExceptions: [{ roadClass: 'arterial', reason: '夜间封闭施工' }] }));
    expect(
      said(await ended(await simulate({ scope: { roadIds: [arterial] }, from, to, b: { schemeId: id } }))),
    ).toEqual(['warning floorException 1']);
  });

  it('what devices said that they cannot, lamps that only switch, and years of holidays that nobody knows', async () => {
    const own = await road('lane');
    const [simple, able] = [await lampAt({ roadId: own }), await lampAt({ roadId: own })];
    const relay = await lampAt({ roadId: own });
    await sql`UPDATE device SET props = props || '{"type":"switch"}' WHERE id = ${relay}`.execute(db);
    const can = (id: number, periods: number) =>
      sql`INSERT INTO plan_report (device_id, capabilities) VALUES (${id}, ${JSON.stringify({
        plan: { periods, calendar: true, light: false, cycle: true },
      })}::jsonb)`.execute(db);
    await can(simple, 1);
    await can(able, 6);
    const content = flat(60, {
      calendar: {
        rules: [
          { programme: 1, label: '国庆', enabled: true, when: [{ kind: 'holiday', class: 'public', name: null }] },
        ],
        default: 1,
      },
    });
    const id = await scheme(content);
    const answer = await ended(
      await simulate({ scope: { roadIds: [own] }, from: '2026-12-01', to: '2027-03-01', b: { schemeId: id } }),
    );
    expect(said(answer)).toEqual(['warning unknownHolidays 3', 'warning byTable 1', 'warning cannot 1']);
    expect((await lampsOf(answer, 'byTable')).data.map((one) => one.id)).toEqual([simple]);
    expect((await lampsOf(answer, 'cannot')).data.map((one) => one.id)).toEqual([relay]);
    expect(result(answer).findings.find(({ code }) => code === 'unknownHolidays')).toMatchObject({
      programme: '国庆',
      first: '2027-01-01',
    });
  });

  it('neighbours of a row that are dark together where their plans differ', async () => {
    const own = await road('lane');
    const lamps = await row(own, 8);
    const dark = await scheme(flat(0));
    await freeze(dark);
    const versionId = (
      await db.selectFrom('scheme_version').select('id').where('scheme_id', '=', dark).executeTakeFirstOrThrow()
    ).id;
    await follow(lamps.slice(2, 5), versionId, '2026-11-01');
    const full = await scheme(flat(100));
    const answer = await ended(await simulate({ scope: { roadIds: [own] }, from, to, b: { schemeId: full } }));
    const found = result(answer).findings.filter(({ code }) => code === 'darkNeighbours');
    expect(found).toMatchObject([{ side: 'a', lamps: 3, nights: days }]);
  });

  it('lamps of which nobody knows where they stand are counted apart', async () => {
    const own = await road('lane');
    await lampAt({ roadId: own, placed: false });
    await lampAt({ roadId: own });
    // Their area has a place by its other lamps.
    const id = await scheme(flat(60));
    const answer = await ended(await simulate({ scope: { roadIds: [own] }, from, to, b: { schemeId: id } }));
    expect(result(answer)).toMatchObject({ lamps: 2, withoutPlace: 0 });
  });
});

describe('who and what', () => {
  it('everything wrong is said at once', async () => {
    const id = await scheme(flat(60));
    const wrong = await simulate({ scope: {}, from: '2020-01-01', to: '2020-13-01', b: { schemeId: id } });
    const fields = (body: unknown) =>
      (body as { params: { field: string; rule: string }[] }).params.map(({ field, rule }) => `${field} ${rule}`);
    expect([wrong.status, fields(wrong.body)]).toEqual([400, ['to invalid']]);
    const long = await simulate({ scope: {}, from: '2020-01-01', to: '2026-01-01', b: { schemeId: id } });
    expect(fields(long.body)).toEqual(['from minimum', 'to maximum']);
    const none = await simulate({ scope: { deviceIds: [999_999] }, from, to, b: { schemeId: id } });
    expect([none.status, none.body]).toMatchObject([400, { code: 4004 }]);
    expect((await simulate({ scope: {}, from, to, b: { schemeId: id, number: 7 } })).status).toBe(404);
  });

  it('an account sees its own simulations, and in them the lamps that it sees', async () => {
    const arterial = await road('arterial');
    await lampAt({ roadId: arterial });
    const elsewhere = await lampAt({ roadId: arterial, workAreaId: 21 });
    const id = await scheme(flat(40));
    const asked = { scope: { roadIds: [arterial] }, from, to, b: { schemeId: id } };
    const east = await app.signIn({ username: 'east', permissions: ['plan.query'], workAreas: [20] });
    const of = await ended(await simulate(asked, east.token), east.token);
    expect(result(of).lamps).toBe(1);
    const all = await ended(await simulate(asked));
    expect(result(all).lamps).toBe(2);
    expect((await lampsOf(all, 'belowFloor')).data.map((one) => one.id)).toContain(elsewhere);
    expect((await call(`/api/v1/plan-simulations/${all.id}`, { token: east.token })).status).toBe(404);
  });

  it('beginning it stands in the operation log; a cancelled one leaves nothing', async () => {
    const own = await road('lane');
    await lampAt({ roadId: own });
    const id = await scheme(flat(61));
    await office.pause();
    const begun = await simulate({ scope: { roadIds: [own] }, from, to, b: { schemeId: id } });
    const rows = await db
      .selectFrom('operation_log')
      .select(['message', 'username'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows).toEqual([{ message: 'plan.simulate', username: 'planner' }]);
    const taskId = (begun.body as Answer).task?.id ?? 0;
    await call(`/api/v1/tasks/${taskId}/cancel`, { method: 'POST' });
    office.resume();
    const answer = await call<Answer>(`/api/v1/plan-simulations/${(begun.body as Answer).id}`);
    expect(answer.body).toMatchObject({ task: { state: 'cancelled' }, result: null });
    expect((await call(`/api/v1/tasks/${taskId}/repeat`, { method: 'POST' })).status).toBe(400);
  });

  it('its lamps are read by a thread over a connection of its own, which ends when it is cancelled', async () => {
    const own = await road('lane');
    await lampAt({ roadId: own });
    const asked = { scope: { roadIds: [own] }, from, to, b: { schemeId: await scheme(flat(62)) } };
    /** Connections of threads, and what each waits for. */
    const threads = async () => {
      const { rows } = await sql<{ waits: string | null }>`SELECT wait_event_type AS waits FROM pg_stat_activity
        WHERE application_name = 'lampyris simulation' AND datname = current_database()`.execute(db);
      return rows.map(({ waits }) => waits);
    };
    const patient = { timeout: 30_000 };
    await office.pause();
    const { id, task } = (await simulate(asked)).body as unknown as Answer;
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const { promise: free, resolve: release } = Promise.withResolvers<void>();
    onTestFinished(() => release());
    const lock = db.transaction().execute(async (tx) => {
      // Every read of what lamps follow waits for it.
      await sql`LOCK TABLE plan_assignment IN ACCESS EXCLUSIVE MODE`.execute(tx);
      hold();
      await free;
    });
    await held;
    office.resume();
    await expect.poll(threads, patient).toEqual(['Lock']);
    await call(`/api/v1/tasks/${task?.id}/cancel`, { method: 'POST' });
    await expect.poll(threads, patient).toEqual([]);
    release();
    await lock;
    const { body } = await call<Answer>(`/api/v1/plan-simulations/${id}`);
    expect(body).toMatchObject({ task: { state: 'cancelled' }, result: null });
    expect(result(await ended(await simulate(asked))).lamps).toBe(1);
  });

  it('its file has the months, their sums and what was found', async () => {
    const arterial = await road('arterial');
    await lampAt({ roadId: arterial, watts: 100 });
    const id = await scheme(flat(40));
    const answer = await ended(
      await simulate({ scope: { roadIds: [arterial] }, from, to, b: { schemeId: id }, pricePerKwh: 1 }),
    );
    const rows = await readSheet(await file(answer.id));
    const { total, months } = result(answer);
    expect(rows[0]?.slice(0, 6)).toEqual([
      'Month / finding',
      'Lamps',
      'Nights',
      'Energy (kWh) A',
      'Energy (kWh) B',
      'Energy (kWh) B − A',
    ]);
    expect(rows[1]?.[0]).toBe('2026-12');
    const sums = rows[months.length + 1] ?? [];
    expect(sums[0]).toBe('Total');
    expect(Number(sums[4])).toBeCloseTo(total.b.kwh, 2);
    expect(Number(sums[13])).toBeCloseTo(total.b.cost ?? 0, 2);
    expect(rows[months.length + 2]?.slice(0, 3)).toEqual([
      expect.stringMatching(/^Error B · Below the floor of the road class · S-\d+ · 平日 · period 2 · /) as string,
      1,
      days,
    ]);
  });
});
